// Where a conversation with the demo stands. Internal to model/.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "../../wire/json/json.hpp"

namespace parley::model {

/// A tool that was called since the last prompt, with what came back.
struct DemoStep {
  std::string tool;
  Json input;
  std::string result;  ///< Its text.
  bool failed = false;
  bool has_image = false;
};

struct DemoSituation {
  std::string prompt;               ///< What the user said last, without what clients add to it.
  std::vector<std::string> images;  ///< Media types of the images in it.
  std::vector<DemoStep> steps;
  std::vector<std::string> tools;  ///< The names of those on offer.
  std::string folder;              ///< Where the agent works, if the system prompt says so.
  std::size_t messages = 0;

  [[nodiscard]] bool offers(std::string_view tool) const;
  /// The name of a file in the folder.
  [[nodiscard]] std::string path(std::string_view name) const;
  /// Whether the prompt has the word, without regard to case.
  [[nodiscard]] bool says(std::string_view word) const;
  [[nodiscard]] bool says_any(std::initializer_list<std::string_view> some) const;
  /// The words of the prompt, without punctuation around them.
  [[nodiscard]] std::vector<std::string> words() const;
};

[[nodiscard]] DemoSituation read_situation(const Json& request);

}  // namespace parley::model
