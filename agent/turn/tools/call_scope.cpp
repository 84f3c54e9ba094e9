#include "agent/turn/tools/call_scope.hpp"

namespace parley::agent {

void CallNotes::interrupted() {
  summary_.change([](Summary& summary) { summary.interrupted = true; });
}

void CallNotes::stopped_by_hook() {
  summary_.change([](Summary& summary) { summary.stopped_by_hook = true; });
}

void CallNotes::denied(const ToolUseBlock& call, const RawJson& input) {
  summary_.change([&](Summary& summary) {
    summary.denials.push_back({call.name, call.id, input, {}});
  });
}

void CallNotes::add_context(std::string context) {
  summary_.change([&](Summary& summary) { summary.contexts.push_back(std::move(context)); });
}

void CallNotes::structured_output(RawJson input) {
  summary_.change([&](Summary& summary) { summary.structured_output = std::move(input); });
}

}  // namespace parley::agent
