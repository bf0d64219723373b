#include "program/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace ampere {
namespace {

constexpr double kFlopsPerByte = 100;  // roughly what devices compute while they move one byte
constexpr std::size_t kGroups = static_cast<std::size_t>(OperationGroup::other) + 1;

// Orders operations about as their times do.
double size_of(const ProgramWork& work) { return std::max(work.flops / kFlopsPerByte, work.bytes); }

void add(ProgramWork& work, const ProgramWork& more) {
  work.steps += more.steps;
  work.launching += more.launching;
  work.flops += more.flops;
  work.bytes += more.bytes;
}

// What each operation does when it is called once.
std::vector<ProgramWork> single_calls(const Program& program) {
  std::vector<ProgramWork> calls;
  for (const Operation& operation : program.operations) {
    const OperationCounts counts = count(operation, program.tensors);
    calls.push_back({1, operation.launches ? 1 : 0, counts.flops, counts.bytes});
  }
  return calls;
}

// The path without what is deeper: "layer1.0" of "layer1.0.conv1". Empty when it is not so deep.
std::string cut_path(const std::string& path, int depth) {
  std::size_t end = 0;
  for (int i = 0; i < depth; ++i) {
    if (end == path.size()) return "";
    const std::size_t dot = path.find('.', i == 0 ? 0 : end + 1);
    end = dot == std::string::npos ? path.size() : dot;
  }
  return path.substr(0, end);
}

std::vector<ModuleWork> modules_of(const Program& program, const std::vector<ProgramWork>& calls) {
  std::vector<ProgramWork> own(program.modules.size());
  for (const ProgramStep& step : program.steps)
    add(own[static_cast<std::size_t>(step.module)],
        calls[static_cast<std::size_t>(step.operation)]);
  std::map<std::string, std::size_t> places;  // in the following lists
  std::vector<ModuleWork> outer;
  std::vector<std::vector<ModuleWork>> inner;
  const auto find = [&](std::vector<ModuleWork>& list, const std::string& path, int depth) {
    const auto [place, is_new] = places.emplace(path, list.size());
    if (is_new) list.push_back({path, depth, {}});
    return place->second;
  };
  for (const ProgramStep& step : program.steps) {
    const auto module = static_cast<std::size_t>(step.module);
    const ProgramWork work = std::exchange(own[module], {});
    const std::string first = cut_path(program.modules[module], 1);
    if (work.steps == 0 || first.empty()) continue;
    const std::size_t at = find(outer, first, 1);
    inner.resize(outer.size());
    add(outer[at].work, work);
    const std::string second = cut_path(program.modules[module], 2);
    if (!second.empty()) add(inner[at][find(inner[at], second, 2)].work, work);
  }
  std::vector<ModuleWork> all;
  for (std::size_t i = 0; i < outer.size(); ++i) {
    all.push_back(outer[i]);
    all.insert(all.end(), inner[i].begin(), inner[i].end());
  }
  return all;
}

std::string tensor_text(const TensorType& type) {
  return fmt::format("{}[{}]", to_string(type.element), fmt::join(type.sizes, ","));
}

}  // namespace

ProgramSummary summarize(const Program& program) {
  const std::vector<ProgramWork> calls = single_calls(program);
  std::vector<OperationWork> operations(calls.size());
  for (const ProgramStep& step : program.steps) {
    const auto place = static_cast<std::size_t>(step.operation);
    operations[place].operation = step.operation;
    add(operations[place].work, calls[place]);
  }
  std::erase_if(operations, [](const OperationWork& each) { return each.work.steps == 0; });

  ProgramSummary summary;
  std::vector<GroupWork> groups(kGroups);
  for (const OperationWork& each : operations) {
    const OperationGroup group =
        group_of(program.operations[static_cast<std::size_t>(each.operation)]);
    GroupWork& its = groups[static_cast<std::size_t>(group)];
    its.group = group;
    ++its.distinct;
    add(its.work, each.work);
    add(summary.total, each.work);
  }
  std::erase_if(groups, [](const GroupWork& each) { return each.distinct == 0; });
  summary.groups = std::move(groups);
  std::ranges::stable_sort(operations, std::greater{},
                           [](const OperationWork& each) { return size_of(each.work); });
  summary.operations = std::move(operations);
  summary.modules = modules_of(program, calls);
  return summary;
}

std::string call_text(const Operation& operation, const std::vector<TensorType>& tensors) {
  std::vector<std::string> arguments;
  for (const Value& value : operation.arguments) {
    if (const auto* tensor = std::get_if<TensorIndex>(&value.is))
      arguments.push_back(tensor_text(tensors[static_cast<std::size_t>(tensor->index)]));
    const auto* list = std::get_if<ValueList>(&value.is);
    if (list == nullptr) continue;
    const auto count = std::ranges::count_if(
        *list, [](const Value& each) { return std::holds_alternative<TensorIndex>(each.is); });
    if (count > 0) arguments.push_back(fmt::format("{} tensors", count));
  }
  return fmt::format("{}({})", operation.name, fmt::join(arguments, ", "));
}

}  // namespace ampere
