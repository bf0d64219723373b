#include "lowering/optimizers.h"

#include <cmath>

#include "ampere/error.h"
#include "lowering/fused_optimizers.h"
#include "lowering/trained_lists.h"

namespace ampere::lowering {
namespace {

constexpr int kStep = 2;  // the state was made in the first iteration

std::vector<TensorType> types_of(const Tensors& tensors) {
  std::vector<TensorType> types;
  for (const Tensor& tensor : tensors) types.push_back(tensor.type);
  return types;
}

// A new list of tensors, which is one result.
Tensors make_all(Eager& eager, const char* name, Arguments arguments, const Tensors& like,
                 Keywords keywords = {}) {
  eager.recorder.record({.name = name,
                         .arguments = std::move(arguments),
                         .keywords = std::move(keywords),
                         .results = {Argument(like)}});
  Tensors made;
  for (const TensorType& type : types_of(like))
    made.push_back({type, eager.recorder.allocate(type, false, StorageKind::activation), {}});
  return made;
}

void sgd_in_lists(Eager& eager, Lists lists, double decay) {
  if (decay != 0)
    lists.gradients = make_all(eager, "_foreach_add.List", {lists.gradients, lists.weights},
                               lists.gradients, {{"alpha", decay}});
  Tensors steps = lists.gradients;
  if (!lists.first.empty()) {
    change_all(eager, "_foreach_mul_.Scalar", {lists.first, kMomentum});
    change_all(eager, "_foreach_add_.List", {lists.first, lists.gradients});
    steps = lists.first;
  }
  change_all(eager, "_foreach_add_.List", {lists.weights, steps}, {{"alpha", -kLearningRate}});
}

Arguments repeated(double number, std::size_t times) { return Arguments(times, number); }

// Steps are counted on the host.
void count_steps(Eager& eager, std::size_t weights) {
  const Argument one = dense(ElementType::fp32, {});
  eager.recorder.record(
      {.name = "lift_fresh", .arguments = {one}, .results = {one}, .launches = false});
  eager.recorder.record({.name = "_foreach_add_.Tensor",
                         .arguments = {Arguments(weights, one), one},
                         .keywords = {{"alpha", 1.0}},
                         .launches = false});
}

void read_steps(Eager& eager, std::size_t times) {
  const Argument one = dense(ElementType::fp32, {});
  for (std::size_t i = 0; i < times; ++i)
    eager.recorder.record({.name = "_local_scalar_dense",
                           .arguments = {one},
                           .results = {Argument{}},
                           .launches = false});
}

void adam_in_lists(Eager& eager, Lists lists, double decay, bool decoupled) {
  const std::size_t count = lists.weights.size();
  count_steps(eager, count);
  if (decay != 0 && decoupled)
    change_all(eager, "_foreach_mul_.Scalar", {lists.weights, 1 - kLearningRate * decay});
  else if (decay != 0)
    lists.gradients = make_all(eager, "_foreach_add.List", {lists.gradients, lists.weights},
                               lists.gradients, {{"alpha", decay}});
  change_all(eager, "_foreach_lerp_.Scalar", {lists.first, lists.gradients, 1 - kBeta1});
  change_all(eager, "_foreach_mul_.Scalar", {lists.second, kBeta2});
  change_all(eager, "_foreach_addcmul_.Scalar",
             {lists.second, lists.gradients, lists.gradients, 1 - kBeta2});
  lists.gradients.clear();
  read_steps(eager, 2 * count);
  const double first_bias = 1 - std::pow(kBeta1, kStep);
  const double second_bias = std::sqrt(1 - std::pow(kBeta2, kStep));
  const Tensors roots = make_all(eager, "_foreach_sqrt", {lists.second}, lists.second);
  change_all(eager, "_foreach_div_.ScalarList", {roots, repeated(second_bias, count)});
  change_all(eager, "_foreach_add_.Scalar", {roots, kEpsilon});
  change_all(eager, "_foreach_addcdiv_.ScalarList",
             {lists.weights, lists.first, roots, repeated(kLearningRate / first_bias * -1, count)});
}

void sgd_one_by_one(Eager& eager, const Lists& lists, double decay) {
  for (std::size_t i = 0; i < lists.weights.size(); ++i) {
    Tensor step = lists.gradients[i];
    if (decay != 0)
      step = eager.run("add.Tensor", {step, lists.weights[i]}, step.type, {{"alpha", decay}});
    if (!lists.first.empty()) {
      eager.change("mul_.Tensor", lists.first[i], {lists.first[i], kMomentum});
      eager.change("add_.Tensor", lists.first[i], {lists.first[i], step});
      step = lists.first[i];
    }
    eager.change("add_.Tensor", lists.weights[i], {lists.weights[i], step},
                 {{"alpha", -kLearningRate}});
  }
}

void adam_one_by_one(Eager& eager, const Lists& lists, double decay, bool decoupled) {
  for (std::size_t i = 0; i < lists.weights.size(); ++i) {
    const Tensor &weight = lists.weights[i], &first = lists.first[i], &second = lists.second[i];
    Tensor gradient = lists.gradients[i];
    const Tensor count = eager.make(dense(ElementType::fp32, {}), StorageKind::state);
    eager.change("add_.Tensor", count, {count, 1});
    if (decay != 0 && decoupled)
      eager.change("mul_.Tensor", weight, {weight, 1 - kLearningRate * decay});
    else if (decay != 0)
      gradient = eager.run("add.Tensor", {gradient, weight}, gradient.type, {{"alpha", decay}});
    eager.change("mul_.Tensor", first, {first, kBeta1});
    eager.change("add_.Tensor", first, {first, gradient}, {{"alpha", 1 - kBeta1}});
    eager.change("mul_.Tensor", second, {second, kBeta2});
    eager.change("addcmul_", second, {second, gradient, gradient}, {{"value", 1 - kBeta2}});
    read_steps(eager, 1);
    const double second_bias = std::sqrt(1 - std::pow(kBeta2, kStep));
    const Tensor root = eager.run("sqrt", {second}, second.type);
    const Tensor scaled = eager.run("div.Tensor", {root, second_bias}, root.type);
    eager.change("add_.Tensor", scaled, {scaled, kEpsilon});
    eager.change("addcdiv_", weight, {weight, first, scaled},
                 {{"value", -kLearningRate / (1 - std::pow(kBeta1, kStep))}});
  }
}

// One call per weight, or one for all weights, as the dialect has it.
void plain_update(Eager& eager, const Lists& lists, const Setup& setup) {
  const bool in_lists = eager.dialect.updates_in_lists;
  const bool decoupled = setup.optimizer == Optimizer::adamw;
  if (is_adam(setup) && in_lists) return adam_in_lists(eager, lists, decay_of(setup), decoupled);
  if (is_adam(setup)) return adam_one_by_one(eager, lists, decay_of(setup), decoupled);
  if (in_lists) return sgd_in_lists(eager, lists, decay_of(setup));
  sgd_one_by_one(eager, lists, decay_of(setup));
}

Lists lists_of(const Eager& eager, const std::vector<Trained>& trained) {
  Lists lists;
  const auto add = [](Tensors& list, const Tensor& tensor) {
    if (tensor.defined()) list.push_back(tensor);
  };
  for (const Trained& each : trained) {
    const Tensor gradient = eager.gradient_of(each.weight);
    if (!gradient.defined()) continue;
    lists.weights.push_back(each.weight);
    lists.gradients.push_back(gradient);
    add(lists.first, each.first);
    add(lists.second, each.second);
    add(lists.steps, each.steps);
  }
  return lists;
}

}  // namespace

std::vector<Trained> make_trained(Eager& eager, const Tensors& weights, const Setup& setup) {
  std::vector<Trained> trained;
  for (const Tensor& weight : weights) {
    Trained& one = trained.emplace_back();
    one.weight = weight;
    if (setup.optimizer != Optimizer::plain_sgd)
      one.first = eager.make(weight.type, StorageKind::state);
    if (is_adam(setup)) one.second = eager.make(weight.type, StorageKind::state);
    if (is_adam(setup) && setup.options.fused)
      one.steps = eager.make(dense(ElementType::fp32, {}), StorageKind::state);
  }
  return trained;
}

void update(Eager& eager, const std::vector<Trained>& trained, const Setup& setup,
            const GradientScaler* scaler) {
  const Lists lists = lists_of(eager, trained);
  if (lists.weights.empty()) {
    if (!scaler) return;
    throw Error(ErrorCode::usage,
                "no weight has a gradient, which the gradient scaler of fp16 does not accept");
  }
  if (setup.options.fused) return fused_update(eager, lists, setup, scaler);
  if (!scaler) return plain_update(eager, lists, setup);
  const Tensor not_finite = scaler->unscale(lists.gradients);
  plain_update(eager, lists, setup);
  scaler->adjust(not_finite);
}

}  // namespace ampere::lowering
