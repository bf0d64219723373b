#include "program_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"
#include "base/plain_text.h"
#include "base/text.h"
#include "print.h"
#include "program/program_json.h"
#include "program/summary.h"

namespace ampere {
namespace {

constexpr std::size_t kLargest = 10;  // operations that are listed

const Operation& operation_of(const OperationWork& work, const Program& program) {
  return program.operations.at(static_cast<std::size_t>(work.operation));
}

// A number of bytes below 1000 is whole.
std::string bytes_text(double bytes) {
  return bytes < 1000 ? fmt::format("{:.0f} B", bytes) : with_unit(bytes, "B");
}

std::string origin_text(const ProgramOrigin& origin) {
  std::string text;
  switch (origin.way) {
    case TraceWay::fake:
      text = "traced without running it";
      break;
    case TraceWay::run:
      text = "traced while it ran once";
      break;
    case TraceWay::lowered:
      text = "made from a model by rules";
      break;
    case TraceWay::kernels:
      text = "what a compiled step launched";
      break;
  }
  if (!origin.device.empty()) text += ", for " + origin.device;
  return origin.framework.empty() ? text : text + ", by " + origin.framework;
}

std::string peak_text(const Program& program) {
  const auto peak = peak_memory(program);
  if (!peak) return "peak memory unknown: the program has no allocations";
  std::string parts;
  for (std::size_t kind = 0; kind < peak->by_kind.size(); ++kind)
    if (peak->by_kind[kind] > 0)
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ",
                           to_string(static_cast<StorageKind>(kind)),
                           bytes_text(static_cast<double>(peak->by_kind[kind])));
  return fmt::format("peak memory {} in step {}: {}", bytes_text(static_cast<double>(peak->bytes)),
                     peak->step, parts.empty() ? "nothing" : parts);
}

std::string seen_text(const Program& program) {
  double device_s = 0;
  for (const ProgramStep& step : program.steps)
    device_s += program.seen->operations_s.at(static_cast<std::size_t>(step.operation));
  return fmt::format("seen on {}: {} of the device and {} of the host per iteration",
                     plain_text(program.seen->device), with_unit(device_s, "s"),
                     with_unit(program.seen->host_s, "s"));
}

std::string what_text(const Program& program) {
  if (program.generation) return "a call of a language model: " + to_string(*program.generation);
  return program.setup ? to_string(*program.setup) : "a step of its own";
}

void print_head(const Program& program, const ProgramWork& total) {
  fmt::print("{}\n", program.name);
  print_wrapped(origin_text(program.origin), 2);
  print_wrapped(fmt::format("{}{}", what_text(program),
                            program.samples ? fmt::format("; {} per iteration",
                                                          counted(*program.samples, "sample"))
                                            : ""),
                2);
  print_wrapped(fmt::format("{}, {} FLOPs and {} moved per iteration, {}",
                            counted(program.parameters, "parameter"), large_count(total.flops),
                            bytes_text(total.bytes), counted(program.module_calls, "module call")),
                2);
  print_wrapped(peak_text(program), 2);
  if (program.seen) print_wrapped(seen_text(program), 2);
}

std::vector<std::string> work_cells(const ProgramWork& work) {
  return {std::to_string(work.steps), std::to_string(work.launching), large_count(work.flops),
          bytes_text(work.bytes)};
}

using Rows = std::vector<std::vector<std::string>>;

void add_row(Rows& rows, std::vector<std::string> cells, const ProgramWork& work) {
  for (std::string& cell : work_cells(work)) cells.push_back(std::move(cell));
  rows.push_back(std::move(cells));
}

void print_groups(const ProgramSummary& summary) {
  Rows rows{{"group", "distinct", "steps", "launching", "FLOPs", "bytes"}};
  for (const GroupWork& group : summary.groups)
    add_row(rows, {to_string(group.group), std::to_string(group.distinct)}, group.work);
  add_row(rows, {"all", std::to_string(summary.operations.size())}, summary.total);
  print_table(rows);
}

void print_largest(const ProgramSummary& summary, const Program& program) {
  Rows rows{{"largest operations", "steps", "launching", "FLOPs", "bytes"}};
  for (const OperationWork& each : summary.operations) {
    if (rows.size() > kLargest || each.work.flops + each.work.bytes == 0) break;
    add_row(rows, {call_text(operation_of(each, program), program.tensors)}, each.work);
  }
  print_table(rows);
}

void print_modules(const ProgramSummary& summary) {
  Rows rows{{"module", "steps", "launching", "FLOPs", "bytes"}};
  for (const ModuleWork& module : summary.modules)
    add_row(rows, {(module.depth == 2 ? "  " : "") + module.path}, module.work);
  print_table(rows);
}

void add_work(Json& json, const ProgramWork& work) {
  json["steps"] = work.steps;
  json["launching"] = work.launching;
  json["flops"] = work.flops;
  json["bytes"] = work.bytes;
}

Json peak_json(const Program& program) {
  const auto peak = peak_memory(program);
  if (!peak) return nullptr;
  Json json{{"bytes", peak->bytes}, {"step", peak->step}};
  for (std::size_t kind = 0; kind < peak->by_kind.size(); ++kind) {
    std::string key = to_string(static_cast<StorageKind>(kind));
    std::ranges::replace(key, ' ', '_');
    json["by_kind"][key] = peak->by_kind[kind];
  }
  return json;
}

}  // namespace

void print_program(const Program& program) {
  const ProgramSummary summary = summarize(program);
  print_head(program, summary.total);
  fmt::print("\n");
  print_groups(summary);
  if (summary.total.flops + summary.total.bytes > 0) {
    fmt::print("\n");
    print_largest(summary, program);
  }
  if (summary.modules.empty()) return;
  fmt::print("\n");
  print_modules(summary);
}

void print_program_json(const Program& program) {
  const ProgramSummary summary = summarize(program);
  Json document = program_json(program);
  document["hash"] = program_hash(program);
  document["flops"] = summary.total.flops;
  document["bytes"] = summary.total.bytes;
  document["peak_memory"] = peak_json(program);
  for (const OperationWork& each : summary.operations) {
    Json& operation = document["operations"][static_cast<std::size_t>(each.operation)];
    operation["group"] = to_string(group_of(operation_of(each, program)));
    operation["steps"] = each.work.steps;
    operation["flops"] = each.work.flops;
    operation["bytes"] = each.work.bytes;
  }
  document["groups"] = Json::array();
  for (const GroupWork& group : summary.groups) {
    Json json{{"group", to_string(group.group)}, {"distinct", group.distinct}};
    add_work(json, group.work);
    document["groups"].push_back(std::move(json));
  }
  document["work_by_module"] = Json::array();
  for (const ModuleWork& module : summary.modules) {
    Json json{{"module", module.path}};
    add_work(json, module.work);
    document["work_by_module"].push_back(std::move(json));
  }
  fmt::print("{}\n", json_text(document, 2));
}

}  // namespace ampere
