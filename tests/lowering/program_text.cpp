#include "lowering/program_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "program/tensor_type.h"

namespace ampere::testing_support {
namespace {

std::string text_of(const TensorType& type) {
  std::string text = fmt::format("{}[{}]", to_string(type.element), fmt::join(type.sizes, ","));
  if (type.strides != contiguous_strides(type.sizes))
    text += fmt::format("/[{}]", fmt::join(type.strides, ","));
  return text;
}

std::string text_of(const ValueList& values, const Program& program);

std::string text_of(const Value& value, const Program& program) {
  struct Text {
    const Program& program;
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool is) const { return is ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return fmt::format("{:.12g}f", number); }
    std::string operator()(const std::string& text) const { return '"' + text + '"'; }
    std::string operator()(TensorIndex tensor) const {
      return text_of(program.tensors[tensor.index]);
    }
    std::string operator()(const ValueList& list) const {
      return "[" + text_of(list, program) + "]";
    }
  };
  return std::visit(Text{program}, value.is);
}

std::string text_of(const ValueList& values, const Program& program) {
  std::vector<std::string> texts;
  for (const Value& value : values) texts.push_back(text_of(value, program));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string text_of(const Operation& operation, const Program& program) {
  std::string arguments = text_of(operation.arguments, program);
  for (const auto& [name, value] : operation.keywords)
    arguments += fmt::format(", {}={}", name, text_of(value, program));
  std::string text =
      fmt::format("{}({}) -> {}", operation.name, arguments, text_of(operation.results, program));
  if (operation.tf32) text += *operation.tf32 ? " in TF32" : " without TF32";
  return text;
}

std::string differing_counts(const std::vector<std::string>& traced,
                             const std::vector<std::string>& lowered) {
  std::map<std::string, int> surplus;
  for (const std::string& line : traced) ++surplus[line];
  for (const std::string& line : lowered) --surplus[line];
  std::string text;
  for (const auto& [line, count] : surplus)
    if (count != 0)
      text += fmt::format("  {} {} more: {}\n", std::abs(count), count > 0 ? "traced" : "lowered",
                          line);
  return text;
}

}  // namespace

std::vector<std::string> lines(const Program& program, Steps steps) {
  std::vector<std::string> result;
  for (const ProgramStep& step : program.steps) {
    const Operation& operation = program.operations[step.operation];
    if (!operation.launches && steps == Steps::launching) continue;
    result.push_back(fmt::format("{} {}", to_string(step.phase), text_of(operation, program)));
  }
  return result;
}

std::vector<std::string> lines_of(const Program& program, ProgramPhase phase) {
  std::vector<std::string> result;
  const std::string prefix = to_string(phase) + std::string(" ");
  for (const std::string& line : lines(program))
    if (line.starts_with(prefix)) result.push_back(line.substr(prefix.size()));
  return result;
}

std::string difference(const Program& traced, const Program& lowered, Steps steps) {
  const std::vector<std::string> from_trace = lines(traced, steps),
                                 from_rules = lines(lowered, steps);
  if (const std::string text = differing_counts(from_trace, from_rules); !text.empty()) return text;
  for (std::size_t i = 0; i < from_trace.size(); ++i)
    if (from_trace[i] != from_rules[i])
      return fmt::format("  in another order from step {}:\n  traced  {}\n  lowered {}\n", i,
                         from_trace[i], from_rules[i]);
  return "";
}

}  // namespace ampere::testing_support
