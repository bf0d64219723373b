// What `ampere choose` predicts against what was measured: training steps of eleven networks on an
// NVIDIA H200, six settings each, and of three more with ten to twelve, from recordings. The
// figures are those of docs/results/choose.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/text.h"
#include "cli.h"

namespace ampere {
namespace {

using testing_support::Cli;
using testing_support::Ran;

struct Step {
  const char *network, *batches, *optimizer;
  const char* more = "";  // arguments of its script
};
constexpr Step kSteps[] = {
    {"swin_t", "8,32,96", "adamw"},
    {"lstm", "10,40,128", "adamw"},
    {"unet", "2,8,24", "sgd"},
    {"vit_b_16", "8,32,96", "adamw"},
    {"densenet121", "8,32,96", "sgd"},
    {"bert_base", "8,32,96", "adamw"},
    {"mobilenet_v3_large", "16,64,192", "sgd"},
    {"gpt2", "1,4,12", "adamw"},
    {"convnext_tiny", "8,32,96", "adamw"},
    {"t5_small", "4,16,64", "adamw"},
    {"efficientnet_b0", "8,32,128", "sgd"},
};

// Five and six batches of each network, in both formats.
constexpr Step kManySettings[] = {
    {"resnet50", "16,32,64,96,128,256", "sgd"},
    {"vit_b_16", "8,16,32,48,96,128", "adamw"},
    {"gpt2", "1,2,4,8,12", "adamw", " --arg length=1024"},
};

Json chosen(const Cli& cli, const Step& step, const std::string& recording = "h200_unseen") {
  const Ran ran =
      cli.run(std::string("choose " AMPERE_STEPS ":build --precision fp32,bf16 --check "
                          "12 --json --device h200 --store sqlite:s.db --rig "
                          "recorded:" AMPERE_DATA "/") +
              recording + ".jsonl.gz --batch " + step.batches + " --arg network=" + step.network +
              " --arg optimizer=" + step.optimizer + step.more);
  EXPECT_EQ(ran.status, 0) << ran.err;
  return ran.json();
}

// 1 where the prediction has it first too.
int rank_of_measured_best(const Json& json, const char* cost) {
  const Json& all = json.at("checked").at("measured");
  const Json* best = &all.at(0);
  for (const Json& one : all)
    if (one.at(cost) < best->at(cost)) best = &one;
  const auto predicted = [&](const Json& one) {
    const auto position = one.at("alternative").get<std::size_t>();
    return json.at("alternatives").at(position).at(cost).at("mean").get<double>();
  };
  return 1 + static_cast<int>(std::ranges::count_if(
                 all, [&](const Json& one) { return predicted(one) < predicted(*best); }));
}

// Positions of the measured ones that no other beats.
std::set<std::size_t> measured_front(const Json& json) {
  const Json& all = json.at("checked").at("measured");
  std::set<std::size_t> front;
  for (const Json& one : all) {
    bool beaten = false;
    for (const Json& other : all)
      beaten |= other.at("energy_j") < one.at("energy_j") && other.at("time_s") < one.at("time_s");
    if (!beaten) front.insert(one.at("alternative").get<std::size_t>());
  }
  return front;
}

class RecordedChoice : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Cli cli;
    for (const Step& step : kSteps) choices_.push_back(chosen(cli, step));
  }
  static std::vector<Json> choices_;
};
std::vector<Json> RecordedChoice::choices_;

TEST_F(RecordedChoice, TheMeasuredBestIsAmongThePredictedTwo) {
  for (const char* cost : {"energy_j", "time_s"}) {
    int first = 0;
    for (const Json& json : choices_) {
      EXPECT_LE(rank_of_measured_best(json, cost), 2) << cost << " " << json.at("checked");
      first += rank_of_measured_best(json, cost) == 1;
    }
    EXPECT_GE(first, 10) << cost;
  }
}

TEST_F(RecordedChoice, TheOrderHoldsInNineOfTenPairs) {
  int held = 0, turned = 0;
  for (const Json& json : choices_) {
    EXPECT_EQ(json.at("checked").at("measured").size(), 6u);
    held += json.at("checked").at("pairs_held").get<int>();
    turned += json.at("checked").at("pairs_turned").get<int>();
  }
  EXPECT_GT(held, 130);
  EXPECT_GT(held, 9 * turned);
}

TEST_F(RecordedChoice, TheFrontIsThatWhichWasMeasured) {
  int same = 0;
  for (const Json& json : choices_) {
    std::set<std::size_t> predicted;
    for (std::size_t i = 0; i < json.at("alternatives").size(); ++i)
      if (json.at("alternatives").at(i).at("front")) predicted.insert(i);
    same += predicted == measured_front(json);
  }
  EXPECT_GE(same, 9);
}

// Measured in another run of the same steps: network,batch,precision,measured_bytes.
std::map<std::string, double> measured_peaks() {
  std::map<std::string, double> peaks;
  std::istringstream lines(read_text_file(AMPERE_DATA "/h200_peaks.csv"));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string network, batch, precision, bytes;
    std::getline(std::getline(std::getline(cells, network, ','), batch, ','), precision, ',') >>
        bytes;
    peaks[network + " batch " + batch + ", precision " + precision] = std::stod(bytes);
  }
  return peaks;
}

TEST(RecordedSettings, TheBestOfManyIsPredictedAndThePeaksAreClose) {
  const Cli cli;
  const std::map<std::string, double> peaks = measured_peaks();
  int compared = 0;
  for (const Step& step : kManySettings) {
    const Json json = chosen(cli, step, "h200_modern");
    EXPECT_GE(json.at("checked").at("measured").size(), 10u) << step.network;
    for (const char* cost : {"energy_j", "time_s"})
      EXPECT_EQ(rank_of_measured_best(json, cost), 1) << step.network << " " << cost;
    for (const Json& one : json.at("alternatives")) {
      const auto peak = peaks.find(step.network + (" " + one.at("name").get<std::string>()));
      if (peak == peaks.end()) continue;
      ++compared;
      EXPECT_NEAR(one.at("peak_memory_bytes").get<double>() / peak->second, 1, 0.08) << peak->first;
    }
  }
  EXPECT_EQ(compared, 26);
}

}  // namespace
}  // namespace ampere
