#include "widths/forms_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ampere/error.h"
#include "ampere/widths.h"
#include "estimate/causes.h"
#include "record/record_json.h"
#include "widths/width_blocks.h"

namespace ampere {
namespace {

using Place = WidthBlocks::Place;

// By the title of a block that may become one of another kind with the width; empty for a free one.
std::vector<std::string> holders(const WidthBlocks& blocks, std::size_t widths) {
  std::vector<std::string> titles(widths);
  for (const Place& place : blocks.places())
    if (!place.computed)
      for (const int width : place.touching)
        titles[static_cast<std::size_t>(width)] = blocks.kind(place.kind).title;
  return titles;
}

Json widths_json(const WidthSpace& space, const std::vector<std::string>& holders) {
  Json widths = Json::array();
  for (std::size_t i = 0; i < space.widths.size(); ++i) {
    const WidthRange& range = space.widths[i];
    const bool held = !holders[i].empty();
    widths.push_back({{"name", range.name},
                      {"least", held ? range.most : range.least},
                      {"most", range.most},
                      {"step", range.step},
                      {"original", range.most},
                      {"held", nullptr}});
    if (held)
      widths.back()["held"] =
          fmt::format("'{}' may become a block of another kind with it", holders[i]);
  }
  return widths;
}

Json features_json(const Place& place) {
  Json features = Json::array();
  for (const WidthForm& form : place.features) {
    Json numbers = Json::array({form.constant});
    for (const auto& [width, factor] : form.multiples) {
      numbers.push_back(width);
      numbers.push_back(factor);
    }
    features.push_back(std::move(numbers));
  }
  return features;
}

Json work_json(const WorkForm& work) {
  Json flops = Json::array({work.base.flops}), bytes = Json::array({work.base.bytes});
  for (const auto* differences : {&work.first, &work.second})
    for (const BlockWork& difference : *differences) {
      flops.push_back(difference.flops);
      bytes.push_back(difference.bytes);
    }
  return {{"flops", std::move(flops)}, {"bytes", std::move(bytes)}};
}

Json kind_json(const BlockKind& kind) {
  Json features = Json::array();
  for (const Feature& feature : kind.features)
    features.push_back({{"name", feature.name}, {"multiple_of", feature.multiple_of}});
  return {{"key", kind.key},
          {"title", kind.title},
          {"role", to_string(kind.role)},
          {"features", std::move(features)},
          {"work", nullptr}};
}

void add_blocks(WidthBlocks& blocks, const WidthSpace& space, Json& json) {
  std::map<int, std::size_t> kinds;  // index in the JSON
  json["blocks"] = Json::array();
  json["kinds"] = Json::array();
  const std::vector<int> originals = blocks.at(original_widths(space));
  for (std::size_t i = 0; i < originals.size(); ++i) {
    const Place& place = blocks.places()[i];
    const auto [kind, is_new] = kinds.try_emplace(place.kind, kinds.size());
    if (is_new) json["kinds"].push_back(kind_json(blocks.kind(place.kind)));
    Json work;
    if (place.computed)
      json["kinds"][kind->second]["work"] = work_json(blocks.work(place.kind));
    else
      work = Json::array(
          {blocks.block(originals[i]).work.flops, blocks.block(originals[i]).work.bytes});
    json["blocks"].push_back(
        {{"kind", kind->second}, {"features", features_json(place)}, {"work", std::move(work)}});
  }
}

}  // namespace

Json forms_json(const std::string& method, const Model& original, const Setup& setup,
                const Estimator& estimator) {
  require_covered(estimator.estimate(original, {}), original);
  const WidthSpace space = make_space(original);
  WidthBlocks blocks(original, setup);
  const std::vector<std::string> held = holders(blocks, space.widths.size());
  if (std::ranges::none_of(held, &std::string::empty))
    throw Error(ErrorCode::usage,
                fmt::format("{} has no width that can vary here: at other widths its blocks may "
                            "become blocks of other kinds",
                            original.name()));
  Json json{{"method", method},
            {"network", original.name()},
            {"setup", setup_json(setup)},
            {"widths", widths_json(space, held)}};
  add_blocks(blocks, space, json);
  return json;
}

}  // namespace ampere
