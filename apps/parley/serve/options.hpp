// What `parley serve` can be told, on the command line and in a file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/error.hpp"

namespace parley::app {

struct ServeOptions {
  std::string config;
  std::uint16_t port = 8737;
  std::string host = "127.0.0.1";
  std::string public_url;
  std::string token;
  std::string agent;
  std::vector<std::string> roots;
  std::vector<std::string> allowed_hosts;
  std::string certificate, key;
  std::string data;
  std::size_t max_agents = 1000;
  bool demo = false;
  bool no_open = false;
  bool allow_bypass = false;
};

inline constexpr std::int64_t kMostAgents = 100'000;

/// Fills in from the JSON file `options.config` what the command line left open; `given` says
/// whether it did not. The names are those of the options without their dashes. An error names the
/// file and the setting.
[[nodiscard]] Result<void> read_config(ServeOptions& options,
                                       const std::function<bool(const std::string& name)>& given);

}  // namespace parley::app
