#include "train/torch_job.h"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>
#include <torch/cuda.h>

#include "ampere/error.h"
#include "train/cuda_stream.h"
#include "train/torch_guard.h"
#include "train/torch_threads.h"

namespace ampere {
namespace {

at::Tensor random_tensor(const TensorShape& shape, std::int64_t batch, at::Device device) {
  std::vector<std::int64_t> sizes = shape.axes();
  sizes.insert(sizes.begin(), batch);
  if (shape.layout == Layout::tokens)
    return at::randint(shape.channels, sizes, at::device(device).dtype(at::kLong));
  return at::randn(sizes, at::device(device));
}

Batch random_batch(const Model& model, std::int64_t size, at::Device device) {
  Batch batch;
  for (const Layer& layer : model.layers()) {
    const auto* input = std::get_if<Input>(&layer.op);
    if (!input) continue;
    batch.inputs.push_back(random_tensor(input->shape, size, device));
    if (input->boundary) batch.inputs.back().requires_grad_(true);
  }
  const TensorShape& output = model.output().output;
  if (classifies(output))
    batch.labels = at::randint(output.channels, {size * output.positions()},
                               at::device(device).dtype(at::kLong));
  return batch;
}

TorchMode mode_of(Phase phase) {
  return phase == Phase::inference ? TorchMode::inference : TorchMode::training;
}

// A graph or a gradient is made once, and kept for all the runs.
bool is_part_of_iteration(Phase phase) {
  return phase == Phase::forward || phase == Phase::backward || phase == Phase::update;
}

}  // namespace

TorchJob::TorchJob(const Model& model, const Setup& setup, at::Device device, double learning_rate)
    : model_(model),
      device_(device),
      network_(model, setup.batch, device, mode_of(setup.phase)),
      batch_(random_batch(model, setup.batch, device)),
      optimizer_(setup, learning_rate),
      phase_(setup.phase) {}

// What is still at work would be in the way of the next network.
TorchJob::~TorchJob() {
  try {
    if (ahead_) synchronize();
  } catch (const std::exception&) {
    // Whoever uses the device next finds out, and can say so.
  }
}

void TorchJob::run(int iterations) {
  guarded(model_, [&] {
    make_ready();
    for (int i = 0; i < iterations; ++i) step();
    synchronize();
  });
}

Completed TorchJob::run_ahead(int iterations) {
  if (!device_.is_cuda()) return TrainJob::run_ahead(iterations);
  return guarded(model_, [&] {
    const c10::DeviceGuard current(device_);
    make_ready();
    if (!ahead_) ahead_ = open_cuda_progress();
    for (int i = 0; i < iterations; ++i) step();
    return ahead_->handed_over(iterations);
  });
}

std::optional<StepTimes> TorchJob::time_step() {
  if (!device_.is_cuda()) return std::nullopt;
  return guarded(model_, [&] {
    const c10::DeviceGuard current(device_);
    make_ready();
    return std::optional(time_steps(*open_cuda_queue(), [this] { step(); }));
  });
}

at::Tensor TorchJob::backward() {
  const at::Tensor output = network_.forward(batch_.inputs);
  if (phase_ == Phase::block) {
    pass_back(output, false);
    return output;
  }
  const at::Tensor loss = loss_of(output, batch_.labels);
  if (!loss.requires_grad()) fail_untrainable();
  loss.backward();
  return loss;
}

void TorchJob::update() { ampere::update(network_, optimizer_); }

void TorchJob::clear_gradients() {
  ampere::clear_gradients(network_);
  for (const at::Tensor& input : batch_.inputs)
    if (input.requires_grad()) input.mutable_grad().reset();
}

void TorchJob::fail_untrainable() const {
  throw Error(ErrorCode::usage,
              fmt::format("{}: nothing to train: no parameter and no boundary input reaches the "
                          "output",
                          model_.name()));
}

// What a single phase needs of the others is made once and kept: the graph of one forward pass and
// a random gradient of its output for the backward pass, the gradients of that for the update.
void TorchJob::make_ready() {
  prepare_threads();
  if (!is_part_of_iteration(phase_) || output_.defined()) return;
  if (phase_ == Phase::update && network_.parameters().empty())
    throw Error(ErrorCode::usage, fmt::format("{}: no parameters to update", model_.name()));
  output_ = network_.forward(batch_.inputs);
  if (phase_ == Phase::update) pass_back(output_, true);
}

void TorchJob::synchronize() {
  ahead_.reset();
  if (device_.is_cuda()) torch::cuda::synchronize(device_.index());
}

void TorchJob::step() {
  switch (phase_) {
    case Phase::iteration:
    case Phase::block:
      backward();
      update();
      clear_gradients();
      break;
    case Phase::forward:
      output_ = network_.forward(batch_.inputs);
      break;
    case Phase::backward:
      pass_back(output_, true);
      clear_gradients();
      break;
    case Phase::update:
      update();
      break;
    case Phase::inference: {
      const c10::InferenceMode no_gradients;
      network_.forward(batch_.inputs);
      break;
    }
  }
}

void TorchJob::pass_back(const at::Tensor& output, bool again) {
  if (!output.requires_grad()) fail_untrainable();
  if (!gradient_.defined()) gradient_ = at::randn_like(output);
  output.backward(gradient_, /*retain_graph=*/again);
}

}  // namespace ampere
