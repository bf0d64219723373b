// What a plan wants to know next, and what it is told. A plan never measures anything itself: the
// one loop of campaign.h asks it for suggestions, and tells it what came of each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/progress.h"
#include "ampere/store.h"

namespace ampere {

struct Suggestion {
  enum class Ask {
    measure,  // energy and time, under the meter
    time,     // a block alone, without a meter
    idle,     // the power of the device at rest, right after training the model
  };
  Ask ask = Ask::measure;
  Model model;
  Setup setup;
  std::string title;  // for people: "'conv5x5+relu @14x14'"; the model's name when empty

  // How it is measured, where it is.
  Precision precision;
  bool with_times = false;         // its timing too, where the rig can take one,
  std::optional<Model> reference;  // and its pace against this network

  // As what it is stored.
  Purpose purpose = Purpose::network;
  std::string kind;
  std::vector<std::int64_t> features;
  bool round_widths = false;
  bool kept = true;  // false: the plan keeps it by itself, and nothing is looked up

  // How many earlier observations of the same network and purpose are not enough. Without a
  // number it is measured whatever the store has.
  std::optional<std::size_t> visit = 0;
  bool only_answerable = false;  // passed over where the rig can have no answer: a recording
};

// What came of a suggestion: one of the first three, or nothing when the rig had no answer.
struct Finding {
  std::optional<Observation> observation;  // a failed one among them
  std::optional<BlockTiming> timing;
  std::optional<Window> idle;
  bool known = false;  // it was in the store

  bool skipped() const { return !observation && !timing && !idle; }
};

// How many measurements an estimator rests on, and how long they took.
struct MeasuringCost {
  int points = 0;
  Seconds seconds{};
};
MeasuringCost cost_of(std::span<const Observation> observations);
MeasuringCost cost_of(std::span<const BlockTiming> timings);
// With what their timings and paces took.
MeasuringCost cost_with_times_of(std::span<const Observation> observations);

class Suggestions {
 public:
  virtual ~Suggestions() = default;
  virtual std::optional<Suggestion> next() = 0;   // nothing: the plan is complete
  virtual void tell(const Finding& finding) = 0;  // of the suggestion made last
  // Takes the last suggestion back, to make it once more when all others were made, because another
  // process is measuring it. False where that would change what the plan comes to, or was done
  // before: then its finding is waited for.
  virtual bool postpone() { return false; }
  virtual Progress progress() const = 0;  // `left` is the loop's to fill in
  // How many suggestions are still to come, at most; nothing when it cannot be said.
  virtual std::optional<std::int64_t> left() const { return std::nullopt; }
  // What the findings of this plan alone make, and what they took; nothing where an estimator rests
  // on all that the profile holds.
  virtual std::unique_ptr<Estimator> fitted() const { return nullptr; }
  virtual std::optional<MeasuringCost> cost() const { return std::nullopt; }
  // What the plan noticed on the way and people should know, told when it is complete.
  virtual std::vector<std::string> warnings() const { return {}; }
};

}  // namespace ampere
