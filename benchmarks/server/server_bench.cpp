// parley serve: how fast it starts, how small it is, how quickly it lists, and how old events are
// when they reach a page. Usage: parley-bench-server [SESSIONS] [SECONDS]
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "benchmarks/server/hub_load.hpp"
#include "benchmarks/table.hpp"
#include "client/prompt.hpp"
#include "server/events/events.hpp"
#include "server/log/file_log.hpp"
#include "support/files/temporary.hpp"
#include "wire/json/json.hpp"

namespace {

namespace fs = std::filesystem;
using namespace parley;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class Bench {
 public:
  Bench(fs::path bin, fs::path scratch) : bin_(std::move(bin)), scratch_(std::move(scratch)) {}

  void start_and_size() {
    double best = 1e9;
    std::size_t idle = 0;
    for (int i = 0; i < 5; ++i) {
      const auto start = Clock::now();
      const bench::ServeProcess serve(program(), arguments("empty"));
      bench::request(serve.port(), "GET", "/healthz");
      best = std::min(best, milliseconds_since(start));
      idle = serve.kilobytes();
    }
    table_.add({"start to first response, ms", bench::fixed(best, 1), "50"});
    table_.add({"idle memory, MB", bench::fixed(static_cast<double>(idle) / 1024, 1), "20"});
    const fs::path stripped = scratch_ / "stripped";
    const std::string command = "strip -o '" + stripped.string() + "' '" + program() + "'";
    if (std::system(command.c_str()) == 0) {
      table_.add({"binary, stripped, MB",
                  bench::fixed(static_cast<double>(fs::file_size(stripped)) / (1 << 20), 1), "12"});
    }
  }

  void list(int sessions) {
    {
      const auto store = server::open_file_store(scratch_ / "many").value();
      for (int i = 0; i < sessions; ++i) {
        const auto log = store->open(make_uuid()).value();
        log->append(1, false, server::events::settings(Json::object({{"cwd", "/"}}))).value();
        log->append(2, false, server::events::prompt(make_uuid(), "Hello", "page")).value();
        log->append(3, false, server::events::state("ended", {})).value();
      }
    }
    // The first start makes snapshots, as a server that ran before would have left them.
    { const bench::ServeProcess serve(program(), arguments("many")); }
    const auto start = Clock::now();
    const bench::ServeProcess serve(program(), arguments("many"));
    bench::request(serve.port(), "GET", "/api/sessions");
    table_.add(
        {"start and list 1,000 sessions, ms", bench::fixed(milliseconds_since(start), 1), ""});
    const auto warm = Clock::now();
    bench::request(serve.port(), "GET", "/api/sessions");
    table_.add({"list them again, ms", bench::fixed(milliseconds_since(warm), 1), "100"});
  }

  void stream(int sessions, int seconds) {
    const bench::ServeProcess serve(program(), arguments("stream"));
    const auto per_one = [&](std::size_t before) {
      return bench::fixed(static_cast<double>(serve.kilobytes() - before) / sessions, 1);
    };
    const std::size_t empty = serve.kilobytes();
    std::vector<std::string> ids;
    for (int i = 0; i < sessions; ++i) {
      const auto made =
          Json::parse(bench::request(serve.port(), "POST", "/api/sessions",
                                     Json::object({{"cwd", scratch_.string()}}).dump()));
      ids.emplace_back((*made)["id"].as_string());
    }
    const std::string name = std::to_string(sessions) + " sessions, 50 pieces/s each: ";
    table_.add({"memory per idle session, KB", per_one(empty), ""});
    const std::size_t with_sessions = serve.kilobytes();
    bench::Viewers viewers(serve.port());
    for (const std::string& id : ids) viewers.add(id);
    table_.add({"memory per client, KB", per_one(with_sessions), ""});
    viewers.prompt_all("rate 50 " + std::to_string(seconds));
    const auto ages = viewers.read(seconds * 4 + 20);
    const auto part = [&ages](double share) {
      if (ages.empty()) return 0.0;
      return ages[static_cast<std::size_t>(share * static_cast<double>(ages.size() - 1))];
    };
    table_.add({name + "p50, ms", bench::fixed(part(0.5), 2), ""});
    table_.add({name + "p99, ms", bench::fixed(part(0.99), 2), "50"});
    table_.add({name + "received", bench::grouped(ages.size()),
                bench::grouped(static_cast<std::size_t>(sessions * 50 * seconds))});
  }

  void print() const { table_.print(); }

 private:
  [[nodiscard]] std::string program() const { return (bin_ / "parley").string(); }
  [[nodiscard]] std::vector<std::string> arguments(const std::string& data) const {
    return {"--data",  (scratch_ / data).string(),
            "--root",  scratch_.string(),
            "--agent", (bin_ / "parley-bench-fake-agent").string()};
  }

  const fs::path bin_, scratch_;
  bench::Table table_{{"parley serve", "measured", "target"}};
};

}  // namespace

int main(int argc, char** argv) {
  const int sessions = argc > 1 ? std::atoi(argv[1]) : 500;
  const int seconds = argc > 2 ? std::atoi(argv[2]) : 5;
  const auto scratch = TemporaryFolder::make("bench-server-");
  if (!scratch) return 1;
  Bench bench(fs::read_symlink("/proc/self/exe").parent_path(), fs::canonical(scratch->path()));
  try {
    bench.start_and_size();
    bench.list(1000);
    bench.stream(sessions, seconds);
  } catch (const std::exception& error) {
    std::cerr << "parley-bench-server: " << error.what() << '\n';
    return 1;
  }
  bench.print();
  return 0;
}
