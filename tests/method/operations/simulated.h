// A simulated device with a known law, and random programs for it: a roofline with steps.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "method/operations/timed_operation.h"

namespace ampere::testing_support {

// Collects operations and tensors, each distinct one once.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(std::string name);
  Value tensor(ElementType element, std::vector<std::int64_t> sizes);
  // Adds a step. The module is created when it is new.
  void call(std::string name, ValueList arguments, ValueList results,
            const std::string& module = "");
  Program program;
};

// A perceptron with random widths, trained one iteration: products, activations, sums, an update.
Program random_program(unsigned seed, ElementType element = ElementType::fp32);

// t = 2 µs · launches + max(FLOPs / 50 or 500 TFLOP/s · whole waves, bytes / 4 TB/s), 30 % more for
// gelu and its gradient; 0 where the device has nothing to do.
double simulated_seconds(const Operation& operation, const std::vector<TensorType>& tensors);
double simulated_seconds(const Program& program);       // the sum over all steps
double simulated_host_seconds(const Program& program);  // 5 µs per step

std::vector<TimedOperation> timed_operations(const Program& program, const std::string& family);

// Twenty programs of `families` families named "a", "b", …, in two formats, and their operations.
struct Corpus {
  std::vector<Program> programs;
  std::vector<std::string> families;
  std::vector<TimedOperation> timed;
};
Corpus make_corpus(int programs, int families, unsigned seed);

}  // namespace ampere::testing_support
