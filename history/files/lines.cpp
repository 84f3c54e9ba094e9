#include "history/files/lines.hpp"

#include <algorithm>
#include <cstring>

namespace parley::history {
namespace {

/// Small enough to stay in the processor's second cache between the copy and the scan.
constexpr std::size_t kBlockBytes = std::size_t{256} << 10;

}  // namespace

BlockReader::BlockReader(const File& file, std::uint64_t from, std::uint64_t to)
    : file_(file), offset_(from), end_(from), capacity_(kBlockBytes) {
  auto state = file.state();
  if (state) {
    end_ = std::max(from, std::min(to, state->size));
  } else {
    error_ = state.error();
  }
  capacity_ = static_cast<std::size_t>(
      std::min<std::uint64_t>(capacity_, std::max<std::uint64_t>(end_ - offset_, 1)));
  buffer_ = std::make_unique_for_overwrite<char[]>(capacity_);
}

bool BlockReader::fill() {
  const auto wanted = static_cast<std::size_t>(
      std::min<std::uint64_t>(capacity_ - used_, end_ - (offset_ + used_)));
  auto got = file_.read_at(offset_ + used_, buffer_.get() + used_, wanted);
  if (!got) {
    error_ = got.error();
    at_end_ = true;
    return false;
  }
  used_ += *got;
  if (*got < wanted || offset_ + used_ == end_) at_end_ = true;
  return true;
}

bool BlockReader::grow() {
  if (capacity_ >= kMaxLineBytes) return false;
  const std::size_t larger = std::min(capacity_ * 2, kMaxLineBytes);
  auto buffer = std::make_unique_for_overwrite<char[]>(larger);
  std::memcpy(buffer.get(), buffer_.get(), used_);
  buffer_ = std::move(buffer);
  capacity_ = larger;
  return true;
}

bool BlockReader::next(Block& block) {
  used_ -= consumed_;
  std::memmove(buffer_.get(), buffer_.get() + consumed_, used_);
  offset_ += consumed_;
  consumed_ = 0;
  for (;;) {
    if (!at_end_ && used_ < capacity_ && !fill()) return false;
    if (skipping_) {
      const void* newline = std::memchr(buffer_.get(), '\n', used_);
      const std::size_t dropped =
          newline == nullptr
              ? used_
              : static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.get()) + 1;
      used_ -= dropped;
      std::memmove(buffer_.get(), buffer_.get() + dropped, used_);
      offset_ += dropped;
      if (newline != nullptr) {
        skipping_ = false;
      } else if (at_end_) {
        return false;
      }
      continue;
    }
    if (used_ == 0) {
      if (at_end_) return false;
      continue;
    }
    const void* newline = ::memrchr(buffer_.get(), '\n', used_);
    if (newline != nullptr) {
      consumed_ = static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.get()) + 1;
    } else if (at_end_) {
      consumed_ = used_;
    } else if (used_ == capacity_ && !grow()) {
      ++oversized_;
      skipping_ = true;
      offset_ += used_;
      used_ = 0;
      continue;
    } else {
      continue;
    }
    block = {{buffer_.get(), consumed_}, offset_};
    return true;
  }
}

bool take_line(Block& block, Line& line) {
  while (!block.text.empty()) {
    const std::size_t length = std::min(block.text.find('\n'), block.text.size());
    line = {block.text.substr(0, length), block.offset};
    const std::size_t step = std::min(length + 1, block.text.size());
    block.text.remove_prefix(step);
    block.offset += step;
    if (std::any_of(line.text.begin(), line.text.end(),
                    [](char c) { return static_cast<unsigned char>(c) > ' '; })) {
      return true;
    }
  }
  return false;
}

bool LineReader::next(Line& line) {
  while (!take_line(block_, line)) {
    if (!blocks_.next(block_)) return false;
  }
  return true;
}

}  // namespace parley::history
