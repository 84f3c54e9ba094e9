#include "agent/agents/subagent_messages.hpp"

#include <algorithm>
#include <filesystem>

#include "agent/connection/message_parts.hpp"
#include "support/random.hpp"
#include "support/time.hpp"

namespace parley::agent {
namespace {

/// An agent whose call is shown late does not wait for ever.
constexpr std::chrono::seconds kLongestSilence{5};

/// A call in a few words: "Reading a.txt", "Running the tests".
std::string activity(const std::string& tool, const RawJson& input) {
  const auto json = input.json();
  const auto member = [&](const char* name) {
    return json ? std::string((*json)[name].as_string()) : std::string();
  };
  const auto file = [&](const char* name) {
    return std::filesystem::path(member(name)).filename().string();
  };
  if (tool == "Read") return "Reading " + file("file_path");
  if (tool == "Write") return "Writing " + file("file_path");
  if (tool == "Edit" || tool == "MultiEdit") return "Editing " + file("file_path");
  if (tool == "Bash") {
    const std::string words = member("description");
    return "Running " + (words.empty() ? member("command") : words);
  }
  if (tool == "Glob" || tool == "Grep") return "Searching for " + member("pattern");
  const std::string words = member("description");
  return words.empty() ? "Using " + tool : words;
}

const std::vector<ContentBlock>* blocks_of(const Content& content) {
  return std::get_if<std::vector<ContentBlock>>(&content);
}

bool has_result(const UserMessage& message) {
  const auto* blocks = blocks_of(message.message.content);
  return blocks != nullptr && std::any_of(blocks->begin(), blocks->end(), [](const auto& block) {
           return std::holds_alternative<ToolResultBlock>(block);
         });
}

}  // namespace

void SubagentMessages::begin(std::string run_id, std::string tool_use_id) {
  const std::lock_guard lock(mutex_);
  run_id_ = std::move(run_id);
  tool_use_id_ = std::move(tool_use_id);
  started_ = std::chrono::steady_clock::now();
  work_ = {};
}

SubagentWork SubagentMessages::work() const {
  const std::lock_guard lock(mutex_);
  return work_;
}

void SubagentMessages::let_speak() {
  const std::lock_guard lock(mutex_);
  speaks_ = true;
  may_speak_.notify_all();
}

void SubagentMessages::mute() {
  muted_ = true;
  let_speak();
}

void SubagentMessages::wait_for_leave() {
  std::unique_lock lock(mutex_);
  if (!speaks_ && first_words_) {
    const std::function<void()> tell = std::exchange(first_words_, {});
    lock.unlock();
    tell();
    lock.lock();
  }
  may_speak_.wait_for(lock, kLongestSilence, [this] { return speaks_; });
  speaks_ = true;
}

void SubagentMessages::send(Message message) {
  wait_for_leave();
  if (auto* answer = std::get_if<AssistantMessage>(&message)) return show(std::move(*answer));
  if (auto* user = std::get_if<UserMessage>(&message)) return show(std::move(*user));
  if (muted_) return;
  if (auto* denied = std::get_if<PermissionDenied>(&message)) {
    denied->agent_id = setup_.identity.id;
    client_.send(std::move(*denied));
  } else if (auto* progress = std::get_if<ToolProgress>(&message)) {
    client_.send(std::move(*progress));
  } else if (auto* status = std::get_if<SystemStatus>(&message); status && status->permissionMode) {
    client_.send(std::move(*status));
  }
}

template <class T>
void SubagentMessages::send_on(T message) {
  message.extra.erase("parent_tool_use_id");
  message.parent_tool_use_id = setup_.identity.tool_use_id;
  message.agent_id = setup_.identity.id;
  message.subagent_type = setup_.identity.kind.name;
  message.task_description = setup_.identity.description;
  client_.send(std::move(message));
}

/// Of an agent below an agent that somebody waits for, the client sees nothing unless it wants to.
bool SubagentMessages::shows_actions() const {
  return background_ || setup_.shows_text || setup_.identity.depth == 1;
}

void SubagentMessages::show(AssistantMessage message) {
  bool acts = false;
  for (const ContentBlock& block : message.message.content) {
    if (const auto* call = std::get_if<ToolUseBlock>(&block)) {
      acts = true;
      note_call(*call);
    } else if (const auto* text = std::get_if<TextBlock>(&block); text && !text->text.empty()) {
      const std::lock_guard lock(mutex_);
      work_.last_words = text->text;
    }
  }
  if (message.message.usage) {
    const Usage& usage = *message.message.usage;
    const std::lock_guard lock(mutex_);
    work_.tokens = usage.input_tokens.value_or(0) + usage.output_tokens.value_or(0) +
                   usage.cache_creation_input_tokens.value_or(0) +
                   usage.cache_read_input_tokens.value_or(0);
  }
  // What a stop cut off is not worth showing.
  if (message.aborted.value_or(false)) return;
  if (muted_ || !(acts ? shows_actions() : shows_words())) return;
  send_on(std::move(message));
}

void SubagentMessages::show(UserMessage message) {
  const bool result = has_result(message);
  if (muted_ || !(result ? shows_actions() : background_.load())) return;
  message.isSynthetic.reset();
  // A display of the whole has no use for the details of what went well.
  const auto details = message.tool_use_result.value_or(RawJson()).json();
  if (!details || !details->is_string()) message.tool_use_result.reset();
  send_on(std::move(message));
}

void SubagentMessages::show_prompt(const std::string& prompt) {
  if (!shows_actions()) return;
  UserMessage message;
  message.uuid = make_uuid();
  message.timestamp = timestamp();
  message.message.role = "user";
  message.message.content = std::vector<ContentBlock>{TextBlock{prompt, {}, {}, {}}};
  send_on(std::move(message));
}

void SubagentMessages::note_call(const ToolUseBlock& call) {
  const std::string name = setup_.tool_name(call.name);
  TaskProgress progress;
  {
    const std::lock_guard lock(mutex_);
    ++work_.tool_uses;
    const auto used = std::find_if(work_.tools.begin(), work_.tools.end(),
                                   [&](const auto& one) { return one.tool == name; });
    if (used == work_.tools.end()) {
      work_.tools.push_back({name});
    } else {
      ++used->times;
    }
    progress.run_id = run_id_;
    progress.tool_use_id = tool_use_id_;
    TaskUsage usage;
    usage.total_tokens = work_.tokens;
    usage.tool_uses = work_.tool_uses;
    usage.duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                            std::chrono::steady_clock::now() - started_)
                            .count();
    progress.usage = usage;
  }
  if (muted_) return;
  progress.task_id = setup_.identity.id;
  progress.description = activity(name, call.input);
  progress.subagent_type = setup_.identity.kind.name;
  progress.last_tool_name = call.name;
  client_.send(std::move(progress));
}

}  // namespace parley::agent
