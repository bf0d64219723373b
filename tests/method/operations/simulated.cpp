#include "method/operations/simulated.h"

#include <algorithm>
#include <cmath>

#include "method/operations/operation_features.h"
#include "program/tensor_type.h"

namespace ampere::testing_support {
namespace {

constexpr double kHostPerStep = 5e-6;

template <class Thing>
int place_of(std::vector<Thing>& list, const Thing& thing) {
  const auto found = std::ranges::find(list, thing);
  const auto place = static_cast<int>(found - list.begin());
  if (found == list.end()) list.push_back(thing);
  return place;
}

// 64 to 2048, with and without large powers of two.
std::int64_t random_width(std::mt19937& engine) {
  const double width = std::exp2(6 + 5 * (static_cast<double>(engine()) * 0x1p-32));
  const std::int64_t step = engine() % 3 == 0 ? 2 : 32;
  return static_cast<std::int64_t>(width) / step * step;
}

}  // namespace

ProgramBuilder::ProgramBuilder(std::string name) {
  program.name = std::move(name);
  program.modules = {""};
}

Value ProgramBuilder::tensor(ElementType element, std::vector<std::int64_t> sizes) {
  TensorType type{element, std::move(sizes), {}};
  type.strides = contiguous_strides(type.sizes);
  return {TensorIndex{place_of(program.tensors, type)}};
}

void ProgramBuilder::call(std::string name, ValueList arguments, ValueList results,
                          const std::string& module) {
  Operation operation;
  operation.name = std::move(name);
  operation.arguments = std::move(arguments);
  operation.results = std::move(results);
  program.steps.push_back({place_of(program.operations, operation), ProgramPhase::forward,
                           place_of(program.modules, module)});
}

Program random_program(unsigned seed, ElementType element) {
  std::mt19937 engine(seed);
  ProgramBuilder build("random " + std::to_string(seed));
  const std::int64_t batch = random_width(engine) * (1 + static_cast<std::int64_t>(engine() % 8));
  std::int64_t inputs = random_width(engine);
  ValueList weights;
  const unsigned layers = 2 + engine() % 5;
  for (unsigned layer = 0; layer < layers; ++layer) {
    const std::int64_t outputs = random_width(engine);
    const std::string module = "layer" + std::to_string(layer);
    const Value x = build.tensor(element, {batch, inputs});
    const Value w = build.tensor(element, {inputs, outputs});
    const Value y = build.tensor(element, {batch, outputs});
    const Value bias = build.tensor(element, {outputs});
    const std::string function = engine() % 2 == 0 ? "relu" : "gelu";
    build.call("addmm", {bias, x, w}, {y}, module);
    build.call(function, {y}, {y}, module);
    build.call(function == "relu" ? "threshold_backward" : "gelu_backward", {y, y}, {y}, module);
    build.call("sum.dim_IntList", {y, {ValueList{{std::int64_t{0}}}}, {true}},
               {build.tensor(element, {1, outputs})}, module);
    build.call("mm", {y, build.tensor(element, {outputs, inputs})}, {x}, module);
    build.call("mm", {build.tensor(element, {inputs, batch}), y}, {w}, module);
    build.call("add.Tensor", {y, y}, {y}, module);
    weights.push_back(w);
    weights.push_back(bias);
    inputs = outputs;
  }
  build.call("_foreach_add_.List", {{weights}, {weights}}, {});
  build.program.module_calls = layers;
  return build.program;
}

double simulated_seconds(const Operation& operation, const std::vector<TensorType>& tensors) {
  const auto features = operation_features(operation, tensors, {});
  if (!features) return 0;
  double waves = 1;
  for (std::size_t i = 0; i < features->names.size(); ++i)
    if (features->names[i] == "whole waves 128x128") waves = std::min(8.0, features->values[i]);
  const double peak = features->half ? 500e12 : 50e12;
  const double work = std::max(features->work.flops / peak * waves, features->work.bytes / 4e12);
  const double slower = operation.name.starts_with("gelu") ? 1.3 : 1;
  return slower * (2e-6 * features->work.launches + work);
}

double simulated_seconds(const Program& program) {
  double sum = 0;
  for (const ProgramStep& step : program.steps)
    sum += simulated_seconds(program.operations[static_cast<std::size_t>(step.operation)],
                             program.tensors);
  return sum;
}

double simulated_host_seconds(const Program& program) {
  return kHostPerStep * static_cast<double>(program.steps.size());
}

std::vector<TimedOperation> timed_operations(const Program& program, const std::string& family) {
  std::vector<TimedOperation> timed;
  for (const Operation& operation : program.operations)
    timed.push_back({operation, program.tensors, simulated_seconds(operation, program.tensors),
                     kHostPerStep, family});
  return timed;
}

Corpus make_corpus(int programs, int families, unsigned seed) {
  Corpus corpus;
  for (int i = 0; i < programs; ++i) {
    const ElementType element = i % 2 == 0 ? ElementType::fp32 : ElementType::bf16;
    corpus.programs.push_back(random_program(seed + static_cast<unsigned>(i), element));
    corpus.families.emplace_back(1, static_cast<char>('a' + i / 2 % families));
    const auto timed = timed_operations(corpus.programs.back(), corpus.families.back());
    corpus.timed.insert(corpus.timed.end(), timed.begin(), timed.end());
  }
  return corpus;
}

}  // namespace ampere::testing_support
