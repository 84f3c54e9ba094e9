// One question, one answer: a range of messages.
//
//   for (const parley::Message& message : parley::query("What is 2 + 2?")) { ... }
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "session.hpp"

namespace parley {

/// The messages of one turn, read as they come. Input iterator range, to be walked once. The CLI
/// ends with the object. The last message is the ResultMessage.
///
/// Failures are exceptions here (errors.hpp): ConnectionError and CliNotFound before the first
/// message, ProcessError if the CLI dies, ResultError after the result if the turn failed. Who
/// wants Results uses next().
class Query {
 public:
  class Iterator {
   public:
    using value_type = Message;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    Iterator() = default;
    explicit Iterator(Query* query) : query_(query) { ++*this; }
    const Message& operator*() const { return *query_->current_; }
    const Message* operator->() const { return &*query_->current_; }
    Iterator& operator++() {
      if (!query_->advance()) query_ = nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& a, std::default_sentinel_t) {
      return a.query_ == nullptr;
    }

   private:
    Query* query_ = nullptr;
  };

  Query(Prompt prompt, Options options);
  ~Query();
  Query(Query&&) noexcept;
  Query& operator=(Query&&) noexcept;

  Iterator begin() { return Iterator(this); }
  [[nodiscard]] std::default_sentinel_t end() const { return std::default_sentinel; }

  /// The next message; nothing after the result. Without exceptions.
  Result<std::optional<Message>> next();
  /// Reads to the end: the text of the answer. Throws as above.
  std::string text();

  /// The session behind, e.g. to interrupt it from another thread.
  Session& session() { return session_; }

 private:
  /// next(), with exceptions. False at the end.
  bool advance();

  Session session_;
  std::optional<Prompt> prompt_;  ///< Until it is sent.
  std::optional<Message> current_;
  bool over_ = false;
};

/// Starts the CLI with the first message that is asked for.
[[nodiscard]] Query query(Prompt prompt, Options options);
[[nodiscard]] Query query(Prompt prompt);

}  // namespace parley
