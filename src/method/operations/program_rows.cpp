// Two programs beside each other, module by module and operation by operation.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "method/operations/program_difference.h"
#include "program/operation_key.h"

namespace ampere {
namespace {

struct Calls {
  std::int64_t count = 0;
  double energy_j = 0, device_s = 0;
  std::multiset<OperationKey> operations;
  int dearest = -1;  // by its energy
  double dearest_j = -1;
};

void add_text(const Value& value, const std::vector<TensorType>& tensors,
              std::vector<std::string>& texts) {
  if (const auto* tensor = std::get_if<TensorIndex>(&value.is))
    texts.push_back(
        fmt::format("{}", fmt::join(tensors[static_cast<std::size_t>(tensor->index)].sizes, "x")));
  const auto* list = std::get_if<ValueList>(&value.is);
  if (list != nullptr && !list->empty() && std::holds_alternative<TensorIndex>(list->front().is))
    texts.push_back(fmt::format("[{} tensors]", list->size()));
}

// "convolution 64x3x32x32, 16x3x3x3 fp32"
std::string text_of(const Operation& operation, const std::vector<TensorType>& tensors) {
  std::vector<std::string> texts;
  std::string format;
  for (const Value& value : operation.arguments) {
    add_text(value, tensors, texts);
    if (const auto* tensor = std::get_if<TensorIndex>(&value.is);
        tensor != nullptr && format.empty())
      format = to_string(tensors[static_cast<std::size_t>(tensor->index)].element);
  }
  return fmt::format("{} {}{}{}", operation.name, fmt::join(texts, ", "), format.empty() ? "" : " ",
                     format);
}

std::map<std::string, Calls> by_module(const Program& program, const ComposedProgram& composed) {
  const std::vector<OperationKey> keys = operation_keys(program.operations, program.tensors);
  std::map<std::string, Calls> modules;
  for (const ProgramStep& step : program.steps) {
    const auto operation = static_cast<std::size_t>(step.operation);
    Calls& calls = modules[program.modules[static_cast<std::size_t>(step.module)]];
    ++calls.count;
    calls.energy_j += composed.energy_j[operation];
    calls.device_s += composed.mapped[operation].device_s;
    calls.operations.insert(keys[operation]);
    if (composed.energy_j[operation] > calls.dearest_j)
      calls.dearest_j = composed.energy_j[operation], calls.dearest = step.operation;
  }
  return modules;
}

std::string dearest_text(const Program& program, const Calls& calls) {
  return text_of(program.operations[static_cast<std::size_t>(calls.dearest)], program.tensors);
}

// The order of the second, with what only the first has where it was.
std::vector<std::string> module_order(const Program& before, const Program& after) {
  std::vector<std::string> order = after.modules;
  std::size_t at = 0;
  for (const std::string& module : before.modules) {
    const auto found = std::ranges::find(order, module);
    if (found != order.end()) {
      at = static_cast<std::size_t>(found - order.begin()) + 1;
    } else {
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(at), module);
      ++at;
    }
  }
  return order;
}

// What a module calls by one name in one phase, in order.
using CallPlace = std::tuple<std::string, ProgramPhase, std::string>;
std::map<CallPlace, std::vector<int>> by_place(const Program& program) {
  std::map<CallPlace, std::vector<int>> places;
  for (const ProgramStep& step : program.steps)
    places[{program.modules[static_cast<std::size_t>(step.module)], step.phase,
            program.operations[static_cast<std::size_t>(step.operation)].name}]
        .push_back(step.operation);
  return places;
}

// Rows of the table by what an operation was and is; -1 where it was not or is not.
using Rows = std::map<std::pair<int, int>, std::int64_t>;

// Equal calls of a place are the same; of the others each is a change of the next one.
void pair_calls(std::vector<int> before, std::vector<int> after,
                const std::vector<OperationKey>& keys_before,
                const std::vector<OperationKey>& keys_after, Rows& rows) {
  std::multimap<OperationKey, int> open;
  for (const int operation : before)
    open.emplace(keys_before[static_cast<std::size_t>(operation)], operation);
  std::vector<int> new_ones;
  for (const int operation : after) {
    const auto equal = open.find(keys_after[static_cast<std::size_t>(operation)]);
    if (equal == open.end()) {
      new_ones.push_back(operation);
    } else {
      ++rows[{equal->second, operation}];
      open.erase(equal);
    }
  }
  std::vector<int> old_ones;
  for (const int operation : before) {  // in their order
    const auto left =
        std::ranges::find_if(open, [&](const auto& each) { return each.second == operation; });
    if (left == open.end()) continue;
    old_ones.push_back(operation);
    open.erase(left);
  }
  for (std::size_t i = 0; i < std::max(old_ones.size(), new_ones.size()); ++i)
    ++rows[{i < old_ones.size() ? old_ones[i] : -1, i < new_ones.size() ? new_ones[i] : -1}];
}

}  // namespace

std::vector<PartDifference> module_differences(const Program& before,
                                               const ComposedProgram& of_before,
                                               const Program& after,
                                               const ComposedProgram& of_after) {
  const std::map<std::string, Calls> a = by_module(before, of_before),
                                     b = by_module(after, of_after);
  std::vector<PartDifference> parts;
  for (const std::string& module : module_order(before, after)) {
    const auto in_a = a.find(module), in_b = b.find(module);
    if (in_a == a.end() && in_b == b.end()) continue;
    PartDifference part;
    part.name = module;
    if (in_a != a.end()) {
      const Calls& calls = in_a->second;
      part.before = dearest_text(before, calls), part.calls_before = calls.count;
      part.energy_before_j = calls.energy_j, part.time_before_s = calls.device_s;
    }
    if (in_b != b.end()) {
      const Calls& calls = in_b->second;
      part.after = dearest_text(after, calls), part.calls_after = calls.count;
      part.energy_after_j = calls.energy_j, part.time_after_s = calls.device_s;
    }
    part.change = in_a == a.end()                                      ? PartChange::added
                  : in_b == b.end()                                    ? PartChange::removed
                  : in_a->second.operations == in_b->second.operations ? PartChange::same
                                                                       : PartChange::changed;
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<PartDifference> operation_differences(const Program& before,
                                                  const ComposedProgram& of_before,
                                                  const Program& after,
                                                  const ComposedProgram& of_after) {
  const auto keys_before = operation_keys(before.operations, before.tensors);
  const auto keys_after = operation_keys(after.operations, after.tensors);
  std::map<CallPlace, std::vector<int>> places_before = by_place(before),
                                        places_after = by_place(after);
  for (const auto& [place, calls] : places_before) places_after[place];
  Rows rows;
  for (const auto& [place, calls] : places_after)
    pair_calls(places_before[place], calls, keys_before, keys_after, rows);
  std::vector<PartDifference> parts;
  for (const auto& [pair, count] : rows) {
    const auto& [old_one, new_one] = pair;
    PartDifference part;
    const auto times = static_cast<double>(count);
    if (old_one >= 0) {
      const auto i = static_cast<std::size_t>(old_one);
      part.name = before.operations[i].name;
      part.before = text_of(before.operations[i], before.tensors), part.calls_before = count;
      part.energy_before_j = times * of_before.energy_j[i];
      part.time_before_s = times * of_before.mapped[i].device_s;
    }
    if (new_one >= 0) {
      const auto i = static_cast<std::size_t>(new_one);
      part.name = after.operations[i].name;
      part.after = text_of(after.operations[i], after.tensors), part.calls_after = count;
      part.energy_after_j = times * of_after.energy_j[i];
      part.time_after_s = times * of_after.mapped[i].device_s;
    }
    part.change = old_one < 0   ? PartChange::added
                  : new_one < 0 ? PartChange::removed
                  : keys_before[static_cast<std::size_t>(old_one)] ==
                          keys_after[static_cast<std::size_t>(new_one)]
                      ? PartChange::same
                      : PartChange::changed;
    parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(parts, std::greater{}, [](const PartDifference& part) {
    return std::abs(part.energy_after_j - part.energy_before_j);
  });
  return parts;
}

}  // namespace ampere
