#include "method/operations/host_map.h"

#include "base/stats.h"
#include "method/operations/feature_row.h"
#include "method/operations/relative_fit.h"

namespace ampere {
namespace {

using Eigen::Index;

// A call on a list of tensors costs about as much as this many tensors, and then as its tensors.
constexpr double kTensorsOfACall = 6;

// 1 for a call on single tensors.
double list_size(const Operation& operation, std::span<const TensorType> tensors) {
  const bool takes_list = operation.name.starts_with("_foreach") || plain_name(operation) == "cat";
  if (!takes_list) return 1;
  const OperationTensors all = tensors_of(operation, tensors);
  return kTensorsOfACall + static_cast<double>(all.inputs.size() + all.outputs.size());
}

}  // namespace

double HostMap::calls_s(const Program& program, std::span<const double> counts) const {
  double sum = 0;
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const Operation& operation = program.operations[i];
    const auto found = name_s.find(operation.name);
    const double call =
        found == name_s.end() ? usual_s : found->second * list_size(operation, program.tensors);
    sum += counts[i] * call;
  }
  return sum;
}

HostMap fit_host_names(const std::vector<TimedOperation>& timed) {
  std::map<std::string, std::vector<double>> by_name;
  std::vector<double> all;
  for (const TimedOperation& each : timed) {
    if (!each.host_s || !(*each.host_s > 0)) continue;
    by_name[each.operation.name].push_back(*each.host_s / list_size(each.operation, each.tensors));
    all.push_back(*each.host_s);
  }
  HostMap map;
  for (const auto& [name, times] : by_name) map.name_s[name] = median(times);
  if (!all.empty()) map.usual_s = median(all);
  return map;
}

void fit_host_sums(std::span<const HostRow> rows, HostMap& map) {
  if (rows.empty()) return;
  const auto count = static_cast<Index>(rows.size());
  Eigen::MatrixXd terms(count, 2);
  Eigen::VectorXd targets(count);
  for (Index i = 0; i < count; ++i) {
    const HostRow& row = rows[static_cast<std::size_t>(i)];
    terms.row(i) << row.calls_s, 1;
    targets[i] = row.host_s;
  }
  const Eigen::VectorXd found = fit_relative(terms, targets, Eigen::VectorXd::Ones(count));
  map.scale = found[0], map.iteration_s = found[1];
}

}  // namespace ampere
