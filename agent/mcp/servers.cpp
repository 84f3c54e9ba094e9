#include "agent/mcp/servers.hpp"

#include <algorithm>
#include <latch>
#include <map>

#include "support/text/javascript_text.hpp"
#include "wire/mcp/names.hpp"

namespace parley::agent {
namespace {

/// What a server may say about its use, in characters.
constexpr std::size_t kLongestInstructions = 2048;

bool is_same(const McpServerEntry& one, const McpServerEntry& other) {
  return one.name == other.name && one.scope == other.scope && one.config == other.config;
}

}  // namespace

void McpServers::add(const Server& server) {
  Server replaced;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    const auto same = std::find_if(servers_.begin(), servers_.end(), [&](const Server& other) {
      return other->entry().name == server->entry().name;
    });
    if (same == servers_.end()) {
      servers_.push_back(server);
    } else {
      replaced = std::exchange(*same, server);
    }
  }
  if (replaced) replaced->close();
}

void McpServers::connect_in_background(const Server& server, const McpConnectOptions& options) {
  const auto count = [this](int change) {
    const std::lock_guard lock(mutex_);
    connecting_ += change;
    changed_.notify_all();
  };
  count(1);
  const bool runs = threads_.run([=](const std::stop_token& stop) {
    McpConnectOptions with_stop = options;
    with_stop.stop = stop;
    (void)!server->connect(with_stop);
    // Whoever waits for the first message waits no longer, sent or not.
    if (options.on_sent) options.on_sent();
    count(-1);
  });
  if (runs) return;
  if (options.on_sent) options.on_sent();
  count(-1);
}

void McpServers::start(McpEntries entries) {
  {
    const std::lock_guard lock(mutex_);
    problems_ = std::move(entries.problems);
  }
  for (McpServerEntry& entry : entries.servers) {
    auto server = std::make_shared<McpServer>(std::move(entry), settings_, host_);
    add(server);
    if (!server->entry().lives_in_client()) connect_in_background(server, {});
  }
}

void McpServers::start_waiting() {
  for (const Server& server : all()) {
    if (server->entry().lives_in_client() && server->begin()) connect_in_background(server, {});
  }
}

void McpServers::start_in_client(const std::vector<McpServerEntry>& entries,
                                 std::shared_future<void> go_on) {
  std::vector<Server> begun;
  for (const McpServerEntry& entry : entries) {
    const Server known = find(entry.name);
    if (known && is_same(known->entry(), entry)) continue;
    add(std::make_shared<McpServer>(entry, settings_, host_));
  }
  for (const Server& server : all()) {
    if (server->entry().lives_in_client() && server->begin()) begun.push_back(server);
  }
  const auto sent = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(begun.size()));
  for (const Server& server : begun) {
    const auto told = std::make_shared<std::once_flag>();
    McpConnectOptions options;
    options.go_on = go_on;
    options.on_sent = [sent, told] { std::call_once(*told, [&] { sent->count_down(); }); };
    connect_in_background(server, options);
  }
  sent->wait();
}

std::vector<InitMcpServerError> McpServers::problems() const {
  const std::lock_guard lock(mutex_);
  return problems_;
}

void McpServers::wait_until_settled(const std::stop_token& stop) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [this] { return connecting_ == 0; });
  lock.unlock();
  // A turn begins with the tools that its server had told of before the prompt came.
  for (const Server& server : all()) server->wait_for_refresh(stop);
}

std::vector<McpServers::Server> McpServers::all() const {
  const std::lock_guard lock(mutex_);
  return servers_;
}

McpServers::Server McpServers::find(const std::string& name) const {
  for (const Server& server : all()) {
    if (server->entry().name == name) return server;
  }
  return nullptr;
}

std::optional<McpServers::ToolAddress> McpServers::address_of(std::string_view tool_name) const {
  for (const Server& server : all()) {
    const auto tool = mcp_tool_of(tool_name, server->entry().name);
    if (!tool || tool->empty()) continue;
    const auto list = server->view().list;
    for (const SharedTool& offered : list->tools) {
      if (offered->name() == tool_name) return ToolAddress{server, offered->origin()->tool};
    }
    return ToolAddress{server, std::string(*tool)};
  }
  return std::nullopt;
}

std::vector<SharedTool> McpServers::tools() const {
  // Names of different servers may come out equal; the first one has it.
  std::map<std::string_view, SharedTool> by_name;
  for (const Server& server : all()) {
    const auto list = server->view().list;
    for (const SharedTool& tool : list->tools) by_name.emplace(tool->name(), tool);
  }
  std::vector<SharedTool> sorted;
  for (auto& [name, tool] : by_name) sorted.push_back(std::move(tool));
  return sorted;
}

std::size_t McpServers::description_length() const {
  std::size_t sum = 0;
  for (const Server& server : all()) sum += server->view().list->description_length;
  return sum;
}

SharedTool McpServers::tool(std::string_view name) const {
  for (const Server& server : all()) {
    const auto list = server->view().list;
    for (const SharedTool& tool : list->tools) {
      if (tool->name() == name) return tool;
    }
  }
  return nullptr;
}

std::string McpServers::instructions() const {
  std::string text;
  for (const Server& server : all()) {
    const McpServerView view = server->view();
    if (view.instructions.empty()) continue;
    text += "\n## " + server->entry().name + "\n";
    text += first_units(view.instructions, kLongestInstructions);
    text += "\n";
  }
  return text;
}

bool McpServers::any_resources() const {
  bool any = false;
  for (const Server& server : all()) any = any || server->view().has_resources;
  const std::lock_guard lock(mutex_);
  had_resources_ = had_resources_ || any;
  return had_resources_;
}

McpServers::Server McpServers::take(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(servers_.begin(), servers_.end(), [&](const Server& server) {
    return server->entry().name == name;
  });
  if (found == servers_.end()) return nullptr;
  Server server = *found;
  servers_.erase(found);
  return server;
}

control::McpSetServersReply McpServers::set_servers(const std::vector<McpServerEntry>& wanted,
                                                    Map<std::string> errors,
                                                    const std::stop_token& stop) {
  control::McpSetServersReply reply;
  reply.added.emplace();
  reply.removed.emplace();
  reply.errors = std::move(errors);
  std::vector<std::string> before;
  {
    const std::lock_guard lock(mutex_);
    before = set_by_client_;
    set_by_client_.clear();
    for (const McpServerEntry& entry : wanted) set_by_client_.push_back(entry.name);
  }
  for (const std::string& name : before) {
    const auto same = std::find_if(wanted.begin(), wanted.end(),
                                   [&](const McpServerEntry& entry) { return entry.name == name; });
    const Server known = find(name);
    if (!known || (same != wanted.end() && is_same(known->entry(), *same))) continue;
    if (const Server gone = take(name)) gone->close();
    if (same == wanted.end()) reply.removed->push_back(name);
  }
  std::vector<Server> added;
  for (const McpServerEntry& entry : wanted) {
    const Server known = find(entry.name);
    if (known && is_same(known->entry(), entry)) continue;
    added.push_back(std::make_shared<McpServer>(entry, settings_, host_));
    add(added.back());
    reply.added->push_back(entry.name);
  }
  std::vector<std::jthread> connecting;
  for (const Server& server : added) {
    if (!server->begin()) continue;
    connecting.emplace_back([&stop, server] {
      McpConnectOptions options;
      options.stop = stop;
      (void)!server->connect(options);
    });
  }
  connecting.clear();  // joins
  for (const Server& server : added) {
    const McpServerView view = server->view();
    if (view.state == McpConnection::failed) (*reply.errors)[server->entry().name] = view.error;
  }
  return reply;
}

void McpServers::announce_cancellation() const {
  for (const Server& server : all()) server->announce_cancellation();
}

void McpServers::end() {
  std::vector<Server> servers;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    servers.swap(servers_);
  }
  threads_.end();
  // Each may take a moment to end.
  std::vector<std::jthread> closing;
  for (const Server& server : servers) closing.emplace_back([server] { server->close(); });
}

}  // namespace parley::agent
