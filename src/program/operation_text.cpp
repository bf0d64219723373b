#include "program/operation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "program/program_json.h"
#include "program/tensor_type.h"

namespace ampere {
namespace {

constexpr std::size_t kUsualLength = 256;  // most texts are shorter

void append_numbers(const std::vector<std::int64_t>& numbers, std::string& text) {
  text += '[';
  for (const std::int64_t number : numbers) {
    const fmt::format_int digits(number);
    if (text.back() != '[') text += ',';
    text.append(digits.data(), digits.size());
  }
  text += ']';
}

// What tensors_json() writes for it. A network has thousands of types, and most of an operation's
// text is theirs.
std::string type_text(const TensorType& type) {
  std::string text = "[[\"";
  text += to_string(type.element);
  text += "\",";
  append_numbers(type.sizes, text);
  if (type.strides != contiguous_strides(type.sizes)) {
    text += ',';
    append_numbers(type.strides, text);
  }
  return text += "]]";
}

// Whether JSON writes it as it is.
bool is_plain(const std::string& text) {
  return std::ranges::all_of(text,
                             [](char c) { return ' ' <= c && c <= '~' && c != '"' && c != '\\'; });
}

class Writer {
 public:
  Writer(std::span<const TensorType> tensors, std::vector<std::string>& types, std::string& text)
      : tensors_(tensors), types_(types), text_(text) {}

  void operator()(std::monostate) { text_ += "null"; }
  void operator()(bool is) { text_ += is ? "true" : "false"; }
  void operator()(std::int64_t is) { text_ += std::to_string(is); }
  // Numbers that are not finite are texts in a file, and an operation is the same before and after.
  void operator()(double is) {
    if (std::isfinite(is))
      text_ += fmt::format("{:#}", is);
    else
      text_ += std::isnan(is) ? "\"nan\"" : is > 0 ? "\"inf\"" : "\"-inf\"";
  }
  void operator()(const std::string& is) {
    if (!is_plain(is)) {
      text_ += Json(is).dump();
      return;
    }
    text_ += '"';
    text_ += is;
    text_ += '"';
  }
  void operator()(TensorIndex is) {
    const auto index = static_cast<std::size_t>(is.index);
    if (types_[index].empty()) types_[index] = type_text(tensors_[index]);
    text_ += types_[index];
  }
  void operator()(const ValueList& values) {
    text_ += '(';
    for (const Value& value : values) {
      std::visit(*this, value.is);
      text_ += ',';
    }
    text_ += ')';
  }

 private:
  std::span<const TensorType> tensors_;
  std::vector<std::string>& types_;
  std::string& text_;
};

}  // namespace

std::string OperationTexts::of(const Operation& operation) {
  std::string text;
  text.reserve(kUsualLength);
  text += operation.name;
  Writer write(tensors_, types_, text);
  write(operation.arguments);
  for (const auto& [key, value] : operation.keywords) {
    text += ' ';
    text += key;
    text += '=';
    std::visit(write, value.is);
  }
  text += "->";
  write(operation.results);
  if (operation.launches) text += " launches";
  if (operation.waits) text += " waits";
  if (operation.tf32) text += *operation.tf32 ? " tf32" : " no tf32";
  return text;
}

}  // namespace ampere
