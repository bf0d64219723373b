#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ampere {
namespace {

TEST(InParallel, DoesEachPieceOnceAndAnnouncesItFromTheCallersThread) {
  std::vector<std::atomic<int>> done(200);
  std::vector<int> announced(done.size());
  const auto caller = std::this_thread::get_id();
  in_parallel(
      done.size(), [&](std::size_t i) { ++done[i]; },
      [&](std::size_t i) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        ++announced[i];
      });
  for (std::size_t i = 0; i < done.size(); ++i) {
    EXPECT_EQ(done[i], 1) << i;
    EXPECT_EQ(announced[i], 1) << i;
  }
  in_parallel(0, [](std::size_t) { FAIL(); });
}

TEST(InParallel, PassesOnWhatAPieceThrows) {
  std::atomic<int> begun = 0;
  try {
    in_parallel(1000, [&](std::size_t i) {
      ++begun;
      if (i == 3) throw std::runtime_error("three");
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()), "three");
  }
  EXPECT_GE(begun, 4);
}

TEST(InParallel, BeginsNothingMoreWhenTheAnnouncementThrows) {
  std::atomic<int> begun = 0;
  EXPECT_THROW(in_parallel(
                   1'000'000,
                   [&](std::size_t) {
                     ++begun;
                     std::this_thread::yield();
                   },
                   [](std::size_t i) {
                     if (i > 10) throw std::runtime_error("stop");
                   }),
               std::runtime_error);
  EXPECT_LT(begun, 1'000'000);
}

}  // namespace
}  // namespace ampere
