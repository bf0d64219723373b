#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/text.h"
#include "record/training_json.h"
#include "rig/serve.h"
#include "virtual_device.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;

TrainingTask training_task_of(int epochs) {
  TrainingTask task;
  task.model = testing_support::tiny_model();
  task.data = "virtual";
  task.epochs = epochs;
  return task;
}

Json request_of(const TrainingTask& task) {
  Json request = training_task_json(task);
  request["id"] = 7;
  request["do"] = "train";
  return request;
}

// What is answered to one request.
std::vector<Json> answers(const Json& request) {
  std::istringstream in(request.dump() + "\n");
  std::ostringstream out;
  RunnerServer server(in, out);
  auto bench = testing_support::make_virtual_rig();
  bench.device->batches = 600;
  server.serve(*bench.rig);
  std::vector<Json> lines;
  for (const std::string& line : split(out.str(), '\n'))
    if (!line.empty()) lines.push_back(Json::parse(line));
  lines.erase(lines.begin());
  return lines;
}

int count_of(const std::vector<Json>& lines, const char* key) {
  int count = 0;
  for (const Json& line : lines) count += line.contains(key);
  return count;
}

TEST(ServingTraining, SendsProgressCheckpointsAndTheResult) {
  const std::vector<Json> lines = answers(request_of(training_task_of(3)));
  EXPECT_GE(count_of(lines, "progress"), 3);
  EXPECT_EQ(count_of(lines, "checkpoint"), 3);
  for (const Json& line : lines) EXPECT_EQ(line.at("id"), 7);
  const TrainingResult result =
      read_training_result(JsonField(lines.back().at("trained"), "answer: "));
  EXPECT_EQ(result.state.epochs.size(), 3u);
  EXPECT_EQ(result.state.weights.at("count").values[0], 1800);
}

TEST(ServingTraining, DescribesData) {
  const auto lines = answers({{"id", 7}, {"do", "data"}, {"data", "virtual"}});
  const DataInfo data = read_data_info(JsonField(lines.at(0).at("data"), "answer: "));
  EXPECT_EQ(data.sample, image(1, 28, 28));
  EXPECT_EQ(data.classes, 10);
  EXPECT_EQ(data.training_samples, 6000);
}

TEST(ServingTraining, PassesErrorsOn) {
  const auto unknown = answers({{"id", 7}, {"do", "data"}, {"data", "nowhere"}});
  EXPECT_EQ(unknown.at(0).at("error").at("code"), "unknown");
  EXPECT_EQ(answers({{"id", 7}, {"do", "data"}}).at(0).at("error").at("code"), "usage");
}

TEST(ServingTraining, NamesTheFieldOfABadRequest) {
  const auto complaint = [](const char* key, const Json& value) {
    Json request = request_of(training_task_of(1));
    request[key] = value;
    const std::vector<Json> lines = answers(request);
    EXPECT_EQ(lines.at(0).at("error").at("code"), "usage") << key;
    return lines.at(0).at("error").at("message").get<std::string>();
  };
  EXPECT_THAT(complaint("epochs", -1), HasSubstr("epochs"));
  EXPECT_THAT(complaint("seed", -1), HasSubstr("seed"));
  EXPECT_THAT(complaint("stop_at_j", -1), HasSubstr("stop_at_j"));
  EXPECT_THAT(complaint("stop_at_j", "much"), HasSubstr("stop_at_j"));
  EXPECT_THAT(complaint("from", 3), HasSubstr("from"));
  EXPECT_THAT(complaint("data", 3), HasSubstr("data"));
}

TEST(ServingTraining, StopsWhenNobodyListens) {
  std::istringstream in(request_of(training_task_of(1000)).dump() + "\n");
  std::ostringstream out;
  RunnerServer server(in, out);
  auto bench = testing_support::make_virtual_rig();
  int epochs = 0;
  bench.device->on_epoch = [&](const std::string&, int) {
    if (++epochs == 2) out.setstate(std::ios::badbit);
  };
  server.serve(*bench.rig);
  EXPECT_EQ(epochs, 2);
}

}  // namespace
}  // namespace ampere
