#include "campaign/claims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <thread>

#include "base/stopwatch.h"

namespace ampere {
namespace {

constexpr std::chrono::milliseconds kNap{50};  // far less than a measurement takes
constexpr Seconds kQuietly{2};                 // a wait that nobody needs to know of

std::string point_of(const Suggestion& suggestion) {
  switch (suggestion.ask) {
    case Suggestion::Ask::time:
      return fmt::format("timing {} {}", suggestion.kind, fmt::join(suggestion.features, ","));
    case Suggestion::Ask::idle:
      return "idle";
    case Suggestion::Ask::measure:
      break;
  }
  return fmt::format("{} {} {} {}", to_string(suggestion.purpose), suggestion.kind,
                     model_hash(suggestion.model), suggestion.visit.value_or(0));
}

}  // namespace

std::unique_ptr<Claim> try_claim(Store& store, std::int64_t profile, const Suggestion& suggestion) {
  if (suggestion.ask == Suggestion::Ask::measure && (!suggestion.kept || !suggestion.visit))
    return std::make_unique<Claim>();
  return store.claim(profile, point_of(suggestion));
}

std::unique_ptr<Claim> wait_for_claim(const std::function<std::unique_ptr<Claim>()>& try_once,
                                      const ClaimWait& wait) {
  const Stopwatch since;
  bool told = false;
  for (;;) {
    if (auto claim = try_once()) return claim;
    wait.stop.throw_if_stopped();
    if (wait.give_up()) return nullptr;
    if (!told && since.elapsed() >= kQuietly) {
      told = true;
      wait.listener.warning(fmt::format("waiting for another process that measures {}", wait.what));
    }
    std::this_thread::sleep_for(kNap);
  }
}

}  // namespace ampere
