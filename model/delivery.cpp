#include "model/delivery.hpp"

namespace parley::model {
namespace {

/// Whoever hangs on a silent stream for so long has forgotten it.
constexpr std::chrono::minutes kLongestSilence{10};
/// Events without a pause between them leave together, up to about this much.
constexpr std::size_t kBytesAtOnce = 64 * 1024;

/// A streamed answer on its way. It lives in the callbacks that drive it.
class Delivery : public std::enable_shared_from_this<Delivery> {
 public:
  Delivery(std::shared_ptr<http::BodyStream> stream, Turn turn, const AnswerHead& head)
      : stream_(std::move(stream)), turn_(std::move(turn)), events_(events(turn_, head)) {}

  void start() {
    // No faster than the client reads. The stream lets go of the callback when it is over.
    stream_->on_drained([self = shared_from_this()] {
      if (std::exchange(self->waiting_for_room_, false)) self->go_on();
    });
    if (turn_.raw_sse) return send_raw();
    go_on();
  }

 private:
  void send_raw() {
    stream_->write(*turn_.raw_sse);
    if (turn_.hang) return be_silent();
    stream_->cut();
  }

  void go_on() {
    std::string ready;
    while (next_ < events_.size()) {
      if (turn_.cut_after && next_ >= *turn_.cut_after) {
        stream_->write(std::move(ready));
        return stream_->cut();
      }
      if (turn_.hang_after && next_ >= *turn_.hang_after) {
        stream_->write(std::move(ready));
        if (!turn_.hang_for) return be_silent();
        turn_.hang_after.reset();
        return pause(*turn_.hang_for);
      }
      if (turn_.inject_after == next_) ready += turn_.inject;
      const Event& event = events_[next_++];
      ready += event.text;
      if (event.is_delta && turn_.chunk_delay.count() > 0) {
        stream_->write(std::move(ready));
        return pause(turn_.chunk_delay);
      }
      if (ready.size() >= kBytesAtOnce) {
        waiting_for_room_ = true;
        return stream_->write(std::move(ready));
      }
    }
    stream_->write(std::move(ready));
    stream_->finish();
  }

  void pause(std::chrono::milliseconds time) {
    stream_->after(time, [self = shared_from_this()] { self->go_on(); });
  }

  /// Nothing more, until the client goes.
  void be_silent() {
    stream_->after(kLongestSilence, [self = shared_from_this()] { self->stream_->cut(); });
  }

  const std::shared_ptr<http::BodyStream> stream_;
  Turn turn_;
  const std::vector<Event> events_;
  std::size_t next_ = 0;
  bool waiting_for_room_ = false;
};

void add_headers(http::Response& response, const Turn& turn, const AnswerHead& head) {
  response.headers.set("request-id", head.request_id());
  for (const auto& [name, value] : turn.headers.fields()) response.headers.set(name, value);
}

void answer_now(const std::shared_ptr<http::Exchange>& exchange, Turn turn, const AnswerHead& head,
                bool streamed) {
  if (turn.drop) return exchange->drop();
  if (turn.status || !streamed) {
    http::Response response = turn.status ? http::Response::json(*turn.status, turn.error)
                                          : http::Response::json(200, whole_message(turn, head));
    if (turn.status && turn.raw_body) response.body = *turn.raw_body;
    add_headers(response, turn, head);
    return exchange->respond(std::move(response));
  }
  http::Response opening{
      200,
      {{"Content-Type", "text/event-stream; charset=utf-8"}, {"Cache-Control", "no-cache"}},
      {}};
  add_headers(opening, turn, head);
  // The end of the connection ends the body. A stream that is cut then looks the same as in the
  // recordings: it just ends too early.
  auto stream = exchange->stream(std::move(opening), http::Framing::until_close);
  std::make_shared<Delivery>(std::move(stream), std::move(turn), head)->start();
}

}  // namespace

void deliver(const std::shared_ptr<http::Exchange>& exchange, Turn turn, AnswerHead head,
             bool streamed) {
  const auto delay = turn.delay;
  if (delay.count() == 0) return answer_now(exchange, std::move(turn), head, streamed);
  exchange->after(delay, [exchange, turn = std::move(turn), head = std::move(head), streamed] {
    answer_now(exchange, turn, head, streamed);
  });
}

}  // namespace parley::model
