#include "agent/control/control.hpp"

#include <chrono>
#include <filesystem>

#include "agent/api/models.hpp"
#include "agent/connection/init_message.hpp"
#include "agent/control/queries.hpp"
#include "agent/permissions/settings_file.hpp"
#include "agent/session/system_prompt.hpp"
#include "agent/uuid.hpp"
#include "agent/version.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/control.hpp"

namespace parley::agent {
namespace {

/// The reply, or why there is none. An empty RawJson text stands for a success without a body.
using Reply = Result<RawJson>;

Reply nothing() { return RawJson(std::string()); }
Reply body(const Json& json) { return RawJson(json.dump()); }
template <class T>
Reply encoded(const T& answer) {
  return RawJson(encode(answer));
}
template <class T>
Reply encoded(const Result<T>& answer) {
  if (!answer) return answer.error();
  return encoded(*answer);
}
Reply refuse(std::string text, std::string code = {}) {
  return Error(ErrorCode::kInvalid, std::move(text), std::move(code));
}

void reply(Session& session, const std::string& id, const Reply& answer) {
  ControlResponse response;
  if (answer) {
    ControlSuccess success;
    success.request_id = id;
    if (!answer->text.empty()) success.response = *answer;
    response.response = std::move(success);
  } else {
    ControlFailure failure;
    failure.request_id = id;
    failure.error = answer.error().message();
    if (!answer.error().context().empty()) failure.error_code = answer.error().context();
    response.response = std::move(failure);
  }
  session.output.send(std::move(response));
}

/// One function per request; what is not here is not supported.
struct Handler {
  Session& session;
  const std::string& id;

  Reply operator()(const control::Initialize& request) const {
    if (request.hooks) {
      for (const auto& [event, matchers] : *request.hooks) {
        for (const HookMatcher& matcher : matchers) {
          if (matcher.hookCallbackIds.empty()) {
            return refuse("initialize: the hooks of " + event +
                          " need hookCallbackIds, an array of strings, in each matcher");
          }
        }
      }
      register_hooks(*request.hooks);
    }
    session.change_wishes([&](Wishes& wishes) {
      if (request.systemPrompt) {
        std::string text;
        if (const auto* one = std::get_if<std::string>(&*request.systemPrompt)) text = *one;
        if (const auto* list = std::get_if<std::vector<std::string>>(&*request.systemPrompt)) {
          for (const std::string& part : *list) text += (text.empty() ? "" : "\n\n") + part;
        }
        wishes.system_prompt = text;
      }
      if (request.appendSystemPrompt) wishes.append_system_prompt = *request.appendSystemPrompt;
      if (request.promptSuggestions) wishes.prompt_suggestions = *request.promptSuggestions;
    });
    if (request.jsonSchema) {
      if (auto made = session.set_schema(*request.jsonSchema); !made) return made.error();
    }
    if (request.title) session.rename(*request.title);
    return RawJson(encode(initialize_reply(session)));
  }

  /// Callbacks of some events are registered and never called, as by the real one: when these
  /// happen, nobody may be there yet, or any more.
  void register_hooks(const Map<std::vector<HookMatcher>>& wanted) const {
    Map<std::vector<HookMatcher>> called;
    for (const auto& [event, matchers] : wanted) {
      if (event != "SessionStart" && event != "SessionEnd" && event != "Setup" &&
          event != "Notification") {
        called[event] = matchers;
      }
    }
    session.hooks->register_callbacks(called);
  }

  Reply operator()(const control::Interrupt& request) const {
    const bool withdraw = request.cancel_queued.value_or(false);
    const std::vector<std::string> queued = session.inbox.waiting(withdraw);
    Json ids = Json::array();
    for (const std::string& uuid : queued) ids.push(uuid);
    Json answer = Json::object({{"still_queued", withdraw ? Json::array() : ids}});
    if (withdraw) answer.set("cancelled", std::move(ids));
    // What the turn waits for is withdrawn before the answer, the turn itself ends after it.
    session.asker.withdraw_all([&] { reply(session, id, body(answer)); });
    session.interrupt();
    return RawJson("handled");
  }

  Reply operator()(const control::SetPermissionMode& request) const {
    if (auto set = session.permissions->set_mode(request.mode); !set) return set.error();
    reply(session, id, body(Json::object({{"mode", std::string(request.mode.text())}})));
    session.show_mode();
    return RawJson("handled");
  }

  Reply operator()(const control::SetModel& request) const {
    const std::string model = resolve_model(request.model.value_or("default"));
    session.change_wishes([&](Wishes& wishes) { wishes.model = model; });
    if (session.results > 0) {
      UserMessage note;
      note.message.role = "user";
      note.message.content =
          "<local-command-stdout>Set model to " + model + "</local-command-stdout>";
      note.isReplay = true;
      write_null(note.extra, "parent_tool_use_id");
      session.output.send(std::move(note));
    }
    return body(Json::object({{"model", model}}));
  }

  Reply operator()(const control::SetMaxThinkingTokens& request) const {
    if (!request.max_thinking_tokens.given) return nothing();
    session.change_wishes(
        [&](Wishes& wishes) { wishes.max_thinking_tokens = request.max_thinking_tokens.value; });
    return nothing();
  }

  Reply operator()(const control::EndSession&) const { return nothing(); }
  /// Whether anybody looks on changes nothing of what is said, here and in the real one.
  Reply operator()(const control::SetHasSubscribers&) const { return nothing(); }

  /// The client has seen the model read the file, though the conversation does not show it. What
  /// has changed since counts as unread.
  Reply operator()(const control::SeedReadState& request) const {
    namespace fs = std::filesystem;
    const fs::path file = session.tools->absolute(request.path);
    std::error_code error;
    const fs::file_time_type modified = fs::last_write_time(file, error);
    const auto since_1970 = std::chrono::file_clock::to_sys(modified).time_since_epoch();
    if (!error && since_1970 < std::chrono::milliseconds(request.mtime + 1)) {
      KnownFile known;
      known.modified = modified;
      known.in_context = false;
      session.tools->note(file, std::move(known));
    }
    return nothing();
  }

  Reply operator()(const control::RenameSession& request) const {
    session.rename(request.title);
    return nothing();
  }

  Reply operator()(const control::CancelAsyncMessage& request) const {
    return body(Json::object({{"cancelled", session.inbox.cancel(request.message_uuid)}}));
  }

  Reply operator()(const control::GetBinaryVersion&) const {
    return body(Json::object({{"version", kBehavesLike}}));
  }

  Reply operator()(const control::ListModels&) const {
    control::ListModelsReply answer;
    answer.models = model_list();
    return RawJson(encode(answer));
  }

  Reply operator()(const control::ListPermissionRules&) const {
    return encoded(list_rules(session));
  }
  Reply operator()(const control::GetContextUsage&) const {
    return encoded(context_usage(session));
  }
  Reply operator()(const control::GetUsage&) const { return encoded(usage_so_far(session)); }
  Reply operator()(const control::GetSessionCost&) const {
    return body(Json::object({{"text", usage_text(session)}}));
  }
  Reply operator()(const control::GetHooksListing&) const { return encoded(list_hooks(session)); }
  Reply operator()(const control::GetSettings&) const { return encoded(list_settings(session)); }
  Reply operator()(const control::ReadFile& request) const {
    return encoded(read_file(session, request));
  }
  Reply operator()(const control::FileSuggestions& request) const {
    return encoded(suggest_files(session, request.query));
  }

  Reply operator()(const control::RewindFiles& request) const {
    const bool dry_run = request.dry_run.value_or(false);
    auto rewound = session.checkpoints
                       ? session.checkpoints->rewind(request.user_message_id, dry_run)
                       : Error(ErrorCode::kInvalid, "File rewinding is not enabled.");
    if (rewound || !dry_run) return encoded(rewound);
    control::RewindFilesReply impossible;
    impossible.error = rewound.error().message();
    return encoded(impossible);
  }

  Reply operator()(const control::RegisterRepoRoot& request) const {
    std::error_code error;
    const auto folder =
        std::filesystem::canonical(std::filesystem::path(session.cwd) / request.directory, error);
    if (error || !std::filesystem::is_directory(folder, error)) {
      return refuse("register_repo_root: there is no folder " + request.directory);
    }
    AddDirectories update;
    update.directories = {folder.string()};
    update.destination = PermissionDestination::session;
    if (auto added = session.permissions->apply({std::move(update)}); !added) return added.error();
    return body(Json::object({{"directory", folder.string()}}));
  }

  Reply operator()(const control::McpStatus&) const {
    return body(Json::object({{"mcpServers", Json::array()}}));
  }

  Reply operator()(const control::StopTask& request) const {
    session.tools->stop_task(request.task_id);
    return body(Json::object());
  }

  Reply operator()(const control::GetTaskOutput& request) const {
    const auto output = session.tools->task_output(request.task_id);
    if (!output) return refuse("No task found with ID: " + request.task_id);
    return body(Json::object({{"output", *output},
                              {"total_bytes", static_cast<std::int64_t>(output->size())},
                              {"truncated", false}}));
  }

  Reply operator()(const control::UpdateSettings& request) const {
    namespace fs = std::filesystem;
    fs::path file;
    if (request.source == control::SettingsSource::userSettings) {
      file = fs::path(session.config_folder) / "settings.json";
    } else if (request.source == control::SettingsSource::projectSettings) {
      file = fs::path(session.cwd) / ".claude" / "settings.json";
    } else if (request.source == control::SettingsSource::localSettings) {
      file = fs::path(session.cwd) / ".claude" / "settings.local.json";
    } else {
      return refuse("update_settings: " + std::string(request.source.text()) + " is no file");
    }
    auto content = read_settings_file(file);
    if (!content) return content.error();
    const auto changes = request.settings.json();
    if (!changes || !changes->is_object()) return refuse("update_settings: settings is no object");
    for (const auto& [key, value] : changes->members()) {
      if (value.is_null()) {
        content->erase(key);
      } else {
        content->set(key, value);
      }
    }
    if (auto written = write_settings_file(file, *content); !written) return written.error();
    return body(Json::object());
  }

  Reply operator()(const control::ApplyFlagSettings& request) const {
    const auto changes = request.settings.json();
    if (!changes || !changes->is_object()) {
      return refuse("apply_flag_settings: settings is no object");
    }
    session.change_wishes([&](Wishes& wishes) {
      if (wishes.flag_settings.is_null()) wishes.flag_settings = Json::object();
      merge_settings(wishes.flag_settings, *changes);
      if ((*changes)["model"].is_string()) {
        wishes.model = resolve_model((*changes)["model"].as_string());
      }
    });
    return nothing();
  }
  Reply operator()(const control::ReloadOutputStyles&) const {
    Json names = Json::array();
    for (const std::string& name : output_style_names(session)) names.push(name);
    return body(Json::object({{"available_output_styles", std::move(names)}}));
  }
  Reply operator()(const control::ReloadSkills&) const {
    return body(Json::object({{"skills", Json::array()}}));
  }
  Reply operator()(const control::ReloadPlugins&) const {
    return body(Json::object({{"commands", Json::array()},
                              {"agents", Json::array()},
                              {"plugins", Json::array()},
                              {"mcpServers", Json::array()},
                              {"error_count", 0}}));
  }

  /// Everything else.
  template <class T>
  Reply operator()(const T&) const {
    return unsupported({});
  }
  Reply operator()(const Unknown& request) const { return unsupported(request); }

  [[nodiscard]] Reply unsupported(const Unknown& request) const {
    const std::string name = request.subtype.empty() ? request.type : request.subtype;
    return refuse("Unsupported control request subtype: " + (name.empty() ? subtype : name),
                  "unsupported_request");
  }

  std::string subtype = "undefined";
};

/// The subtype of a request this build has a type for but no handler.
std::string subtype_of(const ControlBody& request) {
  const auto json = Json::parse(encode(request));
  return json ? std::string((*json)["subtype"].as_string("undefined")) : "undefined";
}

}  // namespace

bool handle_request(Session& session, const ControlRequest& request) {
  const Handler handler{session, request.request_id, subtype_of(*request.request)};
  const Reply answer = std::visit(handler, *request.request);
  if (!answer || answer->text != "handled") reply(session, request.request_id, answer);
  return !std::holds_alternative<control::EndSession>(*request.request);
}

}  // namespace parley::agent
