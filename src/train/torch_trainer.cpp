#include "train/torch_trainer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ampere/error.h"
#include "base/text.h"
#include "train/blas.h"
#include "train/cuda_driver.h"
#include "train/host.h"
#include "train/torch_device.h"
#include "train/torch_guard.h"
#include "train/torch_job.h"
#include "train/torch_threads.h"

namespace ampere {
namespace {

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

std::unique_ptr<TorchJob> make_job(const Model& model, const Setup& setup, at::Device device,
                                   double learning_rate) {
  check_room(model, setup, device);
  return guarded(model, [&] {
    prepare_threads();
    seed_numbers();
    return std::make_unique<TorchJob>(model, setup, device, learning_rate);
  });
}

class TorchTrainer final : public Trainer {
 public:
  explicit TorchTrainer(at::Device device) : device_(device) {}

  SetupRange setups() const override { return torch_setups(); }

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
      check.losses.push_back(job->backward().mean().item<double>());
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
