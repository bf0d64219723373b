#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace ampere {
namespace {

constexpr std::size_t kMostThreads = 16;

class Pieces {
 public:
  Pieces(std::size_t count, const std::function<void(std::size_t)>& work)
      : count_(count), work_(work), failures_(count) {}

  // False when there is nothing left to do.
  bool do_next() {
    const std::size_t i = next_++;
    if (i >= count_) return false;
    try {
      work_(i);
    } catch (...) {
      failures_[i] = std::current_exception();
      stop();
    }
    return true;
  }

  void stop() { next_ = count_; }
  std::size_t begun() const { return std::min<std::size_t>(next_, count_); }

  void rethrow() const {
    for (const std::exception_ptr& failure : failures_)
      if (failure) std::rethrow_exception(failure);
  }

 private:
  const std::size_t count_;
  const std::function<void(std::size_t)>& work_;
  std::vector<std::exception_ptr> failures_;  // one per piece
  std::atomic<std::size_t> next_{0};
};

// Where the system has no more threads to give, those that there are do the work.
std::vector<std::jthread> start_helpers(std::size_t count, Pieces& pieces) {
  std::vector<std::jthread> helpers;
  try {
    while (helpers.size() < count)
      helpers.emplace_back([&pieces] {
        while (pieces.do_next()) {
        }
      });
  } catch (const std::system_error&) {
  }
  return helpers;
}

}  // namespace

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work,
                 const std::function<void(std::size_t)>& before) {
  Pieces pieces(count, work);
  const std::size_t threads =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
  std::size_t told = 0;
  const auto tell = [&](std::size_t up_to) {
    for (; before && told < up_to; ++told) before(told);
  };
  {
    const auto helpers = start_helpers(std::min(threads, count) - (count > 0 ? 1 : 0), pieces);
    try {
      do tell(pieces.begun());
      while (pieces.do_next());
    } catch (...) {
      pieces.stop();
      throw;  // after the helpers have ended
    }
  }
  pieces.rethrow();
  tell(count);
}

}  // namespace ampere
