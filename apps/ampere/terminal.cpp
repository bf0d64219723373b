#include "terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "ampere/train.h"
#include "colour.h"
#include "print.h"

namespace ampere {
namespace {

std::string text_of(const Progress& now) {
  std::string text = now.step;
  if (!now.title.empty()) text += fmt::format("{}{}", text.empty() ? "" : " ", now.title);
  if (now.of > 0) text += fmt::format(": {} of {}", now.done, now.of);
  if (now.of == 0 && now.done > 0) text += fmt::format(": {}", now.done);
  if (now.failures > 0) text += fmt::format(" ({} failed)", now.failures);
  if (now.uncertainty) text += fmt::format(", uncertainty {}", percent(*now.uncertainty));
  if (now.left && now.left->count() > 0)
    text += fmt::format(", at most {} left", duration(now.left->count()));
  return text;
}

}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() { clear(); }

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

void ProgressLine::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

void TerminalListener::progress(const Progress& now) {
  line_.show((subject_.empty() ? "" : subject_ + ": ") + text_of(now));
  if (now.finished) line_.keep();
}

void TerminalListener::training(const std::string& network, const TrainingProgress& now) {
  line_.show(fmt::format("{}: epoch {} of {}, {:.0f} %, loss {:.4f}{}, {} so far", network,
                         now.epoch, now.epochs, 100 * now.share, now.loss,
                         now.test ? ", accuracy " + percent(now.test->accuracy) : "",
                         with_unit(now.energy.value, "J")));
}

void TerminalListener::warning(const std::string& text) {
  line_.keep();
  print_warning((subject_.empty() ? "" : subject_ + ": ") + text);
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) print_warning(warning);
}

void print_warning(const std::string& warning) {
  fmt::print(stderr, "{} {}\n", toned("ampere: warning:", Tone::warning), warning);
}

}  // namespace ampere
