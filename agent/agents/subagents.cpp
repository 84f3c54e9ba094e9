#include "agent/agents/subagents.hpp"

#include <algorithm>

#include "agent/agents/agent_results.hpp"
#include "agent/agents/agent_tools.hpp"
#include "agent/agents/earlier_subagent.hpp"
#include "agent/api/models.hpp"
#include "agent/connection/message_parts.hpp"
#include "support/files/io.hpp"
#include "support/random.hpp"
#include "wire/tools/inputs.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Status = BackgroundTask::Status;

/// How long the call of an agent in the background waits for its first words.
constexpr milliseconds kLaunchPatience{50};
/// What is given of the transcript of an agent.
constexpr std::size_t kShownTranscript = std::size_t{256} << 10;

/// The model of an agent: by its call, else by its kind; empty: that of the session.
std::string model_of(const tools::AgentInput& input, const AgentDefinition& definition) {
  const std::string wanted =
      input.model ? std::string(input.model->text()) : definition.model.value_or("inherit");
  return wanted == "inherit" || wanted.empty() ? std::string() : resolve_model(wanted);
}

/// By default an agent works in the background.
bool in_background(const tools::AgentInput& input, const AgentDefinition& definition) {
  return input.run_in_background.value_or(true) || definition.background.value_or(false);
}

/// By a rule such as "Agent(Explore)".
bool is_denied(const Permissions& permissions, const std::string& type) {
  for (const Permissions::Listed& listed : permissions.list()) {
    if (listed.behavior == PermissionBehavior::deny && listed.rule.ruleContent == type &&
        (listed.rule.toolName == "Agent" || listed.rule.toolName == "Task")) {
      return true;
    }
  }
  return false;
}

std::string tail_of(const std::string& path) {
  std::string text = read_file(path).value_or("");
  if (text.size() > kShownTranscript) text.erase(0, text.size() - kShownTranscript);
  return text;
}

}  // namespace

Subagents::Subagents(AgentHost host)
    : host_(std::move(host)), tasks_(host_.session.tools.state().background_tasks()) {}

Subagents::~Subagents() {
  stop_all(milliseconds(0));
  std::deque<std::shared_ptr<Run>> runs;
  {
    const std::lock_guard lock(mutex_);
    runs.swap(runs_);
  }
}  // joins

std::vector<SharedTool> Subagents::tools_for(const AgentCaller& caller) {
  std::vector<SharedTool> tools;
  if (caller.depth < kDeepestAgent) tools.push_back(make_agent_tool(*this, caller));
  tools.push_back(make_send_message_tool(*this, caller));
  return tools;
}

Result<std::shared_ptr<Subagents::Run>> Subagents::make(const AgentCaller& caller,
                                                        const ToolCall& call) {
  const auto input = call.input.as<tools::AgentInput>();
  if (!input) return input.error();
  const std::string type = input->subagent_type.value_or("general-purpose");
  auto kind = host_.catalog.find(type);
  if (!kind) {
    return Error(ErrorCode::not_found,
                 "Agent type '" + type + "' not found. Available agents: " + host_.catalog.names());
  }
  if (is_denied(host_.permissions, type)) {
    return Error(ErrorCode::permission,
                 "Agent type '" + type + "' has been denied by a permission rule.");
  }
  SubagentIdentity identity;
  identity.id = "a" + random_text(16, kHexDigits);
  identity.tool_use_id = call.id;
  identity.description = input->description;
  identity.parent_id = caller.agent_id;
  identity.depth = caller.depth + 1;
  identity.model = model_of(*input, kind->definition);
  identity.kind = *std::move(kind);
  const auto run = std::make_shared<Run>();
  run->background = in_background(*input, identity.kind.definition);
  const AgentCaller as_caller{identity.id, identity.depth};
  run->agent =
      std::make_shared<Subagent>(host_, std::move(identity), run->background, tools_for(as_caller));
  run->task = {input->prompt, call.prompt_id, make_run_id(), call.id};
  host_.session.totals.change([&](SessionTotals& totals) {
    AgentCounts& counts = totals.agents;
    ++(!input->run_in_background   ? counts.unset
       : *input->run_in_background ? counts.background
                                   : counts.foreground);
    if (run->background) ++counts.started_in_background;
    if (caller.depth > 0) ++counts.made_by_agents;
    counts.deepest = std::max(counts.deepest, caller.depth + 1);
    ++counts.by_type[type];
  });
  return run;
}

void Subagents::count(const Run& run) {
  host_.session.totals.change([&](SessionTotals& totals) {
    AgentCounts& counts = totals.agents;
    switch (run.outcome.status) {
      case Status::completed: ++counts.completed; break;
      case Status::failed: ++counts.failed; break;
      default: ++(run.agent->messages().muted() ? counts.killed_with_turn : counts.killed);
    }
  });
}

void Subagents::enter(const std::shared_ptr<Run>& run) {
  const SubagentIdentity& identity = run->agent->identity();
  BackgroundTask task;
  task.kind = BackgroundTask::Kind::agent;
  task.id = identity.id;
  task.run_id = run->task.run_id;
  task.tool_use_id = run->task.tool_use_id;
  task.description = identity.description;
  task.output_file = host_.session.tools.state().scratch_folder() / (identity.id + ".output");
  task.backgrounded = run->background;
  task.parent_id = identity.parent_id;
  task.agent = BackgroundTask::Agent{identity.kind.name, run->task.prompt, identity.depth};
  // Who looks there finds the transcript.
  std::error_code ignored;
  fs::create_directories(task.output_file.parent_path(), ignored);
  fs::create_symlink(run->agent->transcript_path(), task.output_file, ignored);

  // The list knows of agents for longer than they run.
  const std::weak_ptr<Run> weak = run;
  BackgroundTasks::Actions actions;
  actions.stop = [this, weak, id = identity.id] {
    host_.session.asker.withdraw({id});
    if (const auto live = weak.lock()) live->stop.request_stop();
  };
  actions.leave_call = [this, weak] {
    const auto live = weak.lock();
    if (!live) return;
    host_.session.asker.set_alone(live->agent->identity().id);
    live->agent->messages().move_to_background();
    const std::lock_guard lock(mutex_);
    live->moved = true;
    changed_.notify_all();
  };
  actions.output = [path = run->agent->transcript_path()] { return tail_of(path); };
  actions.wait = [this, weak](milliseconds timeout, const std::stop_token& stop) {
    const auto live = weak.lock();
    if (!live) return true;
    const std::stop_callback wake(stop, [this] {
      const std::lock_guard lock(mutex_);
      changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, timeout, [&] { return live->done || stop.stop_requested(); });
    return live->done;
  };
  if (run->background) {
    host_.session.asker.set_alone(identity.id);
  } else {
    host_.session.asker.set_awaited(identity.id, identity.parent_id);
  }
  (void)tasks().add(std::move(task), std::move(actions), true, [] { return Result<void>(); });
}

std::function<void()> Subagents::open(const AgentCaller& caller, const ToolCall& call) {
  const auto made = make(caller, call);
  if (made) {
    enter(*made);
    start(*made);
  }
  {
    const std::lock_guard lock(mutex_);
    opened_.insert_or_assign(Key(caller.agent_id, call.id), made);
  }
  if (!made || (*made)->background) return {};
  return [agent = (*made)->agent, prompt = (*made)->task.prompt] {
    agent->messages().show_prompt(prompt);
    agent->messages().let_speak();
  };
}

ToolOutput Subagents::run(const AgentCaller& caller, const ToolCall& call) {
  const auto opened = [&] {
    const std::lock_guard lock(mutex_);
    return opened_.extract(Key(caller.agent_id, call.id));
  }();
  if (opened.empty()) return ToolOutput::error("The agent was never made.");
  if (!opened.mapped()) return ToolOutput::error(opened.mapped().error().message());
  const std::shared_ptr<Run> run = *opened.mapped();
  ToolOutput output = wait_for(*run, call.stop);
  output.after_shown = [agent = run->agent] { agent->messages().let_speak(); };
  return output;
}

void Subagents::start(const std::shared_ptr<Run>& run) {
  drop_ended();
  const std::lock_guard lock(mutex_);
  agents_[run->agent->identity().id] = run->agent;
  runs_.push_back(run);
  run->agent->messages().on_first_words([this, run = run.get()] {
    const std::lock_guard ready(mutex_);
    run->ready = true;
    changed_.notify_all();
  });
  run->thread = std::jthread([this, run = run.get()] { carry_out(*run); });
}

void Subagents::carry_out(Run& run) {
  const auto begun = [&] {
    const std::lock_guard lock(mutex_);
    run.begun = true;
    changed_.notify_all();
  };
  SubagentTask task = run.task;
  do {
    try {
      run.outcome = run.agent->run(task, run.stop.get_token(), begun);
    } catch (const std::exception& error) {
      run.outcome.status = Status::failed;
      run.outcome.text = "Agent failed: " + std::string(error.what());
    }
    task.prompt.clear();  // what it is sent from here on is in its mail
  } while (!close(run));
  count(run);
  report(run);
  const std::lock_guard lock(mutex_);
  run.begun = run.done = true;
  changed_.notify_all();
}

/// Takes no more mail for it, unless there is some: then it has to go on.
bool Subagents::close(Run& run) {
  const std::lock_guard lock(mutex_);
  run.closed = run.outcome.status != Status::completed || !run.agent->has_mail();
  return run.closed;
}

/// Its end, for everybody who hears of tasks. What it started ends with it, or goes to the session.
void Subagents::report(Run& run) {
  const std::string& id = run.agent->identity().id;
  for (const BackgroundTask& task : tasks().running()) {
    if (task.parent_id == id && !task.agent) tasks().stop(task.id);
  }
  tasks().end(id, [&](BackgroundTask& task) {
    task.status = run.outcome.status;
    task.outcome = run.outcome.text;
    task.use = run.outcome.use();
  });
  if (run.outcome.status == Status::killed) tasks().end(id, [](BackgroundTask&) {});
  tasks().adopt_children(id);
  host_.session.asker.set_alone(id);
}

ToolOutput Subagents::wait_for(Run& run, const std::stop_token& stop) {
  // A call that is stopped takes its agent with it, and the client sees no more of it.
  const std::stop_callback stopped(stop, [&] {
    {
      const std::lock_guard lock(mutex_);
      if (run.background || run.moved) return;
    }
    run.agent->messages().mute();
    run.stop.request_stop();
  });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return run.done || run.moved || (run.background && run.begun); });
  const bool goes_on = run.background || run.moved;
  // A model that answers at once is heard before the caller's next request.
  if (run.background) {
    changed_.wait_for(lock, kLaunchPatience,
                      [&] { return run.ready || run.done || stop.stop_requested(); });
  }
  lock.unlock();
  if (goes_on) {
    return launched_output(*run.agent, run.task, tasks().find(run.agent->identity().id));
  }
  if (run.outcome.status != Status::completed) return ToolOutput::error(run.outcome.text);
  return finished_output(*run.agent, run.task, run.outcome);
}

bool Subagents::tell(const std::string& agent_id, UserMessage message) {
  const std::lock_guard lock(mutex_);
  for (const std::shared_ptr<Run>& run : runs_) {
    if (run->closed || run->agent->identity().id != agent_id) continue;
    run->agent->tell(std::move(message));
    return true;
  }
  return false;
}

ToolOutput Subagents::send(const AgentCaller& caller, const ToolCall& call) {
  const auto input = call.input.json();
  const std::string to = input ? std::string((*input)["to"].as_string()) : std::string();
  const std::string words = input ? std::string((*input)["message"].as_string()) : std::string();
  if (tell(to, prompt_of(words))) return queued_output(to);
  const std::shared_ptr<Subagent> agent = to == caller.agent_id ? nullptr : find_or_restore(to);
  if (!agent) return unreachable_output(to);
  const auto run = std::make_shared<Run>();
  run->agent = agent;
  run->background = true;
  run->task = {words, call.prompt_id, make_run_id(), call.id};
  agent->messages().move_to_background();
  agent->messages().let_speak();
  enter(run);
  start(run);
  return resumed_output(to);
}

std::shared_ptr<Subagent> Subagents::find_or_restore(const std::string& id) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = agents_.find(id); found != agents_.end()) return found->second;
  }
  auto earlier = read_earlier_subagent(host_.place(), id, host_.catalog);
  if (!earlier) return nullptr;
  const AgentCaller as_caller{id, earlier->identity.depth};
  auto agent =
      std::make_shared<Subagent>(host_, std::move(earlier->identity), true, tools_for(as_caller));
  agent->restore(std::move(earlier->messages), std::move(earlier->last_uuid));
  return agent;
}

void Subagents::drop_ended() {
  std::vector<std::shared_ptr<Run>> ended;  // destroyed outside of the lock: that joins
  const std::lock_guard lock(mutex_);
  for (std::shared_ptr<Run>& run : runs_) {
    if (run->done) ended.push_back(std::move(run));
  }
  std::erase(runs_, nullptr);
}

bool Subagents::stop_all(milliseconds patience) {
  std::vector<std::shared_ptr<Run>> all;
  {
    const std::lock_guard lock(mutex_);
    all.assign(runs_.begin(), runs_.end());
  }
  for (const auto& run : all) {
    run->agent->messages().mute();
    run->stop.request_stop();
  }
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [&] {
    return std::all_of(all.begin(), all.end(), [](const auto& run) { return run->done; });
  });
}

}  // namespace parley::agent
