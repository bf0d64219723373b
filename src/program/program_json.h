// Programs as JSON (docs/program-format.md), for files and for the protocols. Reading throws
// Error(usage) that names the field.
#pragma once

#include <span>
#include <vector>

#include "ampere/program.h"
#include "base/json.h"
#include "program/place.h"

namespace ampere {

inline constexpr std::size_t kMostSteps = 1'000'000;
inline constexpr std::size_t kMostStorages = 1'000'000;
inline constexpr std::size_t kMostDistinct = 100'000;  // tensors, operations, modules
inline constexpr std::size_t kMostAxes = 16;
inline constexpr int kDeepestValue = 4;  // lists inside lists

Json program_json(const Program& program);
Program read_program(const JsonField& json);
// The same where steps and operations were cut out of the text.
struct CutProgram;
Program read_program(const JsonField& json, CutProgram cut);

// The parts that are also sent alone.
Json tensors_json(std::span<const TensorType> tensors);
Json operations_json(std::span<const Operation> operations);
std::vector<TensorType> read_tensors(const Json& json, const Place& place);
// Every index points to one of the tensors, and every operation that is known can be counted.
std::vector<Operation> read_operations(const Json& json, const Place& place,
                                       std::span<const TensorType> tensors);
// The same for operations that are read already.
void check_operations(std::span<const Operation> operations, const Place& place,
                      std::span<const TensorType> tensors);

}  // namespace ampere
