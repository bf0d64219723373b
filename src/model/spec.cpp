#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "ampere/model.h"
#include "ampere/onnx.h"
#include "base/read_file.h"
#include "base/text.h"
#include "model/model_json.h"
#include "model/widths.h"
#include "model/zoo_spec.h"

namespace ampere {
namespace {

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

Model open_zoo_model(const std::string& given) {
  const std::size_t colon = std::min(given.find(':'), given.size());
  const std::string name = zoo_name(given.substr(0, colon));
  const std::string text = name + given.substr(colon);
  // An unknown name is a better complaint than whatever is wrong behind it.
  if (std::ranges::find(zoo(), name, &ZooEntry::name) == zoo().end()) return make_zoo_model(name);
  const ZooSpec spec = parse_zoo_spec(text);
  Model model = make_zoo_model(name, spec.options);
  if (spec.widths.empty()) return model;
  try {
    return renamed_with_widths(model, spec.widths, OutputChannels::fixed, text);
  } catch (const Error& error) {
    throw error.saying(fmt::format("{}: {}", text, error.what()));
  }
}

Model parse_model_file(std::string_view json, const std::string& origin) {
  Model model = parse_model(json, origin);
  check_all_used(model, origin);
  return model;
}

Model open_model(const std::string& spec) { return open_model(spec, {}); }

Model open_model(const std::string& spec, const OnnxOptions& options) {
  if (trim(spec).empty())
    throw Error(ErrorCode::usage,
                "a model is a name of the zoo or a path to a .onnx or .json file");
  if (spec.ends_with(".onnx")) return take_model(import_onnx(spec, options), spec);
  if (spec.ends_with(".json")) return parse_model_file(read_file(spec, kLargestModelFile), spec);
  if (spec.ends_with(".program"))
    throw Error(ErrorCode::usage,
                fmt::format("{}: is a program, which is one traced iteration; a model is needed "
                            "here, so give the network that was traced",
                            spec));
  if (spec.find('/') != std::string::npos)
    throw Error(ErrorCode::usage, fmt::format("{}: a model file ends in .onnx or .json", spec));
  return open_zoo_model(spec);
}

}  // namespace ampere
