#include "method/operations/rounded_types.h"

#include <set>

#include "method/operations/program_terms.h"
#include "method/operations/tensor_layout.h"

namespace ampere {
namespace {

constexpr double kOften = 0.2;
constexpr const char* kConversion = "_to_copy";

void add_tensors(const ValueList& values, std::set<std::size_t>& tensors) {
  for (const Value& value : values)
    if (const auto* tensor = std::get_if<TensorIndex>(&value.is))
      tensors.insert(static_cast<std::size_t>(tensor->index));
}

// Without those of lists, which are weights and what belongs to them: these are full numbers.
std::set<std::size_t> read_by(const Operation& operation) {
  std::set<std::size_t> tensors;
  add_tensors(operation.arguments, tensors);
  return tensors;
}

}  // namespace

RoundedTypes::RoundedTypes(const Program& program)
    : program_(program), rounded_(program.tensors.size(), false) {
  std::vector<double> made(program.tensors.size(), 0), read(program.tensors.size(), 0);
  const std::vector<double> counts = call_counts(program);
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const Operation& operation = program.operations[i];
    if (!operation.launches) continue;
    bool from_half = false;
    for (const std::size_t tensor : read_by(operation)) {
      read[tensor] += counts[i];
      from_half = from_half || is_half(program.tensors[tensor].element);
    }
    if (!from_half || operation.name != kConversion) continue;
    std::set<std::size_t> results;
    add_tensors(operation.results, results);
    for (const std::size_t tensor : results) made[tensor] += counts[i];
  }
  for (std::size_t i = 0; i < rounded_.size(); ++i)
    rounded_[i] = program.tensors[i].element == ElementType::fp32 && made[i] > 0 &&
                  made[i] >= kOften * read[i];
}

bool RoundedTypes::are_read_by(std::size_t operation) const {
  for (const std::size_t tensor : read_by(program_.operations[operation]))
    if (rounded_[tensor]) return true;
  return false;
}

}  // namespace ampere
