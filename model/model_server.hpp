// The Messages API as a server: a real HTTP endpoint for ANTHROPIC_BASE_URL, behind which a script
// or a small program plays the model.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "../wire/error.hpp"
#include "turn_source.hpp"

namespace parley::model {

struct ModelServerOptions {
  std::string host = "127.0.0.1";  ///< An address, not a name.
  std::uint16_t port = 0;          ///< 0: any free one.
  std::filesystem::path record;    ///< Where each request is written as a line; empty for nowhere.
};

/// A resource: listens from start() to the end of its life.
///
///   POST /v1/messages                the turn that `source` chooses, streamed or whole
///   POST /v1/messages/count_tokens   always 100
///   GET  /_parley/requests           what was asked so far, one JSON object per line
///   GET  /                           a word of welcome
class ModelServer {
 public:
  static Result<std::unique_ptr<ModelServer>> start(std::shared_ptr<TurnSource> source,
                                                    const ModelServerOptions& options = {});
  ~ModelServer();
  ModelServer(const ModelServer&) = delete;
  ModelServer& operator=(const ModelServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  /// For ANTHROPIC_BASE_URL.
  [[nodiscard]] std::string url() const;
  /// What GET /_parley/requests gives.
  [[nodiscard]] std::string requests() const;
  /// Gives running answers up to `grace` to end.
  void stop(std::chrono::milliseconds grace = std::chrono::milliseconds(0));

 private:
  struct Impl;
  explicit ModelServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace parley::model
