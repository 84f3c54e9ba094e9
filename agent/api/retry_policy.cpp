#include <algorithm>
#include <random>

#include "agent/api/api_outcome.hpp"

namespace parley::agent {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstWait{500};
constexpr milliseconds kLongestWait{32'000};
/// A server may ask for more, but nobody watches an agent that sleeps for an hour.
constexpr milliseconds kLongestAsked{300'000};

bool may_pass(const ApiOutcome& outcome) {
  switch (outcome.kind) {
    case ApiOutcome::Kind::connect:
    case ApiOutcome::Kind::cut: return true;
    case ApiOutcome::Kind::event:
      return outcome.error_type == "overloaded_error" || outcome.error_type == "api_error" ||
             outcome.error_type == "rate_limit_error" || outcome.error_type == "timeout_error";
    case ApiOutcome::Kind::http: {
      const auto told = outcome.headers.find("x-should-retry");
      if (told != outcome.headers.end() && told->second == "true") return true;
      if (told != outcome.headers.end() && told->second == "false") return false;
      return outcome.status == 408 || outcome.status == 409 || outcome.status == 429 ||
             outcome.status >= 500;
    }
    case ApiOutcome::Kind::done:
    case ApiOutcome::Kind::malformed:  // the same request would bring the same answer
    case ApiOutcome::Kind::cancelled: return false;
  }
  return false;
}

/// Up to a quarter of `wait`.
milliseconds jitter(milliseconds wait) {
  thread_local std::minstd_rand random{std::random_device{}()};
  return milliseconds(
      std::uniform_int_distribution<milliseconds::rep>(0, wait.count() / 4)(random));
}

}  // namespace

std::optional<milliseconds> RetryPolicy::wait(const ApiOutcome& outcome, int attempt) const {
  if (attempt > max_retries || !may_pass(outcome)) return std::nullopt;
  // The real one takes "retry-after: 0" as no advice (recorded in api_429_exhausted).
  if (outcome.retry_after && outcome.retry_after->count() > 0) {
    return std::min(*outcome.retry_after, kLongestAsked);
  }
  const int doublings = std::clamp(attempt - 1, 0, 16);
  const milliseconds wait = std::min(kFirstWait * (1 << doublings), kLongestWait);
  return wait + jitter(wait);
}

}  // namespace parley::agent
