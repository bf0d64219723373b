#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "score/score_store.h"
#include "support/law_rig.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::additive_law;
using testing_support::LawRig;

Listener ignored;

ScoreTask task_of(const std::vector<std::string>& networks, const std::string& device = "mine",
                  const std::string& delegate = "CPU1") {
  ScoreTask task{device, delegate, {}, {}};
  for (const std::string& network : networks) task.networks.push_back(open_model(network));
  return task;
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "taken";
}

class StoredCells : public testing::Test {
 protected:
  int measure(const ScoreTask& task, LawRig& rig) {
    return measure_cells(task, rig, "test", *store_, {}, ignored);
  }

  std::unique_ptr<Store> store_ = open_store("memory:");
  LawRig rig_{additive_law};
};

TEST_F(StoredCells, AreWhatWasMeasured) {
  EXPECT_EQ(measure(task_of({"lenet5", "cnn5"}), rig_), 2);
  const std::vector<ScoreCell> cells = stored_cells(*store_);
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].device, "mine");
  EXPECT_EQ(cells[0].delegate, "CPU1");
  EXPECT_EQ(cells[0].network, "cnn5");
  EXPECT_EQ(cells[0].source, Source::simulated);
  EXPECT_DOUBLE_EQ(*cells[0].energy_j, additive_law(open_model("cnn5")));
  EXPECT_NEAR(*cells[0].power_w, 10, 1e-9);
  EXPECT_DOUBLE_EQ(*cells[0].latency_s, *cells[0].energy_j / 10);
}

TEST_F(StoredCells, AreMeasuredOnceUnlessAskedAfresh) {
  ScoreTask task = task_of({"lenet5"});
  measure(task, rig_);
  EXPECT_EQ(measure(task, rig_), 0);
  task.networks.push_back(open_model("cnn5"));
  EXPECT_EQ(measure(task, rig_), 1);
  task.afresh = true;
  EXPECT_EQ(measure(task, rig_), 2);
  EXPECT_EQ(rig_.measured, 4);
  EXPECT_EQ(stored_cells(*store_).size(), 2u);
}

TEST_F(StoredCells, TakeTheLatestMeasurement) {
  double factor = 1;
  LawRig rig([&](const Model& model) { return factor * additive_law(model); });
  ScoreTask task = task_of({"lenet5"});
  measure(task, rig);
  factor = 3;
  task.afresh = true;
  measure(task, rig);
  EXPECT_NEAR(*stored_cells(*store_)[0].energy_j, 3 * additive_law(open_model("lenet5")), 1e-12);
}

TEST_F(StoredCells, OfWhatFailsAreEmptyWithTheReason) {
  LawRig rig([](const Model& model) -> double {
    if (model.name() == "cnn5") throw Error(ErrorCode::failed, "out of memory");
    return additive_law(model);
  });
  measure(task_of({"cnn5", "lenet5"}), rig);
  const std::vector<ScoreCell> cells = stored_cells(*store_);
  EXPECT_FALSE(cells[0].energy_j);
  EXPECT_EQ(cells[0].reason, "out of memory");
  EXPECT_TRUE(cells[1].energy_j);
  EXPECT_EQ(measure(task_of({"cnn5", "lenet5"}), rig), 0) << "it would fail again";
}

TEST_F(StoredCells, OfARunThatStoppedAreNotMeasuredYet) {
  LawRig rig([](const Model& model) -> double {
    if (model.name() == "har") throw Error(ErrorCode::no_meter, "unplugged");
    return additive_law(model);
  });
  EXPECT_THROW(measure(task_of({"lenet5", "har", "cnn5"}), rig), Error);
  const std::vector<ScoreCell> cells = stored_cells(*store_);
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_EQ(cells[0].reason, "not measured yet");
  EXPECT_TRUE(cells[2].energy_j);
  EXPECT_EQ(measure(task_of({"lenet5", "har", "cnn5"}), rig_), 2);
}

TEST_F(StoredCells, OneProfileMayBeTwoDelegates) {
  measure(task_of({"lenet5"}, "mine", "CPU1"), rig_);
  EXPECT_EQ(measure(task_of({"lenet5"}, "mine", "CPU"), rig_), 0);
  EXPECT_EQ(stored_cells(*store_).size(), 2u);
}

TEST_F(StoredCells, ANameIsOneNetworkOnAllDevices) {
  measure(task_of({"lenet5"}), rig_);
  ModelBuilder builder("lenet5");
  builder.add(Input{image(1, 8, 8)}, {});
  builder.add(Flatten{});
  builder.add(Linear{10});
  ScoreTask other = task_of({}, "yours");
  other.networks.push_back(std::move(builder).build());
  EXPECT_THAT(refusal([&] { measure(task_of({"lenet5"}, "mine", "GPU"), rig_); }), "taken");
  EXPECT_THAT(refusal([&] { measure(other, rig_); }), HasSubstr("another network"));
  EXPECT_EQ(scored_as(*store_, rig_.device()), "mine");
}

TEST_F(StoredCells, OfOthersAreKeptBesideAndReplaced) {
  keep_cells(*store_, std::vector<ScoreCell>{{"phone", "GPU", "a", 1.0, 2.0, {}},
                                             {"phone", "GPU", "b", {}, {}, {}}});
  keep_cells(*store_, std::vector<ScoreCell>{{"phone", "GPU", "a", 5.0, 2.0, {}},
                                             {"tablet", "GPU", "a", 1.0, 2.0, {}}});
  const std::vector<ScoreCell> cells = stored_cells(*store_);
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_EQ(cells[0].network, "b");
  EXPECT_EQ(cells[0].reason, "not in the table it is from");
  EXPECT_DOUBLE_EQ(*cells[1].energy_j, 5);
  EXPECT_EQ(cells[2].device, "tablet");
}

TEST_F(StoredCells, OfOthersNeverMixWithMeasuredOnes) {
  measure(task_of({"lenet5"}), rig_);
  const std::vector<ScoreCell> same{{"mine", "GPU", "a", 1.0, 2.0, {}}};
  EXPECT_THAT(refusal([&] { keep_cells(*store_, same); }), HasSubstr("measured 'mine' itself"));
  keep_cells(*store_, std::vector<ScoreCell>{{"phone", "GPU", "a", 1.0, 2.0, {}}});
  EXPECT_THAT(refusal([&] { measure(task_of({"cnn5"}, "phone"), rig_); }),
              HasSubstr("cells of 'phone' from others"));
}

}  // namespace
}  // namespace ampere
