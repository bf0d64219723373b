#include "estimate_subject.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/json.h"
#include "model/model_json.h"

namespace ampere {
namespace {

constexpr const char* kStandardInput = "standard input";

// By its key "format", without parsing what may be a megabyte.
bool is_program_text(std::string_view text) {
  const std::size_t key = text.find("\"format\"");
  if (key == std::string_view::npos) return false;
  const std::string_view after = text.substr(key);
  return after.substr(0, after.find(',')).find("\"ampere-program\"") != std::string_view::npos;
}

}  // namespace

EstimateSubject open_subject(const std::string& text, const ModelSource& source) {
  if (text.ends_with(".program")) return {text, load_program(text)};
  return {text, source.open(text)};
}

EstimateSubject read_subject(const std::string& line, const ModelSource& source) {
  if (!line.starts_with('{')) return open_subject(line, source);
  if (is_program_text(line)) {
    Program program = parse_program(line, kStandardInput);
    std::string name = program.name;
    return {std::move(name), std::move(program)};
  }
  const Json document = parse_json(line, kStandardInput);
  const JsonField json(document, std::string(kStandardInput) + ": ");
  if (json.has("program")) {
    const std::string path = json.at("program").text();
    return {path, load_program(path)};
  }
  if (json.has("model")) return open_subject(json.at("model").text(), source);
  Model model = read_model(json);
  std::string name = model.name();
  return {std::move(name), std::move(model)};
}

}  // namespace ampere
