#include "sql/patience.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace ampere {
namespace {

constexpr std::chrono::milliseconds kQuietly{2000};  // a wait that nobody needs to know of
constexpr std::chrono::milliseconds kFirstNap{1}, kLongestNap{50};

}  // namespace

void Patience::begin() {
  since_ = std::chrono::steady_clock::now();
  naps_ = 0;
  told_ = false;
}

bool Patience::goes_on(const std::function<std::string()>& reason) {
  const auto waited = std::chrono::steady_clock::now() - since_;
  if (wait_.stop.stop_requested() || waited >= wait_.patience) return false;
  if (!told_ && waited >= kQuietly) {
    told_ = true;
    const auto left = std::chrono::ceil<std::chrono::seconds>(wait_.patience - waited);
    if (wait_.tell) wait_.tell(fmt::format("{}, for {} s at most", reason(), left.count()));
  }
  std::this_thread::sleep_for(std::min(kLongestNap, kFirstNap * ++naps_));
  return true;
}

}  // namespace ampere
