#include "history/usage/usage.hpp"

#include <algorithm>
#include <iostream>

#include "apps/parley/commands.hpp"
#include "apps/parley/sessions/sessions.hpp"
#include "apps/parley/terminal.hpp"
#include "support/files/io.hpp"
#include "support/time.hpp"
#include "wire/json/json.hpp"

namespace parley::app {
namespace {

using history::GroupBy;
using history::UsageRow;
using history::UsageSummary;

Result<GroupBy> parse_group(const std::string& text) {
  static constexpr std::pair<const char*, GroupBy> kNames[] = {
      {"day", GroupBy::day},         {"week", GroupBy::week},       {"month", GroupBy::month},
      {"session", GroupBy::session}, {"project", GroupBy::project}, {"model", GroupBy::model},
      {"block", GroupBy::block}};
  for (const auto& [name, group] : kNames) {
    if (text == name) return group;
  }
  return Error(ErrorCode::invalid, "expected day, week, month, session, project, model or block",
               text);
}

Result<history::Prices> load_prices(const std::string& path) {
  history::Prices prices = history::Prices::built_in();
  if (path.empty()) return prices;
  const auto text = read_file(path);
  if (!text) return Error(ErrorCode::not_found, "cannot open the price file", path);
  auto own = history::Prices::parse(*text);
  if (!own) return Error(own.error().code(), own.error().what(), path);
  prices.extend(*own);
  return prices;
}

Json tokens_json(const history::Tokens& tokens) {
  return Json::object({{"inputTokens", tokens.input},
                       {"outputTokens", tokens.output},
                       {"cacheCreationTokens", tokens.cache_write()},
                       {"cacheReadTokens", tokens.cache_read},
                       {"totalTokens", tokens.total()}});
}

Json row_json(const UsageRow& row) {
  Json json = tokens_json(row.tokens);
  json.set("key", row.key);
  json.set("messages", row.messages);
  json.set("costUSD", row.cost);
  if (row.messages > 0) {
    json.set("first", format_time(row.first_ms));
    json.set("last", format_time(row.last_ms));
  }
  Json models = Json::array();
  for (const history::ModelShare& share : row.models) {
    Json model = tokens_json(share.tokens);
    model.set("model", share.model);
    model.set("costUSD", share.cost);
    model.set("priced", share.priced);
    models.push(std::move(model));
  }
  json.set("models", models);
  return json;
}

void print_json(const UsageSummary& usage, const history::Prices& prices) {
  Json rows = Json::array(), unpriced = Json::array();
  for (const UsageRow& row : usage.rows) rows.push(row_json(row));
  for (const std::string& model : usage.unpriced_models) unpriced.push(model);
  const Json all = Json::object({{"rows", rows},
                                 {"total", row_json(usage.total)},
                                 {"unpricedModels", unpriced},
                                 {"pricesOf", prices.date()}});
  std::cout << printable_json(all.dump()) << '\n';
}

/// A cell of CSV; a leading sign is not left for spreadsheets to run as a formula.
std::string csv_cell(const std::string& text) {
  std::string cell = text;
  if (!cell.empty() && std::string_view("=+@-").find(cell.front()) != std::string_view::npos) {
    cell.insert(0, "'");
  }
  if (cell.find_first_of("\",\n\r") == std::string::npos) return cell;
  std::string out = "\"";
  for (const char c : cell) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

void print_csv(const UsageSummary& usage, const std::string& by) {
  std::cout << by << ",messages,input,output,cache_write,cache_read,total,cost_usd\n";
  const auto put = [](const UsageRow& row) {
    std::cout << csv_cell(printable(row.key)) << ',' << row.messages << ',' << row.tokens.input
              << ',' << row.tokens.output << ',' << row.tokens.cache_write() << ','
              << row.tokens.cache_read << ',' << row.tokens.total() << ',' << Json(row.cost).dump()
              << '\n';
  };
  for (const UsageRow& row : usage.rows) put(row);
}

void print_table(const UsageSummary& usage, const std::string& by, bool models) {
  std::string title = by;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  Table table({{title, false, true},
               {"MESSAGES", true},
               {"INPUT", true},
               {"OUTPUT", true},
               {"CACHE WRITE", true},
               {"CACHE READ", true},
               {"COST", true}});
  const auto put = [&](const std::string& key, const std::string& messages,
                       const history::Tokens& tokens, double cost) {
    table.add({key, messages, shown_count(tokens.input), shown_count(tokens.output),
               shown_count(tokens.cache_write()), shown_count(tokens.cache_read),
               shown_money(cost)});
  };
  const auto put_row = [&](const std::string& key, const UsageRow& row) {
    put(key, shown_count(row.messages), row.tokens, row.cost);
    if (!models) return;
    for (const history::ModelShare& share : row.models) {
      put("  " + on_one_line(share.model), "", share.tokens, share.cost);
    }
  };
  for (const UsageRow& row : usage.rows) put_row(on_one_line(row.key), row);
  put_row("Total", usage.total);
  std::cout << table.text(terminal_width());
}

void print_chart(const UsageSummary& usage) {
  double most = 0;
  std::size_t key_width = 0;
  for (const UsageRow& row : usage.rows) {
    most = std::max(most, row.cost);
    key_width = std::max(key_width, columns_of(on_one_line(row.key)));
  }
  key_width = std::min<std::size_t>(key_width, 40);
  const std::size_t room =
      terminal_width() > key_width + 24 ? terminal_width() - key_width - 14 : 10;
  static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  for (const UsageRow& row : usage.rows) {
    const std::string key = fitted(on_one_line(row.key), key_width);
    const auto eighths =
        static_cast<std::size_t>(most > 0 ? row.cost / most * static_cast<double>(room) * 8 : 0);
    std::string bar;
    for (std::size_t i = 0; i < eighths / 8; ++i) bar += "█";
    bar += kEighths[eighths % 8];
    std::cout << key << std::string(key_width - columns_of(key), ' ') << " " << coloured(bar, 36)
              << " " << shown_money(row.cost) << "\n";
  }
}

}  // namespace

int show_usage(const SessionsOptions& options, const UsageCommand& command) {
  auto group = parse_group(command.by);
  if (!group) return fail(group.error()), kUsage;
  auto prices = load_prices(command.prices);
  if (!prices) return fail(prices.error());
  const Interrupt interrupt;
  ProgressLine progress("Counting");
  history::UsageOptions collect;
  collect.scope = options.scope();
  collect.scan = {interrupt.token(),
                  [&](std::uint64_t done, std::uint64_t total) { progress.show(done, total); }};
  if (!command.since.empty()) {
    auto moment = parse_moment(command.since, false);
    if (!moment) return fail(moment.error()), kUsage;
    collect.since_ms = *moment;
  }
  if (!command.until.empty()) {
    auto moment = parse_moment(command.until, true);
    if (!moment) return fail(moment.error()), kUsage;
    collect.until_ms = *moment;
  }
  const history::UsageLog log = history::collect_usage(collect);
  if (interrupt.token().stop_requested()) return kInterrupted;
  const UsageSummary usage = history::summarise(
      log, *prices, {*group, command.utc ? nullptr : &history::local_utc_offset});
  if (options.json) {
    print_json(usage, *prices);
  } else if (command.csv) {
    print_csv(usage, command.by);
  } else if (usage.rows.empty()) {
    std::cout << "No usage found.\n";
  } else if (command.chart) {
    print_chart(usage);
  } else {
    print_table(usage, command.by, command.models);
  }
  if (!options.json && !command.csv && !usage.rows.empty()) {
    std::cout << "\nPrices of " << prices->date() << ".";
    for (const std::string& model : usage.unpriced_models) {
      std::cout << " No price for " << on_one_line(model) << ".";
    }
    std::cout << "\n";
  }
  tell(log.report);
  return kSuccess;
}

}  // namespace parley::app
