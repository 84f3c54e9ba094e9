// A root with transcripts in a folder of its own, gone after the test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "history/listing/roots.hpp"
#include "support/files/io.hpp"
#include "support/files/temporary.hpp"
#include "wire/json/json.hpp"

namespace parley::history {

inline constexpr const char* kProject = "-work";
inline constexpr const char* kSession = "11111111-1111-4111-8111-111111111111";

class TreeTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = base_ / "root";
    std::filesystem::create_directories(root_ / "projects" / kProject);
  }
  void TearDown() override {
    std::filesystem::permissions(base_, std::filesystem::perms::owner_all);
  }

  [[nodiscard]] std::filesystem::path project() const { return root_ / "projects" / kProject; }
  [[nodiscard]] Scope scope() const { return {{root_.string()}}; }
  [[nodiscard]] SessionPlace place(const std::string& id = kSession) const {
    return {root_.string(), kProject, id};
  }
  [[nodiscard]] std::filesystem::path transcript(const std::string& id = kSession) const {
    return project() / (id + ".jsonl");
  }
  void write(const std::filesystem::path& path, const std::string& text) const {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  [[nodiscard]] static std::string read(const std::filesystem::path& path) {
    return read_file(path).value_or("");
  }

  TemporaryFolder temporary_ = TemporaryFolder::make("history-").value();
  std::filesystem::path base_ = temporary_.path(), root_;
};

/// A line of a conversation; `parent` empty for none.
inline std::string line(const std::string& type, const std::string& uuid, const std::string& parent,
                        const Json& content, const std::vector<Json::Member>& more = {}) {
  Json message = Json::object({{"role", type}, {"content", content}});
  if (type == "assistant") {
    message.set("id", "msg_" + uuid);
    message.set("model", "claude-sonnet-4-5");
    message.set("usage", Json::object({{"input_tokens", 10}, {"output_tokens", 20}}));
  }
  Json entry = Json::object({{"parentUuid", parent.empty() ? Json() : Json(parent)},
                             {"isSidechain", false},
                             {"type", type},
                             {"message", message},
                             {"uuid", uuid},
                             {"timestamp", "2026-11-15T10:00:00.000Z"},
                             {"cwd", "/work"},
                             {"sessionId", kSession},
                             {"gitBranch", "main"}});
  if (type == "assistant") entry.set("requestId", "req_" + uuid);
  for (const auto& [key, value] : more) {
    if (key == "message.id") {
      entry.find("message")->set("id", value);
    } else {
      entry.set(key, value);
    }
  }
  return entry.dump() + "\n";
}

inline Json tool_use(const std::string& id, const std::string& name, const Json& input) {
  return Json::object({{"type", "tool_use"}, {"id", id}, {"name", name}, {"input", input}});
}
inline Json tool_result(const std::string& id, const std::string& text) {
  return Json::object({{"type", "tool_result"}, {"tool_use_id", id}, {"content", text}});
}

}  // namespace parley::history
