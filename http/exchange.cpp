// The rules that every answer keeps, whatever the connection: exactly one, and with headers that
// can be sent.
#include "http/exchange.hpp"

#include <atomic>
#include <stdexcept>

#include "http/server_context.hpp"

namespace parley::http {
namespace {

void check_fields(const Response& response) {
  for (const auto& [name, value] : response.headers.fields()) {
    if (!is_valid_field(name, value)) {
      throw std::invalid_argument("header field that cannot be sent: " + name);
    }
  }
}

class OneAnswer final : public Exchange {
 public:
  OneAnswer(std::shared_ptr<ServerContext> server, std::shared_ptr<Answer> answer, Request request,
            BodyShare share)
      : server_(std::move(server)),
        answer_(std::move(answer)),
        share_(std::move(share)),
        request_(std::move(request)) {}

  ~OneAnswer() override {
    if (!answered_) answer_->respond(server_->refusal(500));
  }

  [[nodiscard]] const Request& request() const override { return request_; }

  void respond(Response response) override {
    check_fields(response);
    claim();
    answer_->respond(std::move(response));
  }

  std::shared_ptr<BodyStream> stream(Response head, Framing framing) override {
    check_fields(head);
    claim();
    std::string first = std::exchange(head.body, {});
    answer_->begin(std::move(head), framing);
    answer_->write(std::move(first));
    return answer_;
  }

  Result<std::shared_ptr<WebSocket>> upgrade(WebSocket::Handlers handlers) override {
    if (!request_.wants_websocket() || request_.headers.get("Sec-WebSocket-Key").empty() ||
        request_.headers.get("Sec-WebSocket-Version") != "13") {
      return Error(ErrorCode::invalid, "the request is no WebSocket handshake of version 13");
    }
    claim();
    auto socket = make_websocket(server_, std::move(handlers));
    answer_->hand_over(socket, request_);
    return std::shared_ptr<WebSocket>(std::move(socket));
  }

  void drop() override {
    claim();
    answer_->drop();
  }

  void after(std::chrono::milliseconds delay, std::function<void()> task) override {
    answer_->after(delay, std::move(task));
  }

 private:
  void claim() {
    if (answered_.exchange(true)) throw std::logic_error("the request has been answered already");
  }

  const std::shared_ptr<ServerContext> server_;
  const std::shared_ptr<Answer> answer_;
  const BodyShare share_;  // for as long as there is the body
  const Request request_;
  std::atomic<bool> answered_{false};
};

}  // namespace

std::shared_ptr<Exchange> make_exchange(const std::shared_ptr<ServerContext>& server,
                                        std::shared_ptr<Answer> answer, Request request,
                                        BodyShare share) {
  return std::make_shared<OneAnswer>(server, std::move(answer), std::move(request),
                                     std::move(share));
}

}  // namespace parley::http
