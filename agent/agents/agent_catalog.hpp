// Which agents there are: those that come with the program, those of the user and of the project
// (`.claude/agents/*.md`), those of the command line and those of the client. Of two with one name
// the later of these counts.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../../wire/messages/catalog.hpp"
#include "../session/config/session_config.hpp"
#include "../session/guarded.hpp"

namespace parley::agent {

/// A value.
struct KnownAgent {
  std::string name;
  AgentDefinition definition;
  bool built_in = false;
  bool of_project = false;  ///< From a file of the working folder, which may be anybody's.
};

/// What comes with the program.
[[nodiscard]] std::vector<KnownAgent> built_in_agents();

/// An agent that a Markdown file describes; none if it has no name or no description.
[[nodiscard]] std::optional<KnownAgent> read_agent_file(const std::filesystem::path& file);

/// Those of a JSON object by name, as `--agents` has it. The error says what is wrong.
[[nodiscard]] Result<std::vector<KnownAgent>> read_agents(const std::string& json);

/// Thread-safe.
class AgentCatalog {
 public:
  /// Reads the files and the flag. What cannot be used is said on stderr.
  explicit AgentCatalog(const SessionConfig& config);

  /// Adds those of the client; they replace others of the same name.
  void add(const Map<AgentDefinition>& agents);

  [[nodiscard]] std::optional<KnownAgent> find(const std::string& name) const;
  /// By name, upper and lower case alike.
  [[nodiscard]] std::vector<KnownAgent> list() const;
  /// The names, with commas between them.
  [[nodiscard]] std::string names() const;
  /// As `initialize` and the like list them.
  [[nodiscard]] std::vector<AgentInfo> infos() const;

 private:
  /// By name in small letters, then as it is written.
  using Agents = std::map<std::pair<std::string, std::string>, KnownAgent>;
  void put(std::vector<KnownAgent> agents);

  Guarded<Agents> agents_;
};

}  // namespace parley::agent
