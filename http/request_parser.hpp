// Requests from bytes, without I/O: any split of the same bytes gives the same requests. Internal
// to http/.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "message.hpp"

namespace parley::http {

class RequestParser {
 public:
  enum class State {
    idle,     ///< Between requests, not a byte of the next one.
    header,   ///< Within the header.
    head,     ///< The header is complete: head() shows it, proceed() or refuse() goes on.
    body,     ///< Within the body.
    done,     ///< take() gives the request.
    refused,  ///< What came is no acceptable request; nothing more is read.
  };

  /// The most bytes of a header and of a body.
  RequestParser(std::size_t header_limit, std::size_t body_limit);
  ~RequestParser();
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  /// Takes more bytes. Beyond a complete request they are kept for the next.
  State push(std::string_view bytes);
  [[nodiscard]] State state() const { return state_; }
  /// In `head`: the request without its body.
  [[nodiscard]] Request& head() { return request_; }
  /// In `head`: the bytes of the body, as far as the header says.
  [[nodiscard]] std::size_t announced() const;
  /// In `head`: goes on with the body.
  State proceed();
  /// The complete request; goes on with the bytes behind it.
  Request take();
  /// Lets go of everything; nothing more is read.
  void refuse(int status);
  /// In `refused`: the status that says why.
  [[nodiscard]] int refusal() const { return refusal_; }
  /// In `body`: the client waits for "100 Continue" before it sends the body.
  [[nodiscard]] bool wants_continue() const;
  /// Bytes of the body that are there.
  [[nodiscard]] std::size_t body_size() const;
  /// Bytes that are held beyond what was understood.
  [[nodiscard]] std::size_t buffered() const { return input_.size(); }

 private:
  struct Parser;

  void parse();
  void parse_header();
  void parse_body();
  void begin();
  void check_header();

  const std::size_t header_limit_, body_limit_;
  std::unique_ptr<Parser> parser_;  ///< The library's; for the current request.
  std::string input_;
  std::size_t searched_ = 0;  ///< How far there is no end of a header in it.
  Request request_;
  State state_ = State::idle;
  int refusal_ = 0;
};

}  // namespace parley::http
