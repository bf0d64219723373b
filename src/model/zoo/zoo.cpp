// The registry: which networks there are, and what is asked of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "ampere/error.h"
#include "ampere/model.h"
#include "base/text.h"
#include "model/zoo/families.h"

namespace ampere {
namespace zoo_detail {
namespace {

// Beyond these a value is a slip of the keyboard, and a network nobody can train.
std::int64_t largest(const std::string& key) {
  static const std::map<std::string, std::int64_t> limits = {
      {"size", 4096},          {"length", 65536}, {"classes", 1000000},
      {"vocabulary", 1000000}, {"layers", 1000},  {"d", 65536},
      {"width", 65536},        {"patch", 1024},   {"scale", 64}};
  return limits.at(key);
}

void check_key(const ZooEntry& entry, const std::string& key) {
  std::vector<std::string> keys;
  for (const ZooOption& option : entry.options) keys.push_back(option.key);
  if (std::ranges::find(keys, key) != keys.end()) return;
  throw Error(ErrorCode::usage, fmt::format("{} has no option '{}'{} (options: {})", entry.name,
                                            key, suggestion(key, keys), fmt::join(keys, ", ")));
}

void check_value(const ZooEntry& entry, const std::string& key, std::int64_t value) {
  if (value >= 1 && value <= largest(key)) return;
  throw Error(ErrorCode::usage, fmt::format("{}: {}={} is out of range: must be from 1 to {}",
                                            entry.name, key, value, largest(key)));
}

std::vector<Family> all_families() {
  std::vector<Family> all;
  for (auto family :
       {paper_networks, conv_stack_networks, recurrent_networks, transformer_networks,
        resnet_networks, vgg_networks, alexnet_networks, mobilenet_networks, squeezenet_networks,
        shufflenet_networks, inception_networks, densenet_networks, application_networks}) {
    std::ranges::move(family(), std::back_inserter(all));
  }
  return all;
}

const std::vector<Family>& families() {
  static const std::vector<Family> all = all_families();
  return all;
}

const Family& find_family(const std::string& name) {
  std::vector<std::string> names;
  for (const Family& family : families()) {
    if (family.entry.name == name) return family;
    names.push_back(family.entry.name);
  }
  throw Error(ErrorCode::unknown,
              fmt::format("there is no network '{}' in the zoo{}", name, suggestion(name, names)));
}

}  // namespace

Options::Options(const ZooEntry& entry, const std::map<std::string, std::int64_t>& given)
    : given_(given), values_(given) {
  for (const auto& [key, value] : given) {
    check_key(entry, key);
    check_value(entry, key, value);
  }
  for (const ZooOption& option : entry.options) values_.emplace(option.key, option.default_value);
}

std::string Options::spec() const {
  std::vector<std::string> parts;
  for (const auto& [key, value] : given_) parts.push_back(fmt::format("{}={}", key, value));
  return parts.empty() ? "" : fmt::format(":{}", fmt::join(parts, ","));
}

std::vector<ZooOption> image_options(std::int64_t size, std::int64_t classes) {
  return {{"size", size, "height and width of the image"}, {"classes", classes, "classes"}};
}

}  // namespace zoo_detail

const std::vector<ZooEntry>& zoo() {
  static const std::vector<ZooEntry> entries = [] {
    std::vector<ZooEntry> all;
    for (const zoo_detail::Family& family : zoo_detail::families()) all.push_back(family.entry);
    return all;
  }();
  return entries;
}

Model make_zoo_model(const std::string& name, const std::map<std::string, std::int64_t>& options) {
  const zoo_detail::Family& family = zoo_detail::find_family(name);
  const zoo_detail::Options chosen(family.entry, options);
  ModelBuilder net(name + chosen.spec());
  family.build(net, chosen);
  return std::move(net).build();
}

}  // namespace ampere
