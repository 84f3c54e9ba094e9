#include "traffic.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string_view>
#include <vector>

#include "wire/json/writer.hpp"

namespace parley::bench {

namespace {

/// Prose, code, paths, quotes, line breaks and a little that is not ASCII.
constexpr std::array<std::string_view, 56> kWords = {"the",
                                                     "session",
                                                     "reads",
                                                     "a",
                                                     "line",
                                                     "from",
                                                     "its",
                                                     "pipe",
                                                     "and",
                                                     "hands",
                                                     "each",
                                                     "message",
                                                     "to",
                                                     "whoever",
                                                     "asked",
                                                     "for",
                                                     "it",
                                                     "while",
                                                     "tools",
                                                     "run",
                                                     "in",
                                                     "their",
                                                     "own",
                                                     "threads",
                                                     "auto",
                                                     "const",
                                                     "std::string_view",
                                                     "for",
                                                     "(int",
                                                     "i",
                                                     "=",
                                                     "0;",
                                                     "i",
                                                     "<",
                                                     "n;",
                                                     "++i)",
                                                     "{",
                                                     "total",
                                                     "+=",
                                                     "values[i];",
                                                     "}",
                                                     "return",
                                                     "\"quoted\"",
                                                     "'x'",
                                                     "src/client/session.cpp",
                                                     "C:\\temp",
                                                     "\n",
                                                     "\t",
                                                     "\xE2\x86\x92",
                                                     "d\xC3\xA9j\xC3\xA0",
                                                     "\xE6\x9D\xB1\xE4\xBA\xAC",
                                                     "\xE6\xBC\xA2\xE5\xAD\x97",
                                                     "\xF0\x9F\x9A\x80",
                                                     "warning:",
                                                     "unused",
                                                     "variable"};

class Traffic {
 public:
  Traffic() : session_(uuid()) {}

  std::string text_delta() { return delta("text_delta", "text", words(1 + below(5))); }
  std::string input_delta() {
    return delta("input_json_delta", "partial_json", quoted(words(1 + below(4))).substr(1));
  }
  std::string thinking_delta() { return delta("thinking_delta", "thinking", words(2 + below(6))); }
  std::string block_start() {
    return stream_event(R"({"type":"content_block_start","index":)" + number(3) +
                        R"(,"content_block":{"type":"text","text":""}})");
  }
  std::string block_stop() {
    return stream_event(R"({"type":"content_block_stop","index":)" + number(3) + "}");
  }

  std::string assistant_text() {
    return assistant(R"({"type":"text","text":)" + quoted(words(30 + below(200))) + "}", "null",
                     R"(,"context_management":null)") +
           R"(,"timestamp":"2026-11-15T08:14:54.878Z"})";
  }
  std::string assistant_edit() {
    return assistant(R"({"type":"tool_use","id":)" + tool_id() +
                         R"(,"name":"Edit","input":{"file_path":)" + path() + R"(,"old_string":)" +
                         quoted(code(3 + below(12))) + R"(,"new_string":)" +
                         quoted(code(3 + below(14))) + R"(,"replace_all":false}})",
                     R"("tool_use")", "") +
           "}";
  }
  std::string tool_result() {
    const std::string content = quoted(code(20 + below(300)));
    return R"({"type":"user","message":{"role":"user","content":[{"tool_use_id":)" + tool_id() +
           R"(,"type":"tool_result","content":)" + content + R"(,"is_error":false}]})" +
           R"(,"parent_tool_use_id":null,"session_id":)" + quoted(session_) + R"(,"uuid":)" +
           quoted(uuid()) + R"(,"tool_use_result":{"type":"text","file":{"filePath":)" + path() +
           R"(,"content":)" + content + R"(,"numLines":300,"startLine":1,"totalLines":1200}}})";
  }
  std::string permission_request() {
    return R"({"type":"control_request","request_id":)" + quoted(uuid()) +
           R"(,"request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":)" +
           quoted(words(6 + below(14))) + R"(,"description":)" + quoted(words(6)) +
           R"(},"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash",)" +
           R"("ruleContent":)" + quoted(words(2)) +
           R"(}],"behavior":"allow","destination":"localSettings"}],"tool_use_id":)" + tool_id() +
           "}}";
  }
  std::string result() {
    return R"({"duration_api_ms":)" + number(9999) + R"(,"stop_reason":"end_turn","session_id":)" +
           quoted(session_) + R"(,"total_cost_usd":)" + fraction() + R"(,"usage":)" + usage() +
           R"(,"modelUsage":{"claude-opus-5-5":{"inputTokens":10,"outputTokens":20,)" +
           R"("cacheReadInputTokens":0,"costUSD":)" + fraction() +
           R"(,"contextWindow":1000000}},"permission_denials":[],"is_error":false,"num_turns":)" +
           number(30) + R"(,"subtype":"success","result":)" + quoted(words(60 + below(100))) +
           R"(,"type":"result","duration_ms":)" + number(99999) + R"(,"uuid":)" + quoted(uuid()) +
           "}";
  }

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

 private:
  static std::string quoted(std::string_view text) {
    std::string out;
    detail::write_string(text, out);
    return out;
  }
  std::string number(std::size_t limit) { return std::to_string(below(limit)); }
  std::string fraction() {
    std::string out;
    detail::write_number(static_cast<double>(random_() >> 11) * 0x1p-53, out);
    return out;
  }
  std::string hex(std::size_t digits) {
    std::string out(digits, '0');
    for (char& c : out) c = "0123456789abcdef"[below(16)];
    return out;
  }
  std::string uuid() {
    return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12);
  }
  std::string tool_id() { return "\"toolu_" + hex(24) + "\""; }
  std::string path() { return "\"/w/src/" + hex(6) + ".cpp\""; }
  std::string words(std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out += ' ';
      out += kWords[below(kWords.size())];
    }
    return out;
  }
  /// As a tool shows a file: numbered lines.
  std::string code(std::size_t lines) {
    std::string out;
    for (std::size_t i = 1; i <= lines; ++i) {
      char label[32];
      std::snprintf(label, sizeof label, "%s%6zu\t  ", i > 1 ? "\n" : "", i);
      out += label + words(4 + below(8));
    }
    return out;
  }
  std::string usage() {
    return R"({"input_tokens":)" + number(5000) + R"(,"cache_creation_input_tokens":)" +
           number(9000) + R"(,"cache_read_input_tokens":)" + number(90000) +
           R"(,"output_tokens":)" + number(900) +
           R"(,"service_tier":"standard","cache_creation":{"ephemeral_1h_input_tokens":0,)" +
           R"("ephemeral_5m_input_tokens":)" + number(9000) + "}}";
  }
  std::string stream_event(const std::string& event) {
    return R"({"type":"stream_event","event":)" + event + R"(,"session_id":)" + quoted(session_) +
           R"(,"parent_tool_use_id":null,"uuid":)" + quoted(uuid()) + "}";
  }
  std::string delta(std::string_view type, std::string_view member, const std::string& text) {
    std::string event = R"({"type":"content_block_delta","index":)" + number(3) + R"(,"delta":)";
    event.append(R"({"type":")").append(type).append(R"(",")").append(member).append(R"(":)");
    return stream_event(event + quoted(text) + "}}");
  }
  /// Without the closing brace: callers may have more to add.
  std::string assistant(const std::string& block, const std::string& stop_reason,
                        const std::string& rest) {
    return R"({"type":"assistant","message":{"id":"msg_)" + hex(24) +
           R"(","type":"message","role":"assistant","model":"claude-opus-5-5","content":[)" +
           block + R"(],"stop_reason":)" + stop_reason + R"(,"stop_sequence":null,"usage":)" +
           usage() + rest + R"(},"parent_tool_use_id":null,"session_id":)" + quoted(session_) +
           R"(,"uuid":)" + quoted(uuid());
  }

  std::mt19937_64 random_{12345};
  std::string session_;
};

struct Share {
  std::size_t weight;
  std::string (Traffic::*make)();
};

std::string generate(std::size_t bytes, const std::vector<Share>& shares) {
  std::size_t total = 0;
  for (const Share& share : shares) total += share.weight;
  Traffic traffic;
  std::string out;
  out.reserve(bytes + 100'000);
  while (out.size() < bytes) {
    std::size_t left = traffic.below(total);
    for (const Share& share : shares) {
      if (left < share.weight) {
        out += (traffic.*share.make)();
        out += '\n';
        break;
      }
      left -= share.weight;
    }
  }
  return out;
}

}  // namespace

std::string small_deltas(std::size_t bytes) {
  return generate(
      bytes,
      {{600, &Traffic::text_delta}, {250, &Traffic::input_delta}, {150, &Traffic::thinking_delta}});
}

std::string session_mix(std::size_t bytes) {
  return generate(bytes, {{460, &Traffic::text_delta},
                          {220, &Traffic::input_delta},
                          {140, &Traffic::thinking_delta},
                          {20, &Traffic::block_start},
                          {20, &Traffic::block_stop},
                          {30, &Traffic::assistant_text},
                          {30, &Traffic::assistant_edit},
                          {60, &Traffic::tool_result},
                          {15, &Traffic::permission_request},
                          {5, &Traffic::result}});
}

}  // namespace parley::bench
