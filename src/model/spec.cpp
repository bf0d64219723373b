#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ampere/error.h"
#include "ampere/onnx.h"
#include "ampere/zoo.h"
#include "base/text.h"
#include "model/widths.h"

namespace ampere {
namespace {

struct ZooSpec {
  std::map<std::string, std::int64_t> options;
  std::vector<std::int64_t> widths;
};

// "8,16,32" or "d=128,layers=2", or both.
ZooSpec parse_items(const std::string& text, const std::string& spec) {
  ZooSpec result;
  for (const std::string& part : split(text, ',')) {
    const std::string item(trim(part));
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) {
      const std::string what = fmt::format("{}: width {}", spec, result.widths.size() + 1);
      result.widths.push_back(parse_integer(item, what));
      continue;
    }
    const std::string key(trim(item.substr(0, equals)));
    const std::int64_t value =
        parse_integer(trim(std::string_view(item).substr(equals + 1)), spec + ": " + key);
    if (!result.options.emplace(key, value).second)
      throw Error(ErrorCode::usage, fmt::format("{}: '{}' is given twice", spec, key));
  }
  return result;
}

Model open_zoo(const std::string& spec) {
  const std::size_t colon = spec.find(':');
  const std::string name = spec.substr(0, colon);
  const bool known = std::ranges::find(zoo(), name, &ZooEntry::name) != zoo().end();
  // An unknown name is a better complaint than whatever is wrong behind it.
  if (!known || colon == std::string::npos) return make_zoo_model(name);
  const ZooSpec items = parse_items(spec.substr(colon + 1), spec);
  Model model = make_zoo_model(name, items.options);
  if (items.widths.empty()) return model;
  try {
    return renamed_with_widths(model, items.widths, OutputChannels::fixed, spec);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", spec, error.what()));
  }
}

// A layer nobody reads is never trained: a slip in the file, not a cost.
void check_all_used(const Model& model, const std::string& path) {
  std::vector<bool> used(model.layers().size());
  used.back() = true;
  for (const Layer& layer : model.layers())
    for (const int input : layer.inputs) used[input] = true;
  const auto unused = std::ranges::find(used, false);
  if (unused != used.end())
    throw Error(ErrorCode::usage,
                fmt::format("{}: layer '{}' is read by no other layer and is not the last", path,
                            model.layers()[unused - used.begin()].name));
}

}  // namespace

Model open_model(const std::string& spec) { return open_model(spec, {}); }

Model open_model(const std::string& spec, const OnnxOptions& options) {
  if (trim(spec).empty())
    throw Error(ErrorCode::usage,
                "a model is a name of the zoo or a path to a .onnx or .json file");
  if (spec.ends_with(".onnx")) return take_model(import_onnx(spec, options), spec);
  if (spec.ends_with(".json")) {
    Model model = parse_model(read_text_file(spec), spec);
    check_all_used(model, spec);
    return model;
  }
  if (spec.find('/') != std::string::npos)
    throw Error(ErrorCode::usage, fmt::format("{}: a model file ends in .onnx or .json", spec));
  return open_zoo(spec);
}

}  // namespace ampere
