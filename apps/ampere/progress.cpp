#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace ampere {

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::show(const std::string& text) {
  if (!terminal_) return;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::keep() {
  if (shown_) fmt::print(stderr, "\n");
  shown_ = false;
}

}  // namespace ampere
