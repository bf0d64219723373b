#include "method/operations/program_terms.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ampere {
namespace {

constexpr double kCorrelation = 0.3;  // ρ
constexpr int kTimedBlock = -1;
// Operations that move more than this times the cache read from memory. Fitted on one GPU, where
// 40 to 100 MB gave laws that are as good.
constexpr double kCachesMoved = 1.2;

// Parts of one group err alike, whatever their direction.
int group_of_part(OperationPart part) {
  switch (part) {
    case OperationPart::convolution_backward:
    case OperationPart::grouped_convolution:
    case OperationPart::grouped_convolution_backward:
      return static_cast<int>(OperationPart::convolution);
    case OperationPart::attention_backward:
      return static_cast<int>(OperationPart::attention);
    case OperationPart::norm_backward:
      return static_cast<int>(OperationPart::norm);
    default:
      return static_cast<int>(part);
  }
}

}  // namespace

bool was_timed(const MappedOperation& operation) {
  return operation.source == TimeSource::timed || operation.source == TimeSource::known;
}

std::vector<double> call_counts(const Program& program) {
  std::vector<double> counts(program.operations.size(), 0);
  for (const ProgramStep& step : program.steps) ++counts[static_cast<std::size_t>(step.operation)];
  return counts;
}

DeviceSum sum_of_operations(std::span<const MappedOperation> operations,
                            std::span<const double> counts) {
  OperationErrors errors;
  DeviceSum total;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const MappedOperation& operation = operations[i];
    if (operation.source == TimeSource::none) continue;
    const double seconds = counts[i] * operation.device_s;
    errors.add(operation, seconds * operation.deviation);
    total.seconds += seconds;
  }
  if (total.seconds > 0) total.deviation = std::sqrt(errors.variance()) / total.seconds;
  return total;
}

void OperationErrors::add(const MappedOperation& operation, double error) {
  const OperationFeatures& features = operation.features;
  Block& block =
      blocks_[was_timed(operation) ? kTimedBlock
                                   : 2 * group_of_part(features.part) + (features.half ? 1 : 0)];
  block.sum += error;
  block.squares += error * error;
}

double OperationErrors::variance() const {
  double variance = 0;
  for (const auto& [number, block] : blocks_) {
    const double rho = number == kTimedBlock ? 1 : kCorrelation;
    variance += rho * block.sum * block.sum + (1 - rho) * block.squares;
  }
  return variance;
}

void WorkTerms::add(const MappedOperation& operation, double count, const OperationDevice& device) {
  if (operation.drawn_j) {
    drawn_j += count * *operation.drawn_j;
    drawn_s += count * operation.device_s;
    return;
  }
  const OperationFeatures& features = operation.features;
  const DeviceWork& work = features.work;
  (work.bytes > kCachesMoved * device.cache_bytes ? memory_bytes : cache_bytes) +=
      count * work.bytes;
  if (!is_grouped_convolution(features.part))
    flops[static_cast<std::size_t>(work.flop_class)] += count * work.flops;
  else if (!features.half)
    grouped_s += count * operation.device_s;
}

WorkTerms work_terms(std::span<const MappedOperation> operations, std::span<const double> counts,
                     const OperationDevice& device) {
  WorkTerms terms;
  for (std::size_t i = 0; i < operations.size(); ++i)
    if (operations[i].source != TimeSource::none) terms.add(operations[i], counts[i], device);
  return terms;
}

std::vector<std::size_t> dearest_operations(std::span<const MappedOperation> operations,
                                            std::span<const double> counts, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < operations.size(); ++i)
    if (operations[i].source != TimeSource::none && !was_timed(operations[i]) && counts[i] > 0)
      order.push_back(i);
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t i) { return counts[i] * operations[i].device_s; });
  if (order.size() > count) order.resize(count);
  return order;
}

}  // namespace ampere
