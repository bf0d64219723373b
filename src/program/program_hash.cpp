#include <fmt/format.h>

#include <map>

#include "ampere/program.h"
#include "base/hash.h"
#include "program/operation_text.h"

namespace ampere {

std::string program_hash(const Program& program) {
  std::vector<std::int64_t> steps(program.operations.size());
  for (const ProgramStep& step : program.steps) ++steps[static_cast<std::size_t>(step.operation)];
  OperationTexts texts(program.tensors);
  std::map<std::string, std::int64_t> counts;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i] > 0) counts[texts.of(program.operations[i])] += steps[i];
  std::string text;
  for (const auto& [operation, times] : counts) text += fmt::format("{} x {}\n", operation, times);
  return hash_text(text);
}

}  // namespace ampere
