#include "model/demo/situation.hpp"

#include <algorithm>

#include "http/message.hpp"
#include "support/text/text.hpp"

namespace parley::model {
namespace {

/// Clients hide remarks to the model in the user's messages.
std::string without_reminders(std::string_view text) {
  constexpr std::string_view kOpen = "<system-reminder>";
  constexpr std::string_view kClose = "</system-reminder>";
  std::string out;
  for (;;) {
    const auto open = text.find(kOpen);
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto close = text.find(kClose, open);
    if (close == std::string_view::npos) break;
    text.remove_prefix(close + kClose.size());
  }
  return std::string(trimmed(out));
}

/// The text of a content, which is a string or a list of blocks.
std::string text_of(const Json& content) {
  if (content.is_string()) return without_reminders(content.as_string());
  std::string all;
  for (const Json& block : content.items()) {
    if (block["type"].as_string() != "text") continue;
    const std::string text = without_reminders(block["text"].as_string());
    if (!all.empty() && !text.empty()) all += '\n';
    all += text;
  }
  return all;
}

bool has_block(const Json& content, std::string_view type) {
  return std::any_of(content.items().begin(), content.items().end(),
                     [&](const Json& block) { return block["type"].as_string() == type; });
}

bool is_prompt(const Json& message) {
  const Json& content = message["content"];
  if (message["role"].as_string() != "user" || has_block(content, "tool_result")) return false;
  return !text_of(content).empty() || has_block(content, "image");
}

void add_step(DemoSituation& situation, const Json& result, const Json::Array& messages) {
  DemoStep step;
  for (const Json& message : messages) {
    for (const Json& block : message["content"].items()) {
      if (block["type"].as_string() != "tool_use" || !(block["id"] == result["tool_use_id"])) {
        continue;
      }
      step.tool = block["name"].as_string();
      step.input = block["input"];
    }
  }
  step.result = text_of(result["content"]);
  step.failed = result["is_error"].as_bool();
  step.has_image = has_block(result["content"], "image");
  situation.steps.push_back(std::move(step));
}

/// The working folder as agents tell it to the model.
std::string folder_in(const Json& content) {
  constexpr std::string_view kMark = "orking directory: ";
  const std::string text = text_of(content);
  const auto at = text.find(kMark);
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(text).substr(at + kMark.size());
  const std::string_view folder = rest.substr(0, rest.find('\n'));
  return folder.starts_with('/') ? std::string(folder) : std::string();
}

/// They do so in the system prompt, or in a message that belongs to nobody else.
std::string folder_of(const Json& request) {
  std::string folder = folder_in(request["system"]);
  for (const Json& message : request["messages"].items()) {
    if (folder.empty() && message["role"].as_string() == "system") {
      folder = folder_in(message["content"]);
    }
  }
  return folder;
}

}  // namespace

DemoSituation read_situation(const Json& request) {
  DemoSituation situation;
  for (const Json& tool : request["tools"].items()) {
    situation.tools.emplace_back(tool["name"].as_string());
  }
  situation.folder = folder_of(request);
  const auto& messages = request["messages"].items();
  situation.messages = messages.size();
  const auto prompt = std::find_if(messages.rbegin(), messages.rend(), is_prompt);
  if (prompt == messages.rend()) return situation;
  situation.prompt = text_of((*prompt)["content"]);
  for (const Json& block : (*prompt)["content"].items()) {
    if (block["type"].as_string() == "image") {
      situation.images.emplace_back(block["source"]["media_type"].as_string("unknown"));
    }
  }
  for (auto message = prompt.base(); message != messages.end(); ++message) {
    for (const Json& block : (*message)["content"].items()) {
      if (block["type"].as_string() == "tool_result") add_step(situation, block, messages);
    }
  }
  return situation;
}

bool DemoSituation::offers(std::string_view tool) const {
  return std::find(tools.begin(), tools.end(), tool) != tools.end();
}

std::string DemoSituation::path(std::string_view name) const {
  if (name.starts_with('/') || folder.empty()) return std::string(name);
  return folder + "/" + std::string(name);
}

std::vector<std::string> DemoSituation::words() const {
  constexpr std::string_view kBlanks = " \t\r\n";
  constexpr std::string_view kAround = ".,:;!?\"'`()";
  std::vector<std::string> all;
  std::string_view rest = prompt;
  while (!rest.empty()) {
    std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    while (!word.empty() && kAround.find(word.back()) != std::string_view::npos) {
      word.remove_suffix(1);
    }
    while (!word.empty() && kAround.substr(1).find(word.front()) != std::string_view::npos) {
      word.remove_prefix(1);
    }
    if (!word.empty()) all.emplace_back(word);
  }
  return all;
}

bool DemoSituation::says(std::string_view word) const {
  const auto all = words();
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& w) { return same_ignoring_case(w, word); });
}

bool DemoSituation::says_any(std::initializer_list<std::string_view> some) const {
  return std::any_of(some.begin(), some.end(), [&](std::string_view word) { return says(word); });
}

}  // namespace parley::model
