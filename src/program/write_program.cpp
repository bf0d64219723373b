#include <cmath>

#include "base/or_null.h"
#include "program/generation_step.h"
#include "program/program_format.h"
#include "program/program_json.h"
#include "program/tensor_type.h"
#include "setup/setup_json.h"

namespace ampere {
namespace {

Json value_json(const Value& value);

Json values_json(const ValueList& values) {
  Json json = Json::array();
  for (const Value& value : values) json.push_back(value_json(value));
  return json;
}

struct ValueWriter {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(bool value) const { return value; }
  Json operator()(std::int64_t value) const { return value; }
  // JSON has no number for these, and null would be an absent argument.
  Json operator()(double value) const {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
  }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(TensorIndex value) const { return {{"tensor", value.index}}; }
  Json operator()(const ValueList& values) const { return values_json(values); }
};

Json value_json(const Value& value) { return std::visit(ValueWriter{}, value.is); }

Json operation_json(const Operation& operation) {
  Json json{{"name", operation.name}, {"arguments", values_json(operation.arguments)}};
  for (const auto& [key, value] : operation.keywords) json["keywords"][key] = value_json(value);
  json["results"] = values_json(operation.results);
  if (!operation.launches) json["launches"] = false;
  if (operation.waits) json["waits"] = true;
  if (operation.tf32) json["tf32"] = *operation.tf32;
  return json;
}

Json seen_json(const SeenTimes& seen) {
  return {{"device", seen.device}, {"host_s", seen.host_s}, {"operations_s", seen.operations_s}};
}

Json origin_json(const ProgramOrigin& origin) {
  Json json{{"way", to_string(origin.way)}};
  if (!origin.framework.empty()) json["framework"] = origin.framework;
  json["device"] = origin.device;
  return json;
}

}  // namespace

Json tensors_json(std::span<const TensorType> tensors) {
  Json json = Json::array();
  for (const TensorType& type : tensors) {
    Json one = Json::array({to_string(type.element), type.sizes});
    if (type.strides != contiguous_strides(type.sizes)) one.push_back(type.strides);
    json.push_back(std::move(one));
  }
  return json;
}

Json operations_json(std::span<const Operation> operations) {
  Json json = Json::array();
  for (const Operation& operation : operations) json.push_back(operation_json(operation));
  return json;
}

Json program_json(const Program& program) {
  Json json{{"format", "ampere-program"},
            {"version", kProgramFormatVersion},
            {"name", program.name},
            {"origin", origin_json(program.origin)}};
  if (program.setup) json["setup"] = setup_json(*program.setup);
  if (program.generation) json["generation"] = generation_step_json(*program.generation);
  if (program.seen) json["seen"] = seen_json(*program.seen);
  if (program.samples) json["samples"] = *program.samples;
  json["parameters"] = program.parameters;
  json["module_calls"] = program.module_calls;
  json["modules"] = program.modules;
  json["tensors"] = tensors_json(program.tensors);
  json["operations"] = operations_json(program.operations);
  Json& steps = json["steps"] = Json::array();
  for (const ProgramStep& step : program.steps)
    steps.push_back(Json::array({step.operation, static_cast<int>(step.phase), step.module}));
  Json& storages = json["storages"] = Json::array();
  for (const Storage& storage : program.storages)
    storages.push_back(Json::array(
        {storage.bytes, storage.born, or_null(storage.freed), static_cast<int>(storage.kind)}));
  return json;
}

}  // namespace ampere
