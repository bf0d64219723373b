#include <fmt/format.h>

#include <map>

#include "ampere/program.h"
#include "base/hash.h"
#include "program/program_json.h"

namespace ampere {
namespace {

// An operation as a text that says everything about it, with the types of its tensors written out,
// so that it does not matter how tensors are numbered.
class Description {
 public:
  explicit Description(const std::vector<TensorType>& tensors) {
    for (const TensorType& type : tensors)
      types_.push_back(fmt::format("{}", tensors_json(std::span(&type, 1)).dump()));
  }

  std::string of(const Operation& operation) const {
    std::string text = operation.name;
    add(operation.arguments, text);
    for (const auto& [key, value] : operation.keywords) {
      text += ' ' + key + '=';
      std::visit([&](const auto& is) { add(is, text); }, value.is);
    }
    text += "->";
    add(operation.results, text);
    return text + (operation.launches ? " launches" : "") + (operation.waits ? " waits" : "");
  }

 private:
  void add(std::monostate, std::string& text) const { text += "null"; }
  void add(bool is, std::string& text) const { text += is ? "true" : "false"; }
  void add(std::int64_t is, std::string& text) const { text += std::to_string(is); }
  void add(double is, std::string& text) const { text += fmt::format("{:#}", is); }
  void add(const std::string& is, std::string& text) const { text += Json(is).dump(); }
  void add(TensorIndex is, std::string& text) const {
    text += types_[static_cast<std::size_t>(is.index)];
  }
  void add(const ValueList& values, std::string& text) const {
    text += '(';
    for (const Value& value : values) {
      std::visit([&](const auto& is) { add(is, text); }, value.is);
      text += ',';
    }
    text += ')';
  }

  std::vector<std::string> types_;
};

}  // namespace

std::string program_hash(const Program& program) {
  std::vector<std::int64_t> steps(program.operations.size());
  for (const ProgramStep& step : program.steps) ++steps[static_cast<std::size_t>(step.operation)];
  const Description description(program.tensors);
  std::map<std::string, std::int64_t> counts;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i] > 0) counts[description.of(program.operations[i])] += steps[i];
  std::string text;
  for (const auto& [operation, times] : counts) text += fmt::format("{} x {}\n", operation, times);
  return hash_text(text);
}

}  // namespace ampere
