#include "server/api/sign_ins.hpp"

#include <algorithm>

#include "server/api/access.hpp"
#include "support/text/utf8.hpp"
#include "wire/json/json.hpp"

namespace parley::server {
namespace {

constexpr std::size_t kMostSignIns = 100;
/// Of what a browser calls itself.
constexpr std::size_t kBrowserBytes = 256;
/// A use is written down only if the last one that was is older than this.
constexpr std::int64_t kUseGrain = 3600 * 1000;

constexpr std::int64_t kLifeMs =
    std::chrono::duration_cast<std::chrono::milliseconds>(kSignInLife).count();

}  // namespace

SignIns::SignIns(std::string_view kept, Save save, Clock now)
    : save_(std::move(save)), now_(std::move(now)) {
  const auto json = Json::parse(kept);
  if (!json) return;
  for (const Json& item : (*json)["sign_ins"].items()) {
    SignIn entry;
    for (const auto& [name, member] : {std::pair<const char*, std::string*>{"id", &entry.id},
                                       {"cookie", &entry.cookie},
                                       {"key", &entry.key},
                                       {"browser", &entry.browser}}) {
      *member = item[name].as_string();
    }
    entry.created = item["created"].as_int();
    entry.used = item["used"].as_int();
    // One without secrets would be open to everybody.
    const bool whole = !entry.id.empty() && entry.cookie.size() >= 32 && entry.key.size() >= 32;
    if (whole && lasts(entry)) entries_.push_back(std::move(entry));
  }
}

bool SignIns::lasts(const SignIn& entry) const { return now_() - entry.used < kLifeMs; }

/// With the lock held.
void SignIns::keep() {
  std::erase_if(entries_, [this](const SignIn& entry) { return !lasts(entry); });
  Json items = Json::array();
  for (const SignIn& entry : entries_) {
    items.push(Json::object({{"id", entry.id},
                             {"cookie", entry.cookie},
                             {"key", entry.key},
                             {"browser", entry.browser},
                             {"created", entry.created},
                             {"used", entry.used}}));
  }
  save_(Json::object({{"sign_ins", items}}).dump(2) + "\n");
}

SignIn SignIns::add(std::string_view browser) {
  SignIn entry;
  entry.id = random_secret().substr(0, 16);
  entry.cookie = random_secret();
  entry.key = random_secret();
  entry.browser = to_utf8(browser.substr(0, kBrowserBytes));
  entry.created = entry.used = now_();
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= kMostSignIns) {
    entries_.erase(
        std::min_element(entries_.begin(), entries_.end(),
                         [](const SignIn& a, const SignIn& b) { return a.used < b.used; }));
  }
  entries_.push_back(entry);
  keep();
  return entry;
}

std::optional<SignIn> SignIns::use(std::string_view cookie, std::string_view key) {
  const std::lock_guard lock(mutex_);
  for (SignIn& entry : entries_) {
    if (!same_secret(entry.cookie, cookie) || !same_secret(entry.key, key) || !lasts(entry)) {
      continue;
    }
    if (const std::int64_t now = now_(); now - entry.used >= kUseGrain) {
      entry.used = now;
      keep();  // may move the entries
      for (const SignIn& kept : entries_) {
        if (same_secret(kept.cookie, cookie)) return kept;
      }
    }
    return entry;
  }
  return std::nullopt;
}

std::optional<SignIn> SignIns::find(std::string_view cookie) const {
  const std::lock_guard lock(mutex_);
  for (const SignIn& entry : entries_) {
    if (same_secret(entry.cookie, cookie) && lasts(entry)) return entry;
  }
  return std::nullopt;
}

bool SignIns::has(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const SignIn& entry) { return entry.id == id && lasts(entry); });
}

std::vector<SignIn> SignIns::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<SignIn> all;
  for (const SignIn& entry : entries_) {
    if (lasts(entry)) all.push_back(entry);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const SignIn& a, const SignIn& b) { return a.created > b.created; });
  return all;
}

bool SignIns::end(std::string_view id) {
  const std::lock_guard lock(mutex_);
  if (std::erase_if(entries_, [&](const SignIn& entry) { return entry.id == id; }) == 0) {
    return false;
  }
  keep();
  return true;
}

}  // namespace parley::server
