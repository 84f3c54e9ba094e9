// The browsers that are signed in: one entry for each, that can be listed and ended, and ends by
// itself when it is not used. A browser proves itself with two secrets. The cookie it sends by
// itself, but to every port of the host. The key is kept by the page, where only pages of the same
// origin can read it, and sent along by its scripts.
//
// Thread-safe. What is to be kept is given to a callback; there is no I/O here.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::server {

struct SignIn {
  std::string id;                      ///< Public, to end it by.
  std::string cookie, key;             ///< Secrets.
  std::string browser;                 ///< What it calls itself.
  std::int64_t created = 0, used = 0;  ///< Milliseconds since 1970.
};

/// How long one lasts after it was used last.
inline constexpr std::chrono::hours kSignInLife{7 * 24};

class SignIns {
 public:
  using Save = std::function<void(const std::string& text)>;
  using Clock = std::function<std::int64_t()>;

  /// `kept` is what `save` got last; anything else counts as nothing. `save` and `now`
  /// (milliseconds since 1970) are called on any thread.
  SignIns(std::string_view kept, Save save, Clock now);

  /// Signs a browser in. If there are too many, the one that was not used for longest ends.
  SignIn add(std::string_view browser);
  /// The one that both secrets belong to, which counts as a use of it.
  [[nodiscard]] std::optional<SignIn> use(std::string_view cookie, std::string_view key);
  /// The one that the cookie belongs to: enough to see the files of the page, and nothing else.
  [[nodiscard]] std::optional<SignIn> find(std::string_view cookie) const;
  [[nodiscard]] bool has(std::string_view id) const;
  /// The ones that last, the newest first.
  [[nodiscard]] std::vector<SignIn> list() const;
  /// False if there is none of that id.
  bool end(std::string_view id);

 private:
  [[nodiscard]] bool lasts(const SignIn& entry) const;
  void keep();

  const Save save_;
  const Clock now_;
  mutable std::mutex mutex_;
  std::vector<SignIn> entries_;
};

}  // namespace parley::server
