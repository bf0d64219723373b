#include "train/torch_learner.h"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ampere/error.h"
#include "train/host.h"
#include "train/torch_device.h"
#include "train/torch_guard.h"
#include "train/torch_optimizer_state.h"
#include "train/torch_samples.h"
#include "train/torch_threads.h"

namespace ampere {
namespace {

using Shared = std::shared_ptr<const DataSet>;

const TensorShape& input_of(const Model& model) {
  return std::ranges::find_if(
             model.layers(),
             [](const Layer& layer) { return std::holds_alternative<Input>(layer.op); })
      ->output;
}

[[noreturn]] void refuse(const TrainingTask& task, const std::string& why) {
  throw Error(ErrorCode::usage,
              fmt::format("training {} on {}: {}", task.model.name(), task.data, why));
}

void check_task(const TrainingTask& task, const DataSet& data) {
  check_fits(data, task.model);
  if (task.setup.phase != Phase::iteration) refuse(task, "whole iterations alone teach anything");
  if (!(task.learning_rate > 0 && std::isfinite(task.learning_rate)))
    refuse(task, fmt::format("learning rate {}: must be more than 0", task.learning_rate));
  if (task.epochs < 0) refuse(task, fmt::format("{} epochs: must be 0 or more", task.epochs));
  if (task.setup.batch > data.training.count)
    refuse(task, fmt::format("a batch of {} is more than the {} training samples", task.setup.batch,
                             data.training.count));
  if (task.from.weights.empty() && !task.from.optimizer.empty())
    refuse(task, "the state to go on from has an optimizer's but no weights");
}

// The weights as drawn by the seed, or as given.
TorchNetwork make_network(const TrainingTask& task, at::Device device) {
  at::manual_seed(task.seed);
  TorchNetwork network(task.model, task.setup.batch, device);
  if (!task.from.weights.empty()) network.load(task.model, task.from.weights);
  return network;
}

class TorchLearnJob final : public LearnJob {
 public:
  TorchLearnJob(const TrainingTask& task, const Shared& data, at::Device device)
      : model_(task.model),
        batch_(task.setup.batch),
        seed_(task.seed),
        epochs_(task.epochs),
        learning_rate_(task.learning_rate),
        device_(device),
        network_(make_network(task, device)),
        tested_(network_.sharing(model_, {batch_, device, TorchMode::inference})),
        training_(data, data->training, input_of(model_), device),
        test_(data, data->test, input_of(model_), device),
        optimizer_(task.setup, task.learning_rate),
        names_(restore(optimizer_, task, network_)) {
    if (const std::int64_t rest = test_.count() % batch_; rest > 0)
      rest_tested_.emplace(network_.sharing(model_, {rest, device, TorchMode::inference}));
    warm_up();
  }

  std::int64_t batches() const override { return training_.count() / batch_; }
  std::int64_t test_batches() const override { return (test_.count() + batch_ - 1) / batch_; }

  void begin_epoch(int epoch) override {
    guarded(model_, [&] {
      const std::uint64_t seed = std::uint64_t{seed_} + 1 + static_cast<std::uint64_t>(epoch);
      at::manual_seed(seed);  // of dropout
      order_ = training_.order(shuffled(training_.count(), seed));
      epoch_ = epoch;
      next_ = 0;
    });
  }

  double train(int batches) override {
    return guarded(model_, [&] {
      const c10::DeviceGuard current(device_);
      prepare_threads();
      at::Tensor losses = zero();
      for (int i = 0; i < batches; ++i) losses += step();
      return losses.item<double>();  // waits for the device
    });
  }

  void begin_test() override { next_test_ = 0; }

  TestTally test(int batches) override {
    return guarded(model_, [&] {
      const c10::DeviceGuard current(device_);
      const c10::NoGradGuard no_grad;
      prepare_threads();
      TestTally tally;
      at::Tensor losses = zero(), right = losses.to(at::kLong);
      for (int i = 0; i < batches && next_test_ < test_.count(); ++i) {
        const std::int64_t count = std::min(batch_, test_.count() - next_test_);
        const Batch batch = test_.range(next_test_, count);
        const TorchNetwork& network = count == batch_ ? tested_ : *rest_tested_;
        const at::Tensor output = rows_of(network.forward(batch.inputs));
        losses += loss_of(output, batch.labels) * batch.labels.numel();
        right += (output.argmax(1) == batch.labels).sum();
        tally.labels += batch.labels.numel();
        next_test_ += count;
      }
      tally.loss = losses.item<double>();
      tally.right = right.item<std::int64_t>();
      return tally;
    });
  }

  Weights weights() const override {
    return guarded(model_, [&] { return network_.save(model_); });
  }

  Weights optimizer() const override {
    return guarded(model_, [&] { return optimizer_state(optimizer_, names_); });
  }

 private:
  // In double, so that sums do not depend on how the iterations are parted.
  at::Tensor zero() const { return at::zeros({}, at::device(device_).dtype(at::kDouble)); }

  // η/2 · (1 + cos(π · iterations so far / iterations in all))
  double learning_rate() const {
    const double done = epoch_ + static_cast<double>(next_) / static_cast<double>(batches());
    return learning_rate_ / 2 * (1 + std::cos(std::numbers::pi * std::min(1.0, done / epochs_)));
  }

  // What is loaded and chosen at first use is no part of training, and what does not fit fails
  // here. Running statistics move with every pass, so all weights are put back.
  void warm_up() {
    const Weights weights = network_.save(model_);
    pass(training_.range(0, batch_));
    clear_gradients(network_);
    test(1);
    network_.load(model_, weights);
  }

  at::Tensor pass(const Batch& batch) {
    const at::Tensor loss = loss_of(network_.forward(batch.inputs), batch.labels);
    if (!loss.requires_grad())
      throw Error(
          ErrorCode::usage,
          fmt::format("{}: nothing to train: no parameter reaches the output", model_.name()));
    loss.backward();
    return loss.detach();
  }

  at::Tensor step() {
    const at::Tensor loss = pass(training_.pick(order_.narrow(0, next_ * batch_, batch_)));
    if (names_.empty()) names_ = names_with_gradient(network_, model_);
    optimizer_.set_learning_rate(learning_rate());
    update(network_, optimizer_);
    clear_gradients(network_);
    ++next_;
    return loss;
  }

  Model model_;
  std::int64_t batch_;
  unsigned seed_;
  int epochs_;
  double learning_rate_;
  at::Device device_;
  TorchNetwork network_, tested_;
  std::optional<TorchNetwork> rest_tested_;  // where the last batch of the test set is smaller
  TorchSamples training_, test_;
  TorchOptimizer optimizer_;
  std::vector<std::string> names_;  // of what the optimizer moves, in its order

  at::Tensor order_;
  int epoch_ = 0;
  std::int64_t next_ = 0, next_test_ = 0;  // batch of the epoch, sample of the test set
};

class TorchLearner final : public Learner {
 public:
  explicit TorchLearner(at::Device device) : device_(device) {}

  DataInfo describe(const std::string& data) override { return ampere::describe(*open(data)); }

  std::unique_ptr<LearnJob> begin(const TrainingTask& task) override {
    const Shared data = open(task.data);
    check_task(task, *data);
    check_room(task.model, task.setup, device_);
    return guarded(task.model, [&] {
      const c10::DeviceGuard current(device_);
      prepare_threads();
      return std::make_unique<TorchLearnJob>(task, data, device_);
    });
  }

 private:
  // Many networks are trained on the same data, one after the other.
  Shared open(const std::string& spec) {
    if (!data_ || data_->name != spec) {
      data_.reset();
      data_ = std::make_shared<DataSet>(open_data(spec));
    }
    return data_;
  }

  at::Device device_;
  Shared data_;
};

}  // namespace

std::unique_ptr<Learner> open_torch_learner(const std::string& device) {
  keep_freed_memory();
  return std::make_unique<TorchLearner>(parse_device(device));
}

}  // namespace ampere
