#include "program/cut_program.h"

#include <algorithm>
#include <utility>

#include "program/program_json.h"
#include "program/quick_text.h"

namespace ampere {
namespace {

bool take_row(QuickText& text, std::array<int, 3>& row) {
  return text.take('[') && text.take_index(row[0]) && text.take(',') && text.take_index(row[1]) &&
         text.take(',') && text.take_index(row[2]) && text.take(']');
}

bool take_steps(QuickText& text, std::vector<std::array<int, 3>>& steps) {
  return text.take_list(
      [&] { return steps.size() < kMostSteps && take_row(text, steps.emplace_back()); });
}

bool take_tensor(QuickText& text, Value& value) {
  TensorIndex& tensor = value.is.emplace<TensorIndex>();
  bool found = false;
  return text.take_object([&](std::string_view key) {
    return !std::exchange(found, true) && key == "tensor" && text.take_index(tensor.index);
  }) && found;
}

bool take_values(QuickText& text, ValueList& values, int depth);

bool take_value(QuickText& text, Value& value, int depth) {
  switch (text.next()) {
    case 'n':
      return text.take_word("null");
    case 't':
      value.is = true;
      return text.take_word("true");
    case 'f':
      value.is = false;
      return text.take_word("false");
    case '{':
      return take_tensor(text, value);
    case '[':
      return take_values(text, value.is.emplace<ValueList>(), depth + 1);
    case '"': {
      const auto word = text.take_text();
      if (word) value.is.emplace<std::string>(*word);
      return word.has_value();
    }
    default: {
      const auto number = text.take_number();
      if (number) std::visit([&](auto each) { value.is = each; }, *number);
      return number.has_value();
    }
  }
}

bool take_values(QuickText& text, ValueList& values, int depth) {
  return depth <= kDeepestValue &&
         text.take_list([&] { return take_value(text, values.emplace_back(), depth); });
}

template <class Flag>
bool take_flag(QuickText& text, Flag& flag) {
  const bool is = text.next() == 't';
  flag = is;
  return text.take_word(is ? "true" : "false");
}

bool take_keywords(QuickText& text, Operation& operation) {
  auto& keywords = operation.keywords;
  if (!text.take_object([&](std::string_view key) {
        auto& [name, value] = keywords.emplace_back(key, Value{});
        return take_value(text, value, 0);
      }))
    return false;
  constexpr auto name = [](const auto& keyword) -> const std::string& { return keyword.first; };
  std::ranges::sort(keywords, {}, name);
  return std::ranges::adjacent_find(keywords, {}, name) == keywords.end();
}

bool take_operation(QuickText& text, Operation& operation) {
  constexpr std::array<std::string_view, 7> kKeys{"name",     "arguments", "keywords", "results",
                                                  "launches", "waits",     "tf32"};
  std::array<bool, kKeys.size()> seen{};
  const auto take_key = [&](std::string_view key) {
    const auto found = static_cast<std::size_t>(std::ranges::find(kKeys, key) - kKeys.begin());
    if (found == kKeys.size() || std::exchange(seen[found], true)) return false;
    switch (found) {
      case 0: {
        const auto name = text.take_text();
        operation.name = name.value_or("");
        return !operation.name.empty();
      }
      case 1:
        return take_values(text, operation.arguments, 0);
      case 2:
        return take_keywords(text, operation);
      case 3:
        return take_values(text, operation.results, 0);
      case 4:
        return take_flag(text, operation.launches);
      case 5:
        return take_flag(text, operation.waits);
      default:
        return take_flag(text, operation.tf32);
    }
  };
  return text.take_object(take_key) && seen[0];
}

bool take_operations(QuickText& text, std::vector<Operation>& operations) {
  return text.take_list([&] {
    return operations.size() < kMostDistinct && take_operation(text, operations.emplace_back());
  });
}

// Where the value of a key begins and ends in the text; nothing when it cannot be taken, or when
// the key may not be the only one.
struct Span {
  std::size_t begin = 0, end = 0;
};
template <class Take>
std::optional<Span> find_value(std::string_view text, std::string_view key, const Take& take) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos || text.find(key, at + 1) != std::string_view::npos)
    return std::nullopt;
  QuickText reader(text.substr(at + key.size()));
  if (!reader.take(':')) return std::nullopt;
  const char* const begin = reader.at();
  if (!take(reader)) return std::nullopt;
  return Span{static_cast<std::size_t>(begin - text.data()),
              static_cast<std::size_t>(reader.at() - text.data())};
}

}  // namespace

std::optional<CutProgram> cut_program(std::string_view text) {
  CutProgram cut;
  const auto steps = find_value(text, "\"steps\"",
                                [&](QuickText& reader) { return take_steps(reader, cut.steps); });
  if (!steps || cut.steps.empty()) return std::nullopt;
  const auto operations = find_value(text, "\"operations\"", [&](QuickText& reader) {
    return take_operations(reader, cut.operations);
  });
  if (!operations) return std::nullopt;
  const auto& [first, second] = std::minmax(
      *steps, *operations, [](const Span& a, const Span& b) { return a.begin < b.begin; });
  if (first.end > second.begin) return std::nullopt;
  const std::string elsewhere = std::to_string(kElsewhere);
  cut.rest = text.substr(0, first.begin);
  cut.rest += elsewhere;
  cut.rest += text.substr(first.end, second.begin - first.end);
  cut.rest += elsewhere;
  cut.rest += text.substr(second.end);
  return cut;
}

}  // namespace ampere
