// What a session keeps of requests that are over: nothing.
#include <atomic>
#include <cstdlib>
#include <future>
#include <new>

#include "client/handlers/tools.hpp"
#include "support.hpp"

namespace {

/// Blocks that were allocated and not freed yet, in the whole program.
std::atomic<long> live{0};

void* counted(std::size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  ++live;
  return block;
}

void uncounted(void* block) {
  if (block == nullptr) return;
  --live;
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void operator delete(void* block) noexcept { uncounted(block); }
void operator delete(void* block, std::size_t) noexcept { uncounted(block); }

namespace parley::testing {
namespace {

std::string calls(int count, const std::string& prefix) {
  return "flood " + std::to_string(count) + R"( {"type":"control_request","request_id":")" +
         prefix +
         R"($N","request":{"subtype":"mcp_message","server_name":"calc","message":)"
         R"({"jsonrpc":"2.0","id":")" +
         prefix + R"($N","method":"tools/call","params":{"name":"wait","arguments":{}}}}})" + "\n";
}

TEST(Memory, RefusedToolCallsLeaveNothingBehind) {
  std::promise<void> go;
  const std::shared_future<void> released = go.get_future().share();
  McpServer server("calc");
  server.add(raw_tool("wait", "Waits.", RawJson(R"({"type":"object"})"),
                      [released](const RawJson&, ToolContext&) -> Result<ToolOutput> {
                        released.wait();
                        return ToolOutput("done");
                      }));
  // One call runs and 1024 wait; the rest is refused. All have been answered when their last
  // refusal has been read.
  const auto refused = [](const std::string& prefix) {
    return calls(5000, prefix) + "expect " + prefix + "4999\n";
  };
  const std::string told = R"(out {"type":"prompt_suggestion","suggestion":"s"})"
                           "\n";
  Options options = fake("init\n" + calls(1100, "w") + refused("a") + told + "expect go\n" +
                         refused("b") + told + "eof");
  options.limits.handlers = 1;
  options.tools.in_process.push_back(server);
  Session session(std::move(options));
  ASSERT_TRUE(session.connect());
  ASSERT_TRUE(session.receive(kPatience));
  const long before = live;
  ASSERT_TRUE(session.send("go"));
  ASSERT_TRUE(session.receive(kPatience));
  EXPECT_LT(live - before, 1000);
  go.set_value();
}

}  // namespace
}  // namespace parley::testing
