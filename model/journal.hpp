// What a model was asked: one JSON object per request, for assertions.
#pragma once

#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>

#include "../http/message.hpp"
#include "../wire/error.hpp"
#include "../wire/json/json.hpp"

namespace parley::model {

/// May be used by several threads. Keeps the latest requests in memory, and all in a file if there
/// is one.
class Journal {
 public:
  /// From now on each line also goes to the file, which is emptied first.
  Result<void> open(const std::filesystem::path& file);

  /// `turn` says what was answered; empty for anything that is no question to the model.
  /// Keys and tokens among the headers are cut: enough to tell them apart, not to use them.
  void add(const http::Request& request, const Json& body, const std::string& turn);

  /// The lines in memory, oldest first.
  [[nodiscard]] std::string lines() const;

 private:
  mutable std::mutex mutex_;
  std::ofstream file_;
  std::deque<std::string> lines_;
  std::size_t bytes_ = 0;
};

}  // namespace parley::model
