// What the features of all parts are written with.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ampere/program.h"
#include "program/operation_view.h"

namespace ampere {

// The tensors of an operation in the order of its arguments, keywords and results, out of lists.
struct OperationTensors {
  std::vector<const TensorType*> inputs, outputs;
};
OperationTensors tensors_of(const Operation& operation, std::span<const TensorType> tensors);
std::vector<const TensorType*> tensors_in(const ValueList& values,
                                          std::span<const TensorType> tensors);
// Whether the first floating tensor has numbers of two bytes.
bool works_in_half(const OperationTensors& tensors);

// Item `item` of a list of whole numbers among the arguments, or the number itself where one stands
// for all; `otherwise` when there is none.
std::int64_t listed_number(const Operation& operation, std::size_t argument, std::size_t item,
                           std::int64_t otherwise);

struct RecurrentSize {
  double steps = 1, batch = 1, input = 1, hidden = 1;
  double layers = 1;   // of both directions
  double weights = 0;  // numbers
  bool backward = false;
};
RecurrentSize recurrent_size(const OperationView& view);

double log2_of(double value);  // of at least 1e-9
// The exponent of the largest power of two that divides the number, at most 6; 6 for 0.
double factors_of_two(std::int64_t number);

class FeatureRow {
 public:
  explicit FeatureRow(double multiprocessors) : multiprocessors_(multiprocessors) {}

  void add(std::string_view name, double value);
  void add_flag(std::string_view name, bool is) { add(name, is ? 1 : 0); }
  void add_log(std::string_view name, double value) { add(name, log2_of(value)); }
  // Thread blocks run in waves, one per multiprocessor: the logarithm of their number w, and how
  // much longer ⌈w⌉ waves take than w, which no longer matters from 16 waves on.
  void add_waves(std::string_view name, std::string_view quantized, double tiles);

  double multiprocessors() const { return multiprocessors_; }
  const std::vector<double>& values() const { return values_; }
  const std::vector<std::string_view>& names() const { return names_; }

 private:
  double multiprocessors_;
  std::vector<double> values_;
  std::vector<std::string_view> names_;  // literals
};

}  // namespace ampere
