#include "model/model_json.h"

#include <fmt/format.h>

#include <map>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/text.h"
#include "model/model_format.h"
#include "model/op_json.h"

namespace ampere {
namespace {

constexpr const char* kFormat = "ampere-model";

using LayerIndices = std::map<std::string, int>;

Json layer_json(const Layer& layer, const Model& model) {
  Json json;
  json["name"] = layer.name;
  json["op"] = op_name(layer.op);
  for (const int input : layer.inputs) json["inputs"].push_back(model.layers().at(input).name);
  write_op(layer.op, json);
  if (!layer.module.empty()) json["module"] = layer.module;
  if (layer.shares >= 0) json["shares"] = model.layers().at(layer.shares).name;
  return json;
}

// Names are printed by many verbs: a terminal must not obey them.
std::string read_name(const JsonField& json, const std::string& key, const std::string& otherwise) {
  std::string name = json.text_or(key, otherwise);
  if (const std::string fault = text_fault(name); !fault.empty()) json.at(key).fail(fault);
  return name;
}

[[noreturn]] void refuse_input(const JsonField& input, const LayerIndices& earlier,
                               const JsonField& layers) {
  const std::string name = input.text();
  for (const JsonField& layer : layers.items())
    if (layer.json().is_object() && layer.json().value("name", Json()) == Json(name))
      input.fail(fmt::format(
          "'{}' does not come before this layer; list layers after those they read", name));
  std::vector<std::string> names;
  for (const auto& [known, index] : earlier) names.push_back(known);
  input.fail(fmt::format("no layer is named '{}'{}", name, suggestion(name, names)));
}

int read_name(const JsonField& name, const LayerIndices& earlier, const JsonField& layers) {
  const auto found = earlier.find(name.text());
  if (found == earlier.end()) refuse_input(name, earlier, layers);
  return found->second;
}

std::vector<int> read_inputs(const JsonField& layer, const LayerIndices& earlier,
                             const JsonField& layers) {
  const JsonField inputs = layer.at("inputs");
  const std::vector<JsonField> names =
      inputs.json().is_string() ? std::vector<JsonField>{inputs} : inputs.items();
  std::vector<int> indices;
  for (const JsonField& name : names) indices.push_back(read_name(name, earlier, layers));
  return indices;
}

// The builder names the layer, the file's path is put in front.
int add_layer(ModelBuilder& builder, const JsonField& layer, const LayerIndices& earlier,
              const JsonField& layers) {
  Op op = read_op(layer);
  const std::string name = read_name(layer, "name", "");
  builder.module(read_name(layer, "module", ""));
  const bool explicit_inputs = layer.has("inputs");
  std::vector<int> inputs;
  if (explicit_inputs) inputs = read_inputs(layer, earlier, layers);
  const int shares = layer.has("shares") ? read_name(layer.at("shares"), earlier, layers) : -1;
  try {
    const int index = explicit_inputs ? builder.add(std::move(op), std::move(inputs), name)
                                      : builder.add(std::move(op), name);
    if (shares >= 0) builder.tie(index, shares);
    return index;
  } catch (const Error& error) {
    layer.fail(error.what());
  }
}

void check_format(const JsonField& json) {
  if (!json.json().is_object()) json.fail("a model file is an object with the key \"layers\"");
  if (json.text_or("format", kFormat) != kFormat)
    json.at("format").fail(fmt::format("must be \"{}\"", kFormat));
  const std::int64_t version = json.integer_or("version", kModelFormatVersion);
  if (version != kModelFormatVersion)
    json.at("version").fail(
        fmt::format("version {} is not known to this program, which reads version {}", version,
                    kModelFormatVersion));
}

}  // namespace

Json model_json(const Model& model) {
  Json json;
  json["format"] = kFormat;
  json["version"] = kModelFormatVersion;
  json["name"] = model.name();
  json["layers"] = Json::array();
  for (const Layer& layer : model.layers()) json["layers"].push_back(layer_json(layer, model));
  return json;
}

Json derived_model_json(const Model& model) {
  Json json = model_json(model);
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    const Layer& layer = model.layers()[i];
    Json& described = json["layers"][i];
    Json shape = Json::object();
    write_op(Input{layer.output}, shape);
    shape.erase("op");
    described["shape"] = std::move(shape);
    described["weights"] = Json::array();
    for (const WeightShape& weight : weight_shapes(layer, model))
      described["weights"].push_back(
          {{"name", weight.name}, {"sizes", weight.sizes}, {"learned", weight.learned}});
  }
  return json;
}

Model read_model(const JsonField& json) {
  check_format(json);
  const JsonField layers = json.at("layers");
  ModelBuilder builder(read_name(json, "name", "model"));
  LayerIndices indices;
  for (const JsonField& layer : layers.items()) {
    const int index = add_layer(builder, layer, indices, layers);
    indices[builder.name(index)] = index;
  }
  if (indices.empty()) layers.fail("a network has at least one layer");
  return std::move(builder).build();
}

std::string to_json(const Model& model, int indent) {
  return model_json(model).dump(indent, ' ', false, Json::error_handler_t::replace);
}

Model parse_model(std::string_view json, const std::string& origin) {
  const Json document = parse_json(json, origin);
  return read_model(JsonField(document, origin + ": "));
}

}  // namespace ampere
