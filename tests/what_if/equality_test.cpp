// The page says what the program says.
#include "compare.h"
#include "known.h"

namespace ampere {
namespace {

struct Cell {
  std::string device, family;  // the device is simulated; empty: the recorded one
  std::int64_t batch = 10;
  int networks = 1;
};

void PrintTo(const Cell& cell, std::ostream* out) {
  *out << (cell.device.empty() ? "recorded" : cell.device) << " " << cell.family << " "
       << cell.batch;
}

std::string rig_of(const Cell& cell) {
  if (!cell.device.empty()) return "sim:" + cell.device;
  return "recorded:" AMPERE_DATA "/h200_" + cell.family + "_batch" + std::to_string(cell.batch) +
         ".jsonl.gz";
}

class Equality : public Page, public testing::WithParamInterface<Cell> {};

TEST_P(Equality, ThePageSaysWhatTheEstimatorsSay) {
  const Cell& cell = GetParam();
  const Known known = learn(rig_of(cell), cell.family, cell.batch, cell.networks);
  {
    SCOPED_TRACE("dual");
    const auto estimator = make_dual_estimator(known.dual);
    const std::string what_if = estimator->what_if(known.original);
    EXPECT_LT(what_if.size(), 2'000'000u) << "a page holds several";
    expect_equal(known.original, what_if, *estimator);
  }
  {
    SCOPED_TRACE("ampere");
    const auto estimator = make_ampere_estimator(known.fits, known.setup);
    const std::string what_if = estimator->what_if(known.original);
    EXPECT_LT(what_if.size(), 100'000u);
    expect_equal(known.original, what_if, *estimator);
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, Equality,
                         testing::Values(Cell{"", "lenet5", 10, 40}, Cell{"", "cnn5", 128, 40},
                                         Cell{"", "har", 10, 40}, Cell{"", "lstm", 128, 40},
                                         Cell{"", "transformer", 128, 25},
                                         Cell{"", "resnet18", 128, 25}));

INSTANTIATE_TEST_SUITE_P(Simulated, Equality,
                         testing::Values(Cell{"server", "lenet5"}, Cell{"xavier", "cnn5"},
                                         Cell{"ideal", "har"}, Cell{"server", "lstm"},
                                         Cell{"server", "transformer"}, Cell{"server", "resnet18"},
                                         Cell{"server", "mobilenet_v2"},
                                         Cell{"server", "squeezenet"}, Cell{"server", "googlenet"},
                                         Cell{"server", "densenet121"},
                                         Cell{"server", "shufflenet_v2"}));

}  // namespace
}  // namespace ampere
