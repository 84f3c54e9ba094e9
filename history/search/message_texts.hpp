// Takes the readable texts out of a line of a transcript, one by one.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "search.hpp"

namespace parley::history {

struct LineTexts {
  std::string uuid, timestamp;
  struct Text {
    TextKind kind;
    std::string tool;     ///< Name of the tool called.
    std::string call_id;  ///< Of a call or a result.
    std::string text;
  };
  std::vector<Text> texts;
};

/// False if the line is not one JSON object. Lines that hold nothing readable give no texts.
[[nodiscard]] bool read_texts(std::string_view line, LineTexts& out);

}  // namespace parley::history
