// Runs the same work over many files on all processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <stop_token>
#include <thread>
#include <vector>

namespace parley::history {

/// Calls work(index, worker) for each index below `count`, in no particular order, on up to
/// hardware_concurrency threads (the caller's is one of them); `worker` counts from 0 and is below
/// worker_count(count). Stops taking new indices when `stop` asks for it. `work` must not throw.
template <class Work>
void for_each_index(std::size_t count, std::stop_token stop, Work&& work);

[[nodiscard]] inline std::size_t worker_count(std::size_t count) {
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  return std::max<std::size_t>(1, std::min(processors, count));
}

template <class Work>
void for_each_index(std::size_t count, std::stop_token stop, Work&& work) {
  std::atomic<std::size_t> next{0};
  const auto run = [&](std::size_t worker) {
    for (std::size_t i = next++; i < count && !stop.stop_requested(); i = next++) work(i, worker);
  };
  std::vector<std::jthread> threads;
  for (std::size_t worker = 1; worker < worker_count(count); ++worker) {
    threads.emplace_back(run, worker);
  }
  run(0);
}

}  // namespace parley::history
