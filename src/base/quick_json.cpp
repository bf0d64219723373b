#include "base/quick_json.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace ampere {
namespace {

constexpr std::size_t kWorthwhile = 256;
// Stands in front of the number of a text that was taken out. No text of a document begins with it,
// since documents with this escape are parsed as they are.
constexpr std::string_view kMark = "\\u0000";

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '\\'; });
}

// By what follows it.
bool is_key(std::string_view after) {
  const std::size_t next = after.find_first_not_of(" \n\t\r");
  return next != std::string_view::npos && after[next] == ':';
}

// The document without its long texts, and those.
struct Shortened {
  std::string document;
  std::vector<std::string_view> texts;
};

// Nothing where a quote cannot be told from an escaped one by what stands before it.
std::optional<Shortened> shorten(std::string_view text) {
  if (text.find(kMark) != std::string_view::npos) return std::nullopt;
  Shortened result;
  std::size_t copied = 0;
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at)) {
    std::size_t end = text.find('"', at + 1);
    while (end != std::string_view::npos && text[end - 1] == '\\') end = text.find('"', end + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view content = text.substr(at + 1, end - at - 1);
    if (content.find("\\\\") != std::string_view::npos) return std::nullopt;
    if (content.size() >= kWorthwhile && is_plain(content) && !is_key(text.substr(end + 1))) {
      result.document += text.substr(copied, at + 1 - copied);
      result.document += kMark;
      result.document += std::to_string(result.texts.size());
      result.texts.push_back(content);
      copied = end;
    }
    at = end + 1;
  }
  result.document += text.substr(copied);
  return result;
}

void put_back(Json& json, const std::vector<std::string_view>& texts) {
  if (json.is_structured()) {
    for (Json& child : json) put_back(child, texts);
    return;
  }
  const auto* short_text = json.get_ptr<const std::string*>();
  if (short_text == nullptr || short_text->empty() || short_text->front() != '\0') return;
  std::size_t number = 0;
  std::from_chars(short_text->data() + 1, short_text->data() + short_text->size(), number);
  json = texts.at(number);
}

}  // namespace

Json parse_json_with_packed_texts(std::string_view text, const std::string& origin) {
  const std::optional<Shortened> shortened = shorten(text);
  if (!shortened || shortened->texts.empty()) return parse_json(text, origin);
  try {
    Json json = Json::parse(shortened->document);
    put_back(json, shortened->texts);
    return json;
  } catch (const Json::exception&) {
    return parse_json(text, origin);  // which says where in the whole text it is wrong
  }
}

}  // namespace ampere
