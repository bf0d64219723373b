#include "schedule/step_function.h"

#include <algorithm>
#include <limits>

namespace ampere {
namespace {

constexpr std::size_t kLargestChunk = 256;

std::size_t index_of(const std::vector<double>& from, double time) {
  const auto after = std::upper_bound(from.begin() + 1, from.end(), time);
  return static_cast<std::size_t>(after - from.begin()) - 1;
}

}  // namespace

StepFunction::StepFunction() : starts_{0.}, chunks_(1) {
  chunks_.front().from = {0.};
  chunks_.front().level = {0.};
}

void StepFunction::Chunk::summarise() {
  const auto [low, high] = std::minmax_element(level.begin(), level.end());
  lowest = *low + added;
  highest = *high + added;
}

std::size_t StepFunction::chunk_of(double time) const { return index_of(starts_, time); }

double StepFunction::end_of(std::size_t chunk) const {
  return chunk + 1 < starts_.size() ? starts_[chunk + 1] : std::numeric_limits<double>::infinity();
}

void StepFunction::make_step(double time) {
  const std::size_t at = chunk_of(time);
  Chunk& chunk = chunks_[at];
  const std::size_t i = index_of(chunk.from, time);
  if (chunk.from[i] == time) return;
  const auto next = static_cast<std::ptrdiff_t>(i + 1);
  chunk.from.insert(chunk.from.begin() + next, time);
  chunk.level.insert(chunk.level.begin() + next, chunk.level[i]);
  if (chunk.from.size() > kLargestChunk) split(at);
}

void StepFunction::split(std::size_t at) {
  Chunk second;
  Chunk& first = chunks_[at];
  const auto half = static_cast<std::ptrdiff_t>(first.from.size() / 2);
  second.from.assign(first.from.begin() + half, first.from.end());
  second.level.assign(first.level.begin() + half, first.level.end());
  second.added = first.added;
  first.from.resize(static_cast<std::size_t>(half));
  first.level.resize(static_cast<std::size_t>(half));
  first.summarise();
  second.summarise();
  const auto next = static_cast<std::ptrdiff_t>(at + 1);
  starts_.insert(starts_.begin() + next, second.from.front());
  chunks_.insert(chunks_.begin() + next, std::move(second));
}

void StepFunction::add(double begin, double end, double amount) {
  make_step(begin);
  make_step(end);
  for (std::size_t at = chunk_of(begin); at < chunks_.size() && starts_[at] < end; ++at) {
    Chunk& chunk = chunks_[at];
    if (begin <= starts_[at] && end_of(at) <= end) {
      chunk.added += amount;
      chunk.lowest += amount;
      chunk.highest += amount;
      continue;
    }
    for (std::size_t i = begin <= chunk.from[0] ? 0 : index_of(chunk.from, begin);
         i < chunk.from.size() && chunk.from[i] < end; ++i)
      chunk.level[i] += amount;
    chunk.summarise();
  }
}

// The last step of the chunk that is above the room ends here. Something is above it.
double StepFunction::last_blocked_until(std::size_t at, double room) const {
  const Chunk& chunk = chunks_[at];
  std::size_t i = chunk.from.size();
  while (chunk.level[i - 1] + chunk.added <= room) --i;
  return i < chunk.from.size() ? chunk.from[i] : end_of(at);
}

double StepFunction::first_fit(double from, double length, double room, double latest) const {
  double begin = from;  // free from here up to where the scan has come
  for (std::size_t at = chunk_of(from); at < chunks_.size() && begin <= latest; ++at) {
    const Chunk& chunk = chunks_[at];
    const double end = end_of(at);
    if (chunk.highest > room && begin + length > end) {
      // Nothing that begins in this chunk ends in it, so only its last blocked step matters.
      begin = std::max(begin, chunk.lowest > room ? end : last_blocked_until(at, room));
    } else if (chunk.highest > room) {
      for (std::size_t i = begin > chunk.from[0] ? index_of(chunk.from, begin) : 0;
           i < chunk.from.size(); ++i) {
        if (chunk.level[i] + chunk.added <= room) continue;
        if (chunk.from[i] >= begin + length) return begin;
        begin = std::max(begin, i + 1 < chunk.from.size() ? chunk.from[i + 1] : end);
      }
    }
    if (end >= begin + length) return begin;
  }
  return begin;
}

}  // namespace ampere
