#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "ampere/error.h"
#include "base/text.h"
#include "record/training_json.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

TrainingState sample() {
  TrainingState state;
  state.weights["conv1.weight"] = {{2, 1, 3}, {1, -2.5f, 1e-30f, 3, 0.1f, 1e30f}};
  state.weights["empty"] = {{0}, {}};
  state.optimizer["conv1.weight.momentum"] = {{2}, {0.5f, -0.5f}};
  TrainingEpoch epoch;
  epoch.loss = 0.1 + 0.2;
  epoch.test = TestScore{1.0 / 3, 0.9};
  epoch.iterations = 469;
  epoch.time = Seconds{1.5};
  epoch.test_time = Seconds{0.25};
  epoch.energy = {300.125};
  epoch.test_energy = {20.5};
  state.epochs = {epoch, epoch};
  state.epochs.back().test = std::nullopt;
  return state;
}

void expect_equal(const TrainingState& a, const TrainingState& b) {
  ASSERT_EQ(a.weights.size(), b.weights.size());
  for (const auto& [name, tensor] : a.weights) {
    EXPECT_EQ(tensor.sizes, b.weights.at(name).sizes);
    EXPECT_EQ(tensor.values, b.weights.at(name).values);
  }
  EXPECT_EQ(a.optimizer.size(), b.optimizer.size());
  ASSERT_EQ(a.epochs.size(), b.epochs.size());
  for (std::size_t i = 0; i < a.epochs.size(); ++i) {
    EXPECT_EQ(a.epochs[i].loss, b.epochs[i].loss);
    EXPECT_EQ(a.epochs[i].iterations, b.epochs[i].iterations);
    EXPECT_EQ(a.epochs[i].time, b.epochs[i].time);
    EXPECT_EQ(a.epochs[i].energy, b.epochs[i].energy);
    EXPECT_EQ(a.epochs[i].test_time, b.epochs[i].test_time);
    EXPECT_EQ(a.epochs[i].test_energy, b.epochs[i].test_energy);
    ASSERT_EQ(a.epochs[i].test.has_value(), b.epochs[i].test.has_value());
    if (a.epochs[i].test) {
      EXPECT_EQ(a.epochs[i].test->loss, b.epochs[i].test->loss);
      EXPECT_EQ(a.epochs[i].test->accuracy, b.epochs[i].test->accuracy);
    }
  }
}

Error parse_error(const std::string& text) {
  try {
    parse_training_state(text, "state.json");
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorCode::failed, ""};
}

// The text of a state with one thing replaced.
std::string with(const std::string& pointer, const Json& value) {
  Json json = Json::parse(to_text(sample()));
  json[Json::json_pointer(pointer)] = value;
  return json.dump();
}

class TrainingFile : public ::testing::Test {
 protected:
  TrainingFile() {
    std::string name = ::testing::TempDir() + "training_XXXXXX";
    folder_ = mkdtemp(name.data());
    path_ = (folder_ / "state.json").string();
  }
  ~TrainingFile() override { fs::remove_all(folder_); }

  fs::path folder_;
  std::string path_;
};

TEST(TrainingStateText, IsReadBackExactly) {
  expect_equal(parse_training_state(to_text(sample()), "here"), sample());
  expect_equal(parse_training_state(to_text({}), "here"), {});
}

TEST(TrainingStateText, AddsUpTheEnergyOfAllEpochs) {
  EXPECT_DOUBLE_EQ(sample().energy().value, 2 * 320.625);
}

TEST(TrainingStateText, NamesWhatIsWrong) {
  const auto complaint = [](const std::string& text) {
    const Error error = parse_error(text);
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("state.json"));
    return std::string(error.what());
  };
  const std::string tensor = "/state/weights/0/";
  EXPECT_THAT(complaint(with(tensor + "sizes", {2, 1, 4})), HasSubstr("6 numbers"));
  EXPECT_THAT(complaint(with(tensor + "sizes", {-2, -3})), HasSubstr("weights[0].sizes"));
  EXPECT_THAT(complaint(with(tensor + "sizes", Json::array({1LL << 40, 1LL << 40}))),
              HasSubstr("weights[0].sizes"));
  EXPECT_THAT(complaint(with(tensor + "values", "!!!!")), HasSubstr("packed numbers"));
  EXPECT_THAT(complaint(with(tensor + "values", 3)), HasSubstr("weights[0].values"));
  EXPECT_THAT(complaint(with("/state/weights/1/name", "conv1.weight")), HasSubstr("twice"));
  EXPECT_THAT(complaint(with("/state/epochs/0/energy_j", -1)), HasSubstr("epochs[0].energy_j"));
  EXPECT_THAT(complaint(with("/state/epochs/0/test/accuracy", 1.5)), HasSubstr("accuracy"));
  EXPECT_THAT(complaint(with("/ampere_training", 2)), HasSubstr("another version"));
  EXPECT_THAT(complaint(with("/state", "none")), HasSubstr("state"));
  EXPECT_THAT(complaint("{}"), HasSubstr("not a training state"));
  EXPECT_THAT(complaint("[]"), HasSubstr("not a training state"));
}

TEST_F(TrainingFile, IsReadBackExactly) {
  save_training(path_, sample());
  expect_equal(load_training(path_), sample());
  save_training(path_, {});
  EXPECT_TRUE(load_training(path_).weights.empty()) << "the new one takes the place of the old";
}

TEST_F(TrainingFile, LeavesNothingElseBehind) {
  save_training(path_, sample());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(TrainingFile, KeepsTheOldOneWhenTheDiskRefuses) {
  try {
    save_training((folder_ / "nowhere" / "state.json").string(), sample());
    ADD_FAILURE() << "it was saved";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
  }
  fs::create_directory(folder_ / "taken");
  EXPECT_THROW(save_training((folder_ / "taken").string(), sample()), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(TrainingFile, RefusesWhatWasCutOff) {
  save_training(path_, sample());
  const std::string text = read_text_file(path_);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, text.size() / 2, text.size() - 1}) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << text.substr(0, size);
    try {
      load_training(path_);
      ADD_FAILURE() << size << " bytes were read";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_THAT(error.what(), HasSubstr(path_));
    }
  }
}

TEST_F(TrainingFile, KnowsNothingOfAFileThatIsNotThere) {
  try {
    load_training(path_);
    FAIL() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
  }
}

TEST(TrainingJson, CarriesATaskAndAResult) {
  ModelBuilder builder("net");
  builder.add(Input{flat(8)});
  builder.add(Linear{4});
  TrainingTask task;
  task.model = std::move(builder).build();
  task.setup.optimizer = Optimizer::adam;
  task.data = "idx:/data";
  task.epochs = 7;
  task.learning_rate = 0.003;
  task.seed = std::numeric_limits<unsigned>::max();
  task.stop_at = Joules{1234.5};
  task.from = sample();
  const Json json = training_task_json(task);
  const TrainingTask read = read_training_task(JsonField(json, "task: "));
  EXPECT_EQ(model_hash(read.model), model_hash(task.model));
  EXPECT_EQ(read.setup, task.setup);
  EXPECT_EQ(read.data, task.data);
  EXPECT_EQ(read.epochs, 7);
  EXPECT_EQ(read.learning_rate, 0.003);
  EXPECT_EQ(read.seed, task.seed);
  EXPECT_EQ(read.stop_at, task.stop_at);
  expect_equal(read.from, task.from);

  const TrainingResult result{sample(), TestScore{0.5, 0.75}, "why", {12.5}, Source::modelled};
  const Json result_json = training_result_json(result);
  const TrainingResult back = read_training_result(JsonField(result_json, "result: "));
  expect_equal(back.state, result.state);
  EXPECT_EQ(back.test->accuracy, 0.75);
  EXPECT_EQ(back.stopped, "why");
  EXPECT_EQ(back.energy.value, 12.5);
  EXPECT_EQ(back.source, Source::modelled);
}

TEST(TrainingJson, CarriesTheShapeOfEverySample) {
  for (const TensorShape& shape : {flat(12), tokens(64, 96), image(3, 32, 32), line(9, 128)}) {
    const Json json = data_info_json({shape, 10, 600, 100});
    const DataInfo data = read_data_info(JsonField(json, "data: "));
    EXPECT_EQ(data.sample, shape);
    EXPECT_EQ(data.test_samples, 100);
  }
}

}  // namespace
}  // namespace ampere
