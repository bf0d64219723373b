// JSON as the project uses it: reading fields with errors that name the file and the path.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/error.h"

namespace ampere {

using Json = nlohmann::ordered_json;

// Throws Error(usage): "<origin>: line 3, column 7: …".
Json parse_json(std::string_view text, const std::string& origin);

// A view of one value that knows where it stands, so that every complaint does:
// "model.json: layers[2].kernel: must be a list of whole numbers". The path of a whole document is
// its origin and ": ".
class JsonField {
 public:
  JsonField(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  const Json& json() const { return *value_; }
  const std::string& path() const { return path_; }
  bool has(const std::string& key) const;  // present and not null
  JsonField at(const std::string& key) const;
  std::vector<JsonField> items() const;   // of a list
  std::vector<std::string> keys() const;  // of an object

  std::string text() const;
  std::int64_t integer() const;
  double number() const;
  bool boolean() const;
  std::vector<std::int64_t> integers() const;

  std::string text_or(const std::string& key, const std::string& otherwise) const;
  std::int64_t integer_or(const std::string& key, std::int64_t otherwise) const;
  double number_or(const std::string& key, double otherwise) const;
  bool boolean_or(const std::string& key, bool otherwise) const;
  std::optional<double> optional_number(const std::string& key) const;

  // Error(usage) with the path in front.
  [[noreturn]] void fail(const std::string& message, Remedy remedy = Remedy::none) const;

 private:
  const Json* value_;
  std::string path_;
};

}  // namespace ampere
