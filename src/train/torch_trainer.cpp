#include "train/torch_trainer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/cuda.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ampere/error.h"
#include "base/text.h"
#include "train/blas.h"
#include "train/cuda_driver.h"
#include "train/footprint.h"
#include "train/host.h"
#include "train/torch_guard.h"
#include "train/torch_network.h"
#include "train/torch_optimizer.h"

namespace ampere {
namespace {

constexpr std::uint64_t kSeed = 20240229;  // any: every job sees equal data
constexpr double kUsableMemory = 0.9;      // of what is available: workspaces need the rest

// Its type differs between versions.
int cuda_devices() { return static_cast<int>(torch::cuda::device_count()); }

at::Device parse_device(const std::string& text) {
  if (text == "cpu") return at::kCPU;
  const std::string prefix = "cuda:";
  if (!text.starts_with(prefix))
    throw Error(ErrorCode::usage,
                fmt::format("device '{}': must be 'cpu' or 'cuda:N' with a number N", text));
  const auto index = parse_integer(std::string_view(text).substr(prefix.size()), "device");
  if (index < 0 || index >= cuda_devices())
    throw Error(ErrorCode::unknown,
                fmt::format("there is no device '{}': this LibTorch sees {} CUDA devices", text,
                            cuda_devices()));
  return {at::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

// The text after `key` in LibTorch's description of itself, up to one of `ends`.
std::optional<std::string> config_value(std::string_view key, std::string_view ends) {
  const std::string config = at::show_config();
  const std::size_t at = config.find(key);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t start = at + key.size();
  return config.substr(start, config.find_first_of(ends, start) - start);
}

std::string framework_text(at::Device device) {
  std::string text = fmt::format("libtorch {}", config_value("TORCH_VERSION=", ", ").value_or("?"));
  const auto part = [&text](const char* label, const std::optional<std::string>& value) {
    if (value) text += fmt::format(", {} {}", label, *value);
  };
  if (device.is_cuda()) {
    part("CUDA", config_value("CUDA Runtime ", " \n"));
    part("cuDNN", config_value("CUDNN_VERSION=", ", "));
    if (at::globalContext().allowTF32CuDNN()) text += ", TF32 convolutions";
    if (at::globalContext().allowTF32CuBLAS()) text += ", TF32 matrix products";
    return text;
  }
  const auto mkl = config_value("Math Kernel Library Version ", "- \n");
  text += ", " + (mkl ? "MKL " + *mkl : blas_name());
  part("oneDNN", config_value("MKL-DNN v", " \n"));
  const int threads = at::get_num_threads();
  return text + fmt::format(", {} thread{}", threads, threads == 1 ? "" : "s");
}

// The mode belongs to each thread, and torch computes on OpenMP's.
void flush_denormals() {
  const int threads = at::get_num_threads();
  at::parallel_for(0, threads, 1,
                   [](std::int64_t, std::int64_t) { at::globalContext().setFlushDenormal(true); });
}

void prepare_threads() {
  static const bool once = [] {
    flush_denormals();
    restart_blas_threads();
    set_blas_threads(at::get_num_threads());
    return true;
  }();
  static_cast<void>(once);
  flush_denormals();
}

at::Tensor random_tensor(const TensorShape& shape, std::int64_t batch, at::Device device) {
  std::vector<std::int64_t> sizes = shape.axes();
  sizes.insert(sizes.begin(), batch);
  if (shape.layout == Layout::tokens)
    return at::randint(shape.channels, sizes, at::device(device).dtype(at::kLong));
  return at::randn(sizes, at::device(device));
}

// One batch, on the device before training starts.
struct Batch {
  std::vector<at::Tensor> inputs;
  at::Tensor labels;  // one class per sample or token; undefined when nothing is classified
};

bool classifies(const TensorShape& output) {
  return output.channels >= 2 &&
         (output.layout == Layout::flat || output.layout == Layout::sequence);
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

at::Tensor loss_of(const at::Tensor& output, const at::Tensor& labels) {
  if (!labels.defined()) return output.square().mean();
  return at::cross_entropy_loss(output.dim() == 3 ? output.flatten(0, 1) : output, labels);
}

class TorchJob final : public TrainJob {
 public:
  TorchJob(const Model& model, const Setup& setup, at::Device device, double learning_rate)
      : model_(model),
        device_(device),
        network_(model, setup.batch, device),
        batch_(random_batch(model, setup.batch, device)),
        optimizer_(setup.optimizer, learning_rate),
        phase_(setup.phase) {}

  void run(int iterations) override {
    guarded(model_, [&] {
      prepare_threads();
      if (phase_ == Phase::iteration)
        run_whole(iterations);
      else
        run_phase(iterations);
      synchronize();
    });
  }

  // Forward and backward; gradients stay until they are cleared.
  at::Tensor backward() {
    at::Tensor loss = loss_of(network_.forward(batch_.inputs), batch_.labels);
    if (!loss.requires_grad()) fail_untrainable();
    loss.backward();
    return loss;
  }

  // Parameters that the output does not depend on have no gradient and are left alone. Which they
  // are is the same in every iteration, so the optimizer's state keeps its order.
  void update() {
    std::vector<at::Tensor> values, gradients;
    values.reserve(network_.parameters().size());
    gradients.reserve(network_.parameters().size());
    for (const TorchWeight& parameter : network_.parameters()) {
      const at::Tensor& gradient = parameter.value.grad();
      if (!gradient.defined()) continue;
      values.push_back(parameter.value);
      gradients.push_back(gradient);
    }
    optimizer_.step(values, gradients);
  }

  void clear_gradients() {
    for (const TorchWeight& parameter : network_.parameters())
      parameter.value.mutable_grad().reset();
    for (const at::Tensor& input : batch_.inputs)
      if (input.requires_grad()) input.mutable_grad().reset();
  }

  const Model& model() const { return model_; }
  const TorchNetwork& network() const { return network_; }
  const Batch& batch() const { return batch_; }

 private:
  [[noreturn]] void fail_untrainable() const {
    throw Error(ErrorCode::usage,
                fmt::format("{}: nothing to train: no parameter and no boundary input reaches the "
                            "output",
                            model_.name()));
  }

  void run_whole(int iterations) {
    for (int i = 0; i < iterations; ++i) {
      backward();
      update();
      clear_gradients();
    }
  }

  // What a phase needs of the others is made once and kept: the graph of one forward pass and a
  // random gradient of its output for the backward pass, the gradients of that for the update.
  void run_phase(int iterations) {
    if (!output_.defined()) {
      output_ = network_.forward(batch_.inputs);
      gradient_ = at::randn_like(output_);
    }
    if (phase_ == Phase::update && network_.parameters().empty())
      throw Error(ErrorCode::usage, fmt::format("{}: no parameters to update", model_.name()));
    if (phase_ == Phase::update && !network_.parameters().front().value.grad().defined())
      pass_back();
    for (int i = 0; i < iterations; ++i) {
      if (phase_ == Phase::forward) output_ = network_.forward(batch_.inputs);
      if (phase_ == Phase::backward) {
        pass_back();
        clear_gradients();
      }
      if (phase_ == Phase::update) update();
    }
  }

  void pass_back() {
    if (!output_.requires_grad()) fail_untrainable();
    output_.backward(gradient_, /*retain_graph=*/true);
  }

  void synchronize() {
    if (device_.is_cuda()) torch::cuda::synchronize(device_.index());
  }

  Model model_;
  at::Device device_;
  TorchNetwork network_;
  Batch batch_;
  TorchOptimizer optimizer_;
  Phase phase_;
  at::Tensor output_, gradient_;  // of a single phase
};

void check_setup(const Setup& setup) {
  if (setup.precision != "fp32")
    throw Error(ErrorCode::usage,
                fmt::format("precision '{}': the LibTorch trainer has fp32 only", setup.precision));
  if (setup.batch < 1)
    throw Error(ErrorCode::usage, fmt::format("batch {}: must be 1 or more", setup.batch));
}

void check_memory(const Model& model, const Setup& setup) {
  return_freed_memory();
  const double needed = training_bytes(model, setup);
  const double usable = kUsableMemory * static_cast<double>(available_memory());
  if (needed > usable)
    throw Error(ErrorCode::failed,
                fmt::format("{}: out of memory: training it with {} takes about {}, and {} can be "
                            "used",
                            model.name(), to_string(setup), gibibytes(needed), gibibytes(usable)));
}

std::unique_ptr<TorchJob> make_job(const Model& model, const Setup& setup, at::Device device,
                                   double learning_rate) {
  check_setup(setup);
  if (device.is_cpu()) check_memory(model, setup);
  return guarded(model, [&] {
    prepare_threads();
    at::manual_seed(kSeed);
    return std::make_unique<TorchJob>(model, setup, device, learning_rate);
  });
}

class TorchTrainer final : public Trainer {
 public:
  explicit TorchTrainer(at::Device device) : device_(device) {}

  std::unique_ptr<TrainJob> prepare(const Model& model, const Setup& setup) override {
    auto job = make_job(model, setup, device_, 0);
    job->run(1);
    return job;
  }

 private:
  at::Device device_;
};

std::vector<at::Tensor> copies(const TorchNetwork& network) {
  std::vector<at::Tensor> values;
  for (const TorchWeight& parameter : network.parameters())
    values.push_back(parameter.value.detach().clone());
  return values;
}

void note_gradients(const TorchJob& job, TrainingCheck& check) {
  std::set<int> with, without;
  for (const TorchWeight& parameter : job.network().parameters())
    (parameter.value.grad().defined() ? with : without).insert(parameter.layer);
  const std::vector<Layer>& layers = job.model().layers();
  for (const int layer : with)
    if (!without.contains(layer)) check.trained.push_back(layers[layer].name);
  for (const int layer : without) check.untrained.push_back(layers[layer].name);
  std::size_t input = 0;
  for (const Layer& layer : layers)
    if (std::holds_alternative<Input>(layer.op) && job.batch().inputs[input++].grad().defined())
      check.fed_back.push_back(layer.name);
}

}  // namespace

std::vector<std::string> torch_devices() {
  std::vector<std::string> devices = {"cpu"};
  for (int i = 0; i < cuda_devices(); ++i) devices.push_back(fmt::format("cuda:{}", i));
  return devices;
}

TorchInfo torch_info(const std::string& device) {
  const at::Device where = parse_device(device);
  if (where.is_cuda()) {
    const CudaDevice gpu = cuda_device(where.index());
    return {framework_text(where), gpu.name, gpu.hardware, gpu.driver};
  }
  const HostInfo host = host_info();
  return {framework_text(where), host.name, host.hardware, host.system};
}

std::unique_ptr<Trainer> open_torch_trainer(const std::string& device) {
  keep_freed_memory();
  return std::make_unique<TorchTrainer>(parse_device(device));
}

void set_threads(int threads) {
  if (threads < 1)
    throw Error(ErrorCode::usage, fmt::format("threads: must be 1 or more, not {}", threads));
  at::set_num_threads(threads);
  prepare_threads();
  set_blas_threads(threads);
}

// Both products are denormal: elementwise by torch's threads, as a matrix product by BLAS's.
bool denormals_flushed() {
  const auto all_zero = [](const at::Tensor& values) {
    return !values.view(at::kInt).any().item<bool>();  // as bits: this thread may read them as 0
  };
  const at::Tensor tiny = at::full({1 << 20}, 1e-37f);
  const at::Tensor small = at::full({256, 256}, 1e-21f);
  return all_zero(tiny * 1e-2f) && all_zero(at::mm(small, small));
}

std::int64_t torch_parameters(const Model& model) {
  return guarded(model, [&] {
    const TorchNetwork network(model, 2, at::kMeta);
    std::int64_t total = 0;
    for (const TorchWeight& parameter : network.parameters()) total += parameter.value.numel();
    return total;
  });
}

TrainingCheck check_training(const Model& model, const Setup& setup, const std::string& device,
                             double learning_rate, int iterations) {
  const auto job = make_job(model, setup, parse_device(device), learning_rate);
  return guarded(model, [&] {
    TrainingCheck check;
    const std::vector<at::Tensor> before = copies(job->network());
    for (int i = 0; i < iterations; ++i) {
      check.losses.push_back(job->backward().item<double>());
      if (i == 0) note_gradients(*job, check);
      job->update();
      job->clear_gradients();
    }
    for (std::size_t i = 0; i < before.size(); ++i)
      check.changed_parameters += !at::equal(before[i], job->network().parameters()[i].value);
    return check;
  });
}

}  // namespace ampere
