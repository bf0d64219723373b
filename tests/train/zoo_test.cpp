#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <map>

#include "ampere/model.h"
#include "ampere/widths.h"
#include "train/torch_trainer.h"

namespace ampere {
namespace {

using testing::IsEmpty;

// Small enough to train in a moment: images of 96 × 96 at most, widths near 8.
Model small_version(const ZooEntry& entry) {
  std::map<std::string, std::int64_t> options;
  for (const ZooOption& option : entry.options)
    if (option.key == "size") options["size"] = std::min<std::int64_t>(option.default_value, 96);
  const Model model = make_zoo_model(entry.name, options);
  std::vector<std::int64_t> widths;
  for (const ChannelGroup& group : free_widths(model)) {
    const std::int64_t step = std::max<std::int64_t>(1, group.multiple_of);
    widths.push_back(std::min(group.value, (8 + step - 1) / step * step));
  }
  return with_widths(model, widths);
}

void for_each_network(const std::function<void(const ZooEntry&)>& claim) {
  for (const ZooEntry& entry : zoo()) {
    SCOPED_TRACE(entry.name);
    try {
      claim(entry);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(ZooTraining, HasTheParametersTheModelCounts) {
  for_each_network([](const ZooEntry& entry) {
    const Model model = make_zoo_model(entry.name);
    EXPECT_EQ(torch_parameters(model), count(model, 1).parameters);
  });
}

TEST(ZooTraining, RunsTwiceAtSmallWidths) {
  const auto trainer = open_torch_trainer("cpu");
  for_each_network([&](const ZooEntry& entry) {
    trainer->prepare(small_version(entry), {2, Optimizer::adam})->run(2);
  });
}

TEST(ZooTraining, TrainsEveryLayerAndLeavesRawDataAlone) {
  for_each_network([](const ZooEntry& entry) {
    const TrainingCheck check = check_training(small_version(entry), {2}, "cpu", 0.01, 1);
    EXPECT_THAT(check.untrained, IsEmpty());
    EXPECT_THAT(check.fed_back, IsEmpty());
    EXPECT_FALSE(check.trained.empty());
    EXPECT_GT(check.changed_parameters, 0);
  });
}

}  // namespace
}  // namespace ampere
