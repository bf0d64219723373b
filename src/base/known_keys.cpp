#include "base/known_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace ampere {

void refuse_unknown_keys(const JsonField& table, std::span<const std::string> known) {
  for (const std::string& key : table.keys())
    if (std::ranges::find(known, key) == known.end())
      table.fail(fmt::format("the key \"{}\" is not known{}; there are {}", key,
                             suggestion(key, known), fmt::join(known, ", ")));
}

std::vector<std::string> texts_of(const JsonField& list) {
  std::vector<std::string> texts;
  for (const JsonField& item : list.items()) texts.push_back(item.text());
  return texts;
}

std::vector<std::string> texts_or_none(const JsonField& table, const std::string& key) {
  return table.has(key) ? texts_of(table.at(key)) : std::vector<std::string>{};
}

}  // namespace ampere
