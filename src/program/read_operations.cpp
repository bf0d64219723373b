#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"
#include "program/program_json.h"
#include "program/tensor_type.h"
#include "program/words.h"

namespace ampere {
namespace {

std::vector<std::int64_t> read_axes(const Json& json, const Place& place) {
  place.list(json);
  if (json.size() > kMostAxes) place.fail(fmt::format("has more than {} axes", kMostAxes));
  std::vector<std::int64_t> axes;
  axes.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) axes.push_back(Place(place, i).whole(json[i]));
  return axes;
}

TensorType read_tensor(const Json& json, const Place& place) {
  place.list(json);
  if (json.size() != 2 && json.size() != 3)
    place.fail("must be [format, sizes] or [format, sizes, strides]");
  const std::string word = Place(place, std::size_t{0}).text(json[0]);
  const auto element = find_element_type(word);
  if (!element)
    place.fail(fmt::format("'{}' is not a format; there are {}", word, element_type_words()));
  TensorType type{*element, read_axes(json[1], Place(place, 1)), {}};
  type.strides =
      json.size() == 3 ? read_axes(json[2], Place(place, 2)) : contiguous_strides(type.sizes);
  if (const std::string fault = tensor_fault(type); !fault.empty()) place.fail(fault);
  return type;
}

Value read_value(const Json& json, const Place& place, std::size_t tensors, int depth);

ValueList read_values(const Json& json, const Place& place, std::size_t tensors, int depth) {
  if (depth > kDeepestValue)
    place.fail(fmt::format("has lists inside lists, deeper than {}", kDeepestValue));
  ValueList values;
  values.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    values.push_back(read_value(json[i], Place(place, i), tensors, depth));
  return values;
}

Value read_value(const Json& json, const Place& place, std::size_t tensors, int depth) {
  switch (json.type()) {
    case Json::value_t::null:
      return {};
    case Json::value_t::boolean:
      return {json.get<bool>()};
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return {place.integer(json)};
    case Json::value_t::number_float:
      return {json.get<double>()};
    case Json::value_t::string:
      return {place.text(json)};
    case Json::value_t::array:
      return {read_values(json, place, tensors, depth + 1)};
    default:
      break;
  }
  const auto tensor = json.find("tensor");
  if (json.size() != 1 || tensor == json.end())
    place.fail("must be null, true, false, a number, a text, a list or {\"tensor\": …}");
  return {TensorIndex{place.index(*tensor, "tensor", tensors)}};
}

std::optional<bool> read_flag(const Json& json, const char* key, const Place& place) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return std::nullopt;
  if (!found->is_boolean()) Place(place, key).fail("must be true or false");
  return found->get<bool>();
}

void check_countable(const Operation& operation, std::span<const TensorType> tensors,
                     const Place& place) try {
  count(operation, tensors);
} catch (const Error& error) {
  place.fail(error.what());
}

Operation read_operation(const Json& json, const Place& place,
                         std::span<const TensorType> tensors) {
  place.object(json);
  Operation operation;
  const auto read_list = [&](const char* key) {
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) return ValueList{};
    const Place here(place, key);
    return read_values(here.list(*found), here, tensors.size(), 0);
  };
  const auto name = json.find("name");
  if (name == json.end()) place.fail("the key \"name\" is missing");
  operation.name = Place(place, "name").text(*name);
  if (operation.name.empty()) Place(place, "name").fail("must not be empty");
  operation.arguments = read_list("arguments");
  operation.results = read_list("results");
  if (const auto found = json.find("keywords"); found != json.end() && !found->is_null()) {
    const Place here(place, "keywords");
    for (const auto& [key, value] : here.object(*found).items())
      operation.keywords.emplace_back(plain_text(key),
                                      read_value(value, Place(here, key), tensors.size(), 0));
    std::ranges::sort(operation.keywords, {}, [](const auto& keyword) { return keyword.first; });
  }
  operation.launches = read_flag(json, "launches", place).value_or(true);
  operation.waits = read_flag(json, "waits", place).value_or(false);
  operation.tf32 = read_flag(json, "tf32", place);
  check_countable(operation, tensors, place);
  return operation;
}

void check_number(const Json& json, const Place& place, const char* things) {
  if (place.list(json).size() > kMostDistinct)
    place.fail(fmt::format("has {} {}; at most {} are read", json.size(), things, kMostDistinct));
}

void check_tensors(const Value& value, const Place& place, std::size_t tensors) {
  if (const auto* list = std::get_if<ValueList>(&value.is))
    for (const Value& each : *list) check_tensors(each, place, tensors);
  const auto* tensor = std::get_if<TensorIndex>(&value.is);
  if (tensor != nullptr && std::cmp_greater_equal(tensor->index, tensors))
    place.fail(fmt::format("tensor {} does not exist (there are {})", tensor->index, tensors));
}

}  // namespace

std::vector<TensorType> read_tensors(const Json& json, const Place& place) {
  check_number(json, place, "tensors");
  std::vector<TensorType> tensors;
  tensors.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    tensors.push_back(read_tensor(json[i], Place(place, i)));
  return tensors;
}

std::vector<Operation> read_operations(const Json& json, const Place& place,
                                       std::span<const TensorType> tensors) {
  check_number(json, place, "operations");
  std::vector<Operation> operations;
  operations.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    operations.push_back(read_operation(json[i], Place(place, i), tensors));
  return operations;
}

void check_operations(std::span<const Operation> operations, const Place& place,
                      std::span<const TensorType> tensors) {
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    const Place here(place, i);
    for (const ValueList* values : {&operation.arguments, &operation.results})
      for (const Value& value : *values) check_tensors(value, here, tensors.size());
    for (const auto& [name, value] : operation.keywords) check_tensors(value, here, tensors.size());
    check_countable(operation, tensors, here);
  }
}

}  // namespace ampere
