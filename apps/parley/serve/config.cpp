#include <map>
#include <variant>

#include "apps/parley/serve/options.hpp"
#include "support/files/io.hpp"
#include "wire/json/json.hpp"

namespace parley::app {
namespace {

/// A number and what it may be.
struct Count {
  std::function<void(std::int64_t)> set;
  std::int64_t least, most;
};
using Setting = std::variant<std::string*, std::vector<std::string>*, bool*, Count>;

std::map<std::string, Setting, std::less<>> settings_of(ServeOptions& options) {
  return {
      {"host", &options.host},
      {"public-url", &options.public_url},
      {"token", &options.token},
      {"agent", &options.agent},
      {"data", &options.data},
      {"tls-cert", &options.certificate},
      {"tls-key", &options.key},
      {"root", &options.roots},
      {"allow-host", &options.allowed_hosts},
      {"demo", &options.demo},
      {"no-open", &options.no_open},
      {"allow-bypass", &options.allow_bypass},
      {"port",
       Count{[&options](auto n) { options.port = static_cast<std::uint16_t>(n); }, 0, 65'535}},
      {"max-agents", Count{[&options](auto n) { options.max_agents = static_cast<std::size_t>(n); },
                           1, kMostAgents}},
  };
}

bool is_text(const Json& value) { return value.is_string() && !value.as_string().empty(); }

/// Each takes a value over, or says what it must be.
struct Taker {
  const Json& value;

  std::string operator()(std::string* text) const {
    if (!is_text(value)) return "must be a text";
    *text = value.as_string();
    return {};
  }
  std::string operator()(std::vector<std::string>* list) const {
    const Json::Array items = value.is_array() ? value.items() : Json::Array{value};
    std::vector<std::string> texts;
    for (const Json& item : items) {
      if (!is_text(item)) return "must be a text or a list of texts";
      texts.emplace_back(item.as_string());
    }
    *list = std::move(texts);
    return {};
  }
  std::string operator()(bool* flag) const {
    if (!value.is_bool()) return "must be true or false";
    *flag = value.as_bool();
    return {};
  }
  std::string operator()(const Count& count) const {
    const std::int64_t number = value.as_int(count.least - 1);
    const bool whole = static_cast<double>(number) == value.as_double();
    if (!whole || number < count.least || number > count.most) {
      return "must be a number from " + std::to_string(count.least) + " to " +
             std::to_string(count.most);
    }
    count.set(number);
    return {};
  }
};

}  // namespace

Result<void> read_config(ServeOptions& options,
                         const std::function<bool(const std::string& name)>& given) {
  if (options.config.empty()) return {};
  const auto text = read_file(options.config);
  if (!text || text->empty()) {
    return Error(ErrorCode::not_found, "cannot be read, or is empty", options.config);
  }
  const auto json = Json::parse(*text);
  if (!json || !json->is_object()) {
    return Error(ErrorCode::malformed, json ? "is no JSON object" : json.error().what(),
                 options.config);
  }
  ServeOptions ignored;
  auto settings = settings_of(options);
  auto overruled = settings_of(ignored);
  for (const auto& [name, value] : json->members()) {
    // Also what the command line overrules has to be right.
    auto& known = settings.contains(name) && given(name) ? overruled : settings;
    const auto setting = known.find(name);
    const std::string mistake =
        setting == known.end() ? "is no setting" : std::visit(Taker{value}, setting->second);
    if (mistake.empty()) continue;
    return Error(ErrorCode::invalid, "\"" + name + "\" " + mistake, options.config);
  }
  return {};
}

}  // namespace parley::app
