// docs/results/h200-ablation.md: what a run of a network says of the next one, from recordings of
// an NVIDIA H200. The replay must be as good as what is published, or better.
#include <gtest/gtest.h>

#include "bench/dual/leaning.h"

namespace ampere {
namespace {

constexpr double kPoint = 0.01;  // one percentage point

struct Cell {
  const char* recording;
  const char* family;
  std::int64_t batch;
  int networks;
  unsigned seed;
  double leaning = 1;  // mean error of the second visit, as published
};

Leaning replayed(const Cell& cell) {
  return leaning_of(replay(std::string(AMPERE_DATA "/h200_") + cell.recording + ".jsonl.gz",
                           cell.family, cell.batch, cell.networks, cell.seed));
}

TEST(RecordedLeaning, WhereTheDeviceIsTheLimitOneRunIsWorthMoreThanTheLaws) {
  for (const Cell& cell : {Cell{"resnet18_batch128", "resnet18", 128, 25, 11, 0.067},
                           Cell{"resnet18_batch128_seed12", "resnet18", 128, 25, 12, 0.053}}) {
    const Leaning leaning = replayed(cell);
    EXPECT_LT(leaning.leaning.mape, cell.leaning + kPoint) << cell.recording;
    EXPECT_LT(leaning.leaning.mape, leaning.by_laws.mape) << cell.recording;
    EXPECT_GT(*leaning.leaning.coverage, *leaning.by_laws.coverage) << cell.recording;
    EXPECT_LT(leaning.width_leaning, leaning.width_by_laws) << cell.recording;
  }
}

TEST(RecordedLeaning, WhereTheHostIsTheLimitItsNoiseIsNotLeanedOn) {
  for (const Cell& cell :
       {Cell{"har_batch10", "har", 10, 40, 11}, Cell{"lstm_batch128", "lstm", 128, 40, 11},
        Cell{"transformer_batch10", "transformer", 10, 25, 11}}) {
    const Leaning leaning = replayed(cell);
    EXPECT_LT(leaning.leaning.mape, leaning.by_laws.mape + 0.1 * kPoint) << cell.recording;
    EXPECT_GE(*leaning.leaning.coverage, *leaning.by_laws.coverage) << cell.recording;
  }
}

}  // namespace
}  // namespace ampere
