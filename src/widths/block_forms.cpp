#include "widths/block_forms.h"

#include <cmath>

#include "ampere/error.h"

namespace ampere {
namespace {

std::string number_text(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15
             ? std::to_string(static_cast<std::int64_t>(value))
             : Json(value).dump();
}

std::int64_t read_from_1(const JsonField& json) {
  if (json.integer() < 1) json.fail("must be above 0");
  return json.integer();
}

std::size_t read_index(const JsonField& json, std::size_t count) {
  const std::int64_t index = json.integer();
  if (index < 0 || index >= static_cast<std::int64_t>(count)) json.fail("is out of range");
  return static_cast<std::size_t>(index);
}

WidthForm read_form(const JsonField& json, std::size_t widths) {
  const std::vector<JsonField> items = json.items();
  if (items.size() % 2 != 1) json.fail("must be a constant, and a factor for each width");
  WidthForm form{items[0].integer(), {}};
  for (std::size_t i = 1; i < items.size(); i += 2)
    form.multiples.emplace_back(static_cast<int>(read_index(items[i], widths)),
                                items[i + 1].integer());
  return form;
}

BlockWork read_work(const JsonField& json) {
  const std::vector<JsonField> items = json.items();
  if (items.size() != 2) json.fail("must be FLOPs and bytes");
  return {items[0].number(), items[1].number()};
}

WorkForm read_work_form(const JsonField& json, std::vector<std::int64_t> multiple_of) {
  const std::size_t features = multiple_of.size();
  const std::vector<JsonField> flops = json.at("flops").items(), bytes = json.at("bytes").items();
  const std::size_t count = 1 + features + features * (features + 1) / 2;
  if (flops.size() != count || bytes.size() != count)
    json.fail("does not have as many coefficients as the features ask for");
  WorkForm form{std::move(multiple_of), {flops[0].number(), bytes[0].number()}, {}, {}};
  for (std::size_t i = 1; i < count; ++i)
    (i <= features ? form.first : form.second).push_back({flops[i].number(), bytes[i].number()});
  return form;
}

}  // namespace

BlockForms::BlockForms(const JsonField& json) {
  for (const JsonField& width : json.at("widths").items()) widths_.push_back(read_width(width));
  for (const JsonField& kind : json.at("kinds").items()) kinds_.push_back(read_kind(kind));
  for (const JsonField& block : json.at("blocks").items()) places_.push_back(read_place(block));
}

BlockForms::Width BlockForms::read_width(const JsonField& json) {
  Width width{json.at("name").text(),        json.at("least").integer(),
              json.at("most").integer(),     read_from_1(json.at("step")),
              json.at("original").integer(), {}};
  if (json.has("held")) width.held = json.at("held").text();
  return width;
}

BlockForms::Kind BlockForms::read_kind(const JsonField& json) {
  const std::string role = json.at("role").text();
  Kind kind{json.at("key").text(),
            role == to_string(Role::input),
            role == to_string(Role::output),
            0,
            {},
            {}};
  std::vector<std::int64_t> multiple_of;
  for (const JsonField& feature : json.at("features").items())
    multiple_of.push_back(read_from_1(feature.at("multiple_of")));
  kind.features = multiple_of.size();
  if (json.has("work")) kind.work = read_work_form(json.at("work"), std::move(multiple_of));
  return kind;
}

BlockForms::Place BlockForms::read_place(const JsonField& json) const {
  Place place{read_index(json.at("kind"), kinds_.size()), {}, {}};
  for (const JsonField& form : json.at("features").items())
    place.features.push_back(read_form(form, widths_.size()));
  const Kind& kind = kinds_[place.kind];
  if (place.features.size() != kind.features)
    json.at("features").fail("does not have one form for each feature of the kind");
  if (json.has("work")) place.work = read_work(json.at("work"));
  if (!place.work && !kind.work) json.fail("has no work, and neither has its kind");
  return place;
}

void BlockForms::check(std::span<const double> widths) {
  if (widths.size() != widths_.size())
    throw Error(ErrorCode::usage, "the network has " + std::to_string(widths_.size()) +
                                      " widths, not " + std::to_string(widths.size()));
  asked_.clear();
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const Width& width = widths_[i];
    const double asked = widths[i], least = static_cast<double>(width.least);
    const double step = static_cast<double>(width.step);
    const bool original = asked == static_cast<double>(width.original);
    if (width.held && !original)
      throw Error(ErrorCode::usage, "width '" + width.name + "' stays " +
                                        std::to_string(width.original) + ": " + *width.held);
    const bool inside = asked >= least && asked <= static_cast<double>(width.most) &&
                        std::floor((asked - least) / step) * step == asked - least;
    if (!original && !inside)
      throw Error(
          ErrorCode::usage,
          "width '" + width.name + "' must be " +
              (width.step == 1 ? "a whole number" : "a multiple of " + std::to_string(width.step)) +
              " from " + std::to_string(width.least) + " to " + std::to_string(width.most) +
              ", not " + number_text(asked));
    asked_.push_back(static_cast<std::int64_t>(asked));
  }
}

const std::vector<int>& BlockForms::at(std::span<const double> widths, Composer& composer) {
  check(widths);
  numbers_.clear();
  for (const Place& place : places_) {
    Kind& kind = kinds_[place.kind];
    std::vector<std::int64_t> features;
    for (const WidthForm& form : place.features) features.push_back(form(asked_));
    auto found = kind.numbers.find(features);
    if (found == kind.numbers.end()) {
      const BlockWork work = place.work ? *place.work : (*kind.work)(features);
      composer.add({kind.key, features, 1, work.flops, work.bytes, kind.first, kind.last});
      found = kind.numbers.emplace(std::move(features), composer.size() - 1).first;
    }
    numbers_.push_back(found->second);
  }
  return numbers_;
}

}  // namespace ampere
