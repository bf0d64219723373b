#include "base/json.h"

#include <cmath>

#include "ampere/error.h"

namespace ampere {

Json parse_json(std::string_view text, const std::string& origin) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    // nlohmann's text is "[json.exception…] parse error at line L, column C: …": the useful part
    // follows "at".
    const std::string_view what = error.what();
    const std::size_t at = what.find("at line");
    throw Error(ErrorCode::usage,
                origin + ": not valid JSON " +
                    std::string(at == std::string_view::npos ? what : what.substr(at)));
  } catch (const Json::out_of_range& error) {  // a number beyond all doubles
    const std::string_view what = error.what();
    const std::size_t at = what.find("] ");
    throw Error(ErrorCode::usage,
                origin + ": not valid JSON: " +
                    std::string(at == std::string_view::npos ? what : what.substr(at + 2)));
  }
}

void JsonField::fail(const std::string& message, Remedy remedy) const {
  throw Error(ErrorCode::usage, path_ + (path_.ends_with(": ") ? "" : ": ") + message, remedy);
}

bool JsonField::has(const std::string& key) const {
  return value_->is_object() && value_->contains(key) && !value_->at(key).is_null();
}

JsonField JsonField::at(const std::string& key) const {
  if (!value_->is_object()) fail("must be an object");
  const auto found = value_->find(key);
  if (found == value_->end()) fail("the key \"" + key + "\" is missing");
  return {*found, path_.ends_with(": ") ? path_ + key : path_ + "." + key};
}

std::vector<JsonField> JsonField::items() const {
  if (!value_->is_array()) fail("must be a list");
  std::vector<JsonField> items;
  items.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i)
    items.emplace_back((*value_)[i], path_ + "[" + std::to_string(i) + "]");
  return items;
}

std::vector<std::string> JsonField::keys() const {
  if (!value_->is_object()) fail("must be an object");
  std::vector<std::string> keys;
  for (const auto& [key, value] : value_->items()) keys.push_back(key);
  return keys;
}

std::string JsonField::text() const {
  if (!value_->is_string()) fail("must be text");
  return value_->get<std::string>();
}

std::int64_t JsonField::integer() const {
  if (!value_->is_number_integer()) fail("must be a whole number");
  if (value_->is_number_unsigned() &&
      value_->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    fail("is too large");
  return value_->get<std::int64_t>();
}

double JsonField::number() const {
  if (!value_->is_number() || !std::isfinite(value_->get<double>())) fail("must be a number");
  return value_->get<double>();
}

bool JsonField::boolean() const {
  if (!value_->is_boolean()) fail("must be true or false");
  return value_->get<bool>();
}

std::vector<std::int64_t> JsonField::integers() const {
  std::vector<std::int64_t> values;
  for (const JsonField& item : items()) values.push_back(item.integer());
  return values;
}

std::string JsonField::text_or(const std::string& key, const std::string& otherwise) const {
  return has(key) ? at(key).text() : otherwise;
}

std::int64_t JsonField::integer_or(const std::string& key, std::int64_t otherwise) const {
  return has(key) ? at(key).integer() : otherwise;
}

double JsonField::number_or(const std::string& key, double otherwise) const {
  return has(key) ? at(key).number() : otherwise;
}

bool JsonField::boolean_or(const std::string& key, bool otherwise) const {
  return has(key) ? at(key).boolean() : otherwise;
}

std::optional<double> JsonField::optional_number(const std::string& key) const {
  if (!has(key)) return std::nullopt;
  return at(key).number();
}

}  // namespace ampere
