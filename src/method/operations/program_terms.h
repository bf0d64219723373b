// What the laws of time and energy see of a program: sums over its operations.
#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include "method/operations/operation_map.h"

namespace ampere {

// How often each distinct operation of a program is called.
std::vector<double> call_counts(const Program& program);

// Whether its time was measured exactly as it occurs, now or when the device was profiled.
bool was_timed(const MappedOperation& operation);

// Device time and how far the sum may be off.
struct DeviceSum {
  double seconds = 0;
  double deviation = 0;  // relative standard deviation
};
// Errors of operations of one group and format are correlated, since one model makes them:
//   var = Σ_blocks [ρ (Σ w s)² + (1 − ρ) Σ w² s²]   with w = count · time and ρ = 0.3.
// Operations that were timed are one block with ρ = 1: what is wrong with them is wrong with all.
DeviceSum sum_of_operations(std::span<const MappedOperation> operations,
                            std::span<const double> counts);

// The variance of a sum of errors by this formula, each a number of seconds or of joules.
class OperationErrors {
 public:
  // The error of all calls of one distinct operation, with its sign.
  void add(const MappedOperation& operation, double error);
  double variance() const;

 private:
  struct Block {
    double sum = 0, squares = 0;
  };
  std::map<int, Block> blocks_;  // by group and format
};

// The work that costs energy apart from time.
struct WorkTerms {
  double memory_bytes = 0;                   // of operations that do not fit into the cache
  double cache_bytes = 0;                    // of all others
  std::array<double, kFlopClasses> flops{};  // by FlopClass, without grouped convolutions
  double grouped_s = 0;  // time of grouped convolutions of full numbers, which draw more power
  // Energy and time of the operations whose energy was measured. They are in no other term.
  double drawn_j = 0, drawn_s = 0;

  void add(const MappedOperation& operation, double count, const OperationDevice& device);
};
WorkTerms work_terms(std::span<const MappedOperation> operations, std::span<const double> counts,
                     const OperationDevice& device);

// The operations that cost most, each by all of its calls: at most `count` of those whose time is
// not known exactly, the dearest first.
std::vector<std::size_t> dearest_operations(std::span<const MappedOperation> operations,
                                            std::span<const double> counts, std::size_t count);

}  // namespace ampere
