#include "program/programs.h"

#include <algorithm>

#include "program/tensor_type.h"
#include "program/words.h"

namespace ampere::testing_support {

std::string tiny_json() {
  return R"({
  "format": "ampere-program",
  "version": 1,
  "name": "tiny",
  "origin": {"way": "fake", "framework": "torch 2.11.0+cu130", "device": "cuda"},
  "setup": {"batch": 8, "optimizer": "sgd", "precision": "fp32"},
  "samples": 8,
  "parameters": 40,
  "module_calls": 1,
  "modules": ["", "fc"],
  "tensors": [["fp32", [4]], ["fp32", [8, 9]], ["fp32", [9, 4], [1, 9]], ["fp32", [8, 4]]],
  "operations": [
    {"name": "t", "arguments": [{"tensor": 2}], "results": [{"tensor": 2}], "launches": false},
    {"name": "addmm", "arguments": [{"tensor": 0}, {"tensor": 1}, {"tensor": 2}], "results": [{"tensor": 3}]}
  ],
  "steps": [[0, 0, 1], [1, 0, 1]],
  "storages": [[144, -1, null, 0], [16, -1, null, 0], [288, -1, null, 3], [128, 1, null, 4]]
})";
}

Program tiny_program() { return parse_program(tiny_json(), "tiny.program"); }

std::string tiny_json_with(const std::string& pointer, const Json& value) {
  Json json = Json::parse(tiny_json());
  const Json::json_pointer at(pointer);
  if (value.is_discarded())
    json[at.parent_pointer()].erase(at.back());
  else
    json[at] = value;
  return json.dump();
}

namespace {

std::vector<std::int64_t> numbers(const std::string& text, char open, char close) {
  const std::size_t begin = text.find(open);
  return Json::parse("[" + text.substr(begin + 1, text.find(close) - begin - 1) + "]")
      .get<std::vector<std::int64_t>>();
}

// Nothing for a text that is an argument itself.
std::optional<TensorType> tensor_of(const std::string& text) {
  const std::size_t sizes = text.find('[');
  if (sizes == std::string::npos) return std::nullopt;
  TensorType type{find_element_type(text.substr(0, sizes)).value(), numbers(text, '[', ']'), {}};
  type.strides = text.ends_with('}') ? numbers(text, '{', '}') : contiguous_strides(type.sizes);
  return type;
}

}  // namespace

Call::Call(std::string name, const std::string& arguments, const std::string& results,
           const std::string& keywords) {
  operation_.name = std::move(name);
  operation_.arguments = values(arguments);
  operation_.results = values(results);
  const Json named = Json::parse(keywords);
  for (const auto& [key, json] : named.items()) operation_.keywords.emplace_back(key, value(json));
}

ValueList Call::values(const std::string& text) {
  ValueList list;
  for (const Json& json : Json::parse("[" + text + "]")) list.push_back(value(json));
  return list;
}

Value Call::value(const Json& json) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return {json.get<bool>()};
  if (json.is_number_integer()) return {json.get<std::int64_t>()};
  if (json.is_number()) return {json.get<double>()};
  if (json.is_array()) {
    ValueList list;
    for (const Json& each : json) list.push_back(value(each));
    return {list};
  }
  const std::string text = json.get<std::string>();
  const auto tensor = tensor_of(text);
  if (!tensor) return {text};
  tensors_.push_back(*tensor);
  return {TensorIndex{static_cast<int>(tensors_.size()) - 1}};
}

double flops(const std::string& name, const std::string& arguments, const std::string& results) {
  return Call(name, arguments, results).counts().flops;
}

double bytes(const std::string& name, const std::string& arguments, const std::string& results) {
  return Call(name, arguments, results).counts().bytes;
}

}  // namespace ampere::testing_support
