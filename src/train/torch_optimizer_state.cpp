#include "train/torch_optimizer_state.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <set>

#include "ampere/error.h"

namespace ampere {
namespace {

constexpr const char* kMomentum = ".momentum";
constexpr const char* kFirst = ".first";
constexpr const char* kSecond = ".second";
constexpr const char* kSteps = "steps";

std::string text_of(const std::vector<std::int64_t>& sizes) {
  std::string text;
  for (const std::int64_t size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

void add(Weights& state, const std::vector<std::string>& names, const char* ending,
         const std::vector<at::Tensor>& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i)
    state.emplace(names[i] + ending, to_floats(tensors[i]));
}

// Takes what there is of an ending from the state, and notes whose it was.
class Reader {
 public:
  explicit Reader(const TrainingTask& task) : task_(task) {
    for (const auto& [name, tensor] : task.from.optimizer) left_.insert(name);
  }

  bool has(const std::string& name) const { return task_.from.optimizer.contains(name); }

  at::Tensor take(const std::string& name, const at::Tensor& like) {
    const auto found = task_.from.optimizer.find(name);
    if (found == task_.from.optimizer.end()) fail(fmt::format("'{}' is missing", name));
    const FloatTensor& given = found->second;
    if (given.sizes != like.sizes().vec() ||
        static_cast<std::int64_t>(given.values.size()) != like.numel())
      fail(fmt::format("'{}' is {} instead of {}", name, text_of(given.sizes),
                       text_of(like.sizes().vec())));
    left_.erase(name);
    return to_tensor(given).to(like.device());
  }

  void expect_all_taken() const {
    if (!left_.empty()) fail(fmt::format("'{}' is nothing it remembers", *left_.begin()));
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorCode::usage,
                fmt::format("state of the optimizer ({}) of {}: {}",
                            to_string(task_.setup.optimizer), task_.model.name(), why));
  }

  const TrainingTask& task_;
  std::set<std::string> left_;
};

}  // namespace

std::vector<std::string> names_with_gradient(const TorchNetwork& network, const Model& model) {
  std::vector<std::string> names;
  for (const TorchWeight& parameter : network.parameters())
    if (parameter.value.grad().defined()) names.push_back(weight_name(model, parameter));
  return names;
}

Weights optimizer_state(const TorchOptimizer& optimizer, const std::vector<std::string>& names) {
  const TorchOptimizer::Memory& memory = optimizer.memory();
  Weights state;
  add(state, names, memory.steps > 0 ? kFirst : kMomentum, memory.first);
  add(state, names, kSecond, memory.second);
  if (memory.steps > 0) state.emplace(kSteps, FloatTensor{{1}, {static_cast<float>(memory.steps)}});
  return state;
}

std::vector<std::string> restore(TorchOptimizer& optimizer, const TrainingTask& task,
                                 const TorchNetwork& network) {
  std::vector<std::string> names;
  if (task.from.optimizer.empty()) return names;
  const bool adam = has_two_moments(task.setup.optimizer);
  const char* ending = adam ? kFirst : kMomentum;
  Reader state(task);
  TorchOptimizer::Memory memory;
  for (const TorchWeight& parameter : network.parameters()) {
    const std::string name = weight_name(task.model, parameter);
    if (!state.has(name + ending)) continue;
    names.push_back(name);
    memory.first.push_back(state.take(name + ending, parameter.value));
    if (adam) memory.second.push_back(state.take(name + kSecond, parameter.value));
  }
  if (adam) memory.steps = state.take(kSteps, at::zeros({1})).item<std::int64_t>();
  state.expect_all_taken();
  optimizer.restore(std::move(memory));
  return names;
}

}  // namespace ampere
