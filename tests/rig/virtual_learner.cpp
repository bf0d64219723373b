#include "virtual_learner.h"

#include "ampere/error.h"

namespace ampere::testing_support {
namespace {

class VirtualLearnJob final : public LearnJob {
 public:
  VirtualLearnJob(std::shared_ptr<VirtualDevice> device, const TrainingTask& task)
      : device_(std::move(device)), model_(task.model.name()) {
    if (const auto given = task.from.weights.find("count"); given != task.from.weights.end())
      count_ = given->second.values.at(0);
  }

  std::int64_t batches() const override { return device_->batches; }
  std::int64_t test_batches() const override { return device_->test_batches; }
  void begin_epoch(int epoch) override { device_->on_epoch(model_, epoch); }
  double train(int batches) override {
    device_->run(batches, model_);
    count_ += static_cast<float>(batches);
    return batches / (1.0 + count_);
  }
  void begin_test() override {}
  TestTally test(int batches) override {
    device_->advance(batches * device_->test_batch_s, device_->busy_w);
    return {10 * batches, 9 * batches, 2.0 * batches};
  }
  Weights weights() const override {
    std::vector<float> values(static_cast<std::size_t>(device_->weights), count_);
    return {{"count", {{device_->weights}, std::move(values)}}};
  }
  Weights optimizer() const override { return {{"momentum", {{1}, {count_ / 2}}}}; }

 private:
  std::shared_ptr<VirtualDevice> device_;
  std::string model_;
  float count_ = 0;
};

class VirtualLearner final : public Learner {
 public:
  explicit VirtualLearner(std::shared_ptr<VirtualDevice> device) : device_(std::move(device)) {}

  DataInfo describe(const std::string& data) override {
    if (data != "virtual") throw Error(ErrorCode::unknown, data + ": there is no such folder");
    return {image(1, 28, 28), 10, 10 * device_->batches, 10 * device_->test_batches};
  }
  std::unique_ptr<LearnJob> begin(const TrainingTask& task) override {
    describe(task.data);
    device_->on_prepare(task.model.name());
    return std::make_unique<VirtualLearnJob>(device_, task);
  }

 private:
  std::shared_ptr<VirtualDevice> device_;
};

}  // namespace

std::unique_ptr<Learner> make_virtual_learner(std::shared_ptr<VirtualDevice> device) {
  return std::make_unique<VirtualLearner>(std::move(device));
}

}  // namespace ampere::testing_support
