#include "agent/mcp/server.hpp"

#include <algorithm>
#include <set>

#include "agent/mcp/server_tool.hpp"
#include "agent/mcp/transports/client_transport.hpp"
#include "agent/mcp/transports/http_transport.hpp"
#include "agent/mcp/transports/sse_transport.hpp"
#include "agent/mcp/transports/stdio_transport.hpp"
#include "support/text/utf8.hpp"
#include "wire/codec/codec.hpp"
#include "wire/mcp/serving.hpp"

namespace parley::agent {
namespace {

using std::chrono::milliseconds;

/// However many a server claims to have.
constexpr int kMostPages = 100;
constexpr std::size_t kMostTools = 1000;

bool is_spoken(const std::string& version) {
  return std::find(mcp::kProtocolVersions.begin(), mcp::kProtocolVersions.end(), version) !=
         mcp::kProtocolVersions.end();
}

mcp::InitializeParams introduction(const McpServerEntry& entry, const McpSettings& settings) {
  mcp::InitializeParams params;
  // A server in the client has the client itself to ask its user.
  params.capabilities = RawJson(
      entry.lives_in_client() ? "{}" : R"({"roots":{},"elicitation":{"form":{},"url":{}}})");
  mcp::Implementation self;
  self.name = "parley-agent";
  self.title = "Parley";
  self.version = settings.version;
  params.clientInfo = std::move(self);
  return params;
}

}  // namespace

McpServer::McpServer(McpServerEntry entry, const McpSettings& settings, McpHost& host)
    : entry_(std::move(entry)), settings_(settings), host_(host) {}

McpServer::~McpServer() { close(); }

McpServerView McpServer::view() const {
  const std::lock_guard lock(mutex_);
  return view_;
}

bool McpServer::begin() {
  const std::lock_guard lock(mutex_);
  return !std::exchange(begun_, true);
}

McpServer::Connection McpServer::connection() const {
  const std::lock_guard lock(mutex_);
  return connection_;
}

McpServer::Connection McpServer::answering() const {
  const std::lock_guard lock(mutex_);
  return answering_;
}

std::unique_ptr<ServerTransport> McpServer::make_transport() {
  const McpServerConfig& config = entry_.config;
  const auto type = config.type->known().value_or(McpTransport::stdio);
  if (type == McpTransport::sdk) return std::make_unique<ClientTransport>(entry_.name, host_);
  if (type == McpTransport::http || type == McpTransport::sse) {
    McpWebAccess access;
    access.url = config.url.value_or("");
    access.network = settings_.network;
    if (config.headers) access.headers.insert(config.headers->begin(), config.headers->end());
    if (type == McpTransport::sse) return std::make_unique<SseTransport>(std::move(access));
    return std::make_unique<HttpTransport>(std::move(access));
  }
  StdioTransport::Setup setup;
  setup.command = config.command.value_or("");
  setup.arguments = config.args.value_or(std::vector<std::string>{});
  setup.environment = settings_.variables;
  if (config.env) {
    for (const auto& [name, value] : *config.env) setup.environment[name] = value;
  }
  setup.cwd = settings_.cwd;
  setup.on_stderr = [this](std::string_view text) {
    host_.log("MCP server " + entry_.name + " says: " + to_utf8(text));
  };
  return std::make_unique<StdioTransport>(std::move(setup));
}

Result<void> McpServer::connect(const McpConnectOptions& options) {
  const std::lock_guard one_at_a_time(connecting_);
  return connect_alone(options);
}

Result<void> McpServer::connect_alone(const McpConnectOptions& options) {
  drop_connection();
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return Error(ErrorCode::closed, "the server is not wanted any more");
    // What it offered before stands until it says something else.
    view_.state = McpConnection::pending;
    view_.error.clear();
    changed_.notify_all();
  }
  auto made = try_connect(options);
  // A client that is still busy with its own start gets a second chance.
  const bool again = !made && entry_.lives_in_client() && !options.stop.stop_requested() &&
                     made.error().code() != ErrorCode::closed;
  if (again) {
    McpConnectOptions second = options;
    second.on_sent = {};
    made = try_connect(second);
  }
  const std::lock_guard lock(mutex_);
  if (made && closed_) made = Error(ErrorCode::closed, "the server is not wanted any more");
  if (made) {
    connection_ = *made;
    view_.state = McpConnection::connected;
  } else {
    view_ = {};
    view_.state = made.error().code() == ErrorCode::permission ? McpConnection::needs_auth
                                                               : McpConnection::failed;
    view_.error = made.error().message();
    host_.log("MCP server " + entry_.name + ": " + view_.error);
  }
  changed_.notify_all();
  if (!made) return made.error();
  return {};
}

Result<McpServer::Connection> McpServer::try_connect(const McpConnectOptions& options) {
  McpPeer& self = *this;
  auto connection = std::make_shared<ServerConnection>(make_transport(), self);
  {
    const std::lock_guard lock(mutex_);
    answering_ = connection;
  }
  if (auto opened = connection->open({options.stop, settings_.connect_patience, {}}); !opened) {
    return opened.error();
  }
  if (auto known = introduce(*connection, options); !known) {
    connection->close();
    if (known.error().code() != ErrorCode::timeout) return known.error();
    return Error(ErrorCode::timeout, "MCP server \"" + entry_.name +
                                         "\" connection timed out after " +
                                         std::to_string(settings_.connect_patience.count()) + "ms");
  }
  // A server whose tools cannot be had is there all the same.
  if (auto listed = list_tools(*connection, options.stop); !listed) {
    host_.log("MCP server " + entry_.name + ": no tools: " + listed.error().message());
    if (connection->closed()) return listed.error();
  }
  return connection;
}

Result<void> McpServer::introduce(ServerConnection& connection, const McpConnectOptions& options) {
  McpRequest request;
  request.id = connection.new_id();
  request.method = "initialize";
  request.params = RawJson(encode(introduction(entry_, settings_)));
  request.patience = settings_.connect_patience;
  request.stop = options.stop;
  request.on_sent = options.on_sent;
  const auto answer = connection.request(request);
  if (!answer) return answer.error();
  auto result = answer->as<mcp::InitializeResult>();
  if (!result) {
    return Error(ErrorCode::unexpected,
                 "the answer to initialize cannot be read: " + std::string(result.error().what()));
  }
  if (!is_spoken(result->protocolVersion)) {
    return Error(ErrorCode::invalid,
                 "Server's protocol version is not supported: " + result->protocolVersion);
  }
  connection.transport().established(result->protocolVersion);
  if (options.go_on.valid()) options.go_on.wait();
  const auto told = connection.notify("notifications/initialized", std::nullopt,
                                      {options.stop, settings_.connect_patience, {}});
  if (!told) return told;
  const Json capabilities = result->capabilities.json().value();
  const std::lock_guard lock(mutex_);
  view_.info = result->serverInfo.value_or(mcp::Implementation{});
  view_.instructions = result->instructions.value_or("");
  view_.has_resources = capabilities.find("resources") != nullptr;
  view_.has_prompts = capabilities.find("prompts") != nullptr;
  return {};
}

Result<void> McpServer::list_tools(ServerConnection& connection, const std::stop_token& stop) {
  std::vector<mcp::Tool> all;
  std::optional<std::string> cursor;
  for (int page = 0; page < kMostPages && all.size() < kMostTools; ++page) {
    McpRequest request;
    request.id = connection.new_id();
    request.method = "tools/list";
    request.patience = settings_.connect_patience;
    request.stop = stop;
    if (cursor) request.params = RawJson(Json::object({{"cursor", *cursor}}).dump());
    const auto answer = connection.request(request);
    if (!answer) return answer.error();
    const auto json = answer->json();
    if (!json) return json.error();
    for (const Json& item : (*json)["tools"].items()) {
      if (all.size() == kMostTools) {
        on_nonsense("there are more than " + std::to_string(kMostTools) + " tools");
        break;
      }
      // One that cannot be read costs itself, not the others.
      auto tool = RawJson(item.dump()).as<mcp::Tool>();
      if (tool) {
        all.push_back(*std::move(tool));
      } else {
        on_nonsense("a tool that cannot be read: " + std::string(tool.error().what()));
      }
    }
    const Json* const next = json->find("nextCursor");
    if (next == nullptr || !next->is_string() || next->as_string().empty()) break;
    if (cursor == next->as_string()) break;
    cursor = std::string(next->as_string());
  }
  take_tools(std::move(all));
  return {};
}

void McpServer::take_tools(std::vector<mcp::Tool> definitions) {
  const std::string name = view().info.name;
  auto list = std::make_shared<McpToolList>();
  std::set<std::string, std::less<>> taken;
  for (mcp::Tool& definition : definitions) {
    auto tool = make_server_tool(*this, definition, name.empty() ? entry_.name : name,
                                 settings_.most_characters);
    if (!tool) {
      on_nonsense("the tool " + definition.name + " is left out: " + tool.error().message());
    } else if (!taken.emplace((*tool)->name()).second) {
      on_nonsense("there is another tool " + std::string((*tool)->name()));
    } else {
      list->description_length +=
          (*tool)->description().size() + definition.inputSchema.text.size();
      list->tools.push_back(*std::move(tool));
      list->definitions.push_back(std::move(definition));
    }
  }
  const std::lock_guard lock(mutex_);
  view_.list = std::move(list);
}

void McpServer::drop_connection() {
  withdraw_questions();
  Connection old;
  {
    const std::lock_guard lock(mutex_);
    old = std::move(connection_);
    connection_.reset();
    answering_.reset();
  }
  if (old) old->close();
}

void McpServer::disable() {
  const std::lock_guard one_at_a_time(connecting_);
  drop_connection();
  const std::lock_guard lock(mutex_);
  view_ = {};
  view_.state = McpConnection::disabled;
  changed_.notify_all();
}

void McpServer::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  drop_connection();
  threads_.end();
}

Result<McpServer::Connection> McpServer::open_connection(const std::stop_token& stop) {
  const auto usable = [this] {
    const std::lock_guard lock(mutex_);
    return connection_ && !connection_->closed() ? connection_ : nullptr;
  };
  if (const Connection open = usable()) return open;
  // Somebody else may be at it.
  const std::lock_guard one_at_a_time(connecting_);
  if (const Connection open = usable()) return open;
  if (view().state != McpConnection::connected) {
    return Error(ErrorCode::closed, "MCP server not connected: " + entry_.name);
  }
  McpConnectOptions options;
  options.stop = stop;
  if (auto connected = connect_alone(options); !connected) return connected.error();
  if (const Connection open = usable()) return open;
  return Error(ErrorCode::closed, "MCP server not connected: " + entry_.name);
}

Result<RawJson> McpServer::request(McpRequest request, const std::stop_token& stop) {
  auto used = open_connection(stop);
  if (!used) return used.error();
  request.stop = stop;
  request.id = (*used)->new_id();
  // Reports of progress name the request by its id.
  if (request.method == "tools/call") {
    auto params = request.params->as<mcp::CallToolParams>();
    if (!params) return params.error();
    if (!params->meta) params->meta.emplace();
    params->meta->progressToken = RawJson(std::to_string(request.id));
    request.params = RawJson(encode(*params));
  }
  return (*used)->request(request);
}

Result<RawJson> McpServer::call(const std::string& tool, const RawJson& arguments,
                                const CallOptions& options) {
  McpRequest wanted;
  wanted.method = "tools/call";
  mcp::CallToolParams params;
  params.name = tool;
  params.arguments = arguments;
  mcp::CallMeta meta;
  meta.tool_use_id = options.tool_use_id;
  params.meta = std::move(meta);
  wanted.params = RawJson(encode(params));
  wanted.patience = options.patience.value_or(
      entry_.config.timeout ? milliseconds(*entry_.config.timeout) : settings_.call_patience);
  wanted.tells_when_late = !entry_.lives_in_client();  // as the real one does it
  // What the server asks the user is asked for the call.
  const std::stop_callback on_stop(options.stop, [this] { withdraw_questions(); });
  auto answer = request(wanted, options.stop);
  if (!answer && answer.error().code() == ErrorCode::not_found) {
    // A server on the web has forgotten the session: a new one may do.
    McpConnectOptions again;
    again.stop = options.stop;
    if (connect(again)) answer = request(wanted, options.stop);
  }
  if (options.stop.stop_requested()) {
    // The client hears that its questions are withdrawn before it hears of the end of the call.
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_questions_ == 0; });
  } else {
    wait_for_refresh(options.stop);
  }
  if (!answer && answer.error().code() == ErrorCode::timeout) {
    const double seconds = static_cast<double>(wanted.patience.count()) / 1000;
    return Error(ErrorCode::timeout, "MCP server \"" + entry_.name + "\" tool \"" + tool +
                                         "\" timed out after " + Json(seconds).dump() + "s");
  }
  return answer;
}

Result<RawJson> McpServer::ask(const std::string& method, std::optional<RawJson> params,
                               const std::stop_token& stop) {
  McpRequest wanted;
  wanted.method = method;
  wanted.params = std::move(params);
  wanted.patience = settings_.connect_patience;
  return request(std::move(wanted), stop);
}

void McpServer::announce_cancellation() {
  if (const Connection open = connection()) {
    open->announce_cancellation("AbortError: remote-cancel");
  }
}

void McpServer::deliver(const JsonRpcMessage& message) {
  const Connection open = connection();
  if (!open || !entry_.lives_in_client()) return;
  static_cast<ClientTransport&>(open->transport()).deliver(encode(message));
}

}  // namespace parley::agent
