// Which channel counts of a network are free and which follow from them, how far they may vary, and
// what the network costs at each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/model.h"

namespace ampere {

// Channels that are always equal to each other (or fixed multiples of one another).
struct ChannelGroup {
  std::string name;              // the first layer that has these channels
  std::int64_t value = 0;        // now
  std::int64_t multiple_of = 1;  // heads, groups, chunks
  bool fixed = false;            // raw data, classes, or tied in a way that cannot be varied
};

struct ChannelSegment {
  int group = 0;
  std::int64_t multiple = 1;
  friend bool operator==(const ChannelSegment&, const ChannelSegment&) = default;
};

struct ChannelMap {
  std::vector<ChannelGroup> groups;  // in order of first appearance
  std::vector<std::vector<ChannelSegment>>
      of_layer;  // output channels of each layer = Σ multiple·group
};

enum class OutputChannels { fixed, free };  // fixed: the classes of a whole network

// Inside a module, widths that are whole multiples of the module's input channels scale with them.
ChannelMap map_channels(const Model& model, OutputChannels output = OutputChannels::fixed);

// The free groups in order, and the model with other values for them. Throws Error(usage) naming
// the width when a value is not positive, not a multiple, absurdly large or the count is wrong.
std::vector<ChannelGroup> free_widths(const Model& model,
                                      OutputChannels output = OutputChannels::fixed);
Model with_widths(const Model& model, std::span<const std::int64_t> widths,
                  OutputChannels output = OutputChannels::fixed);

struct SpaceOptions {
  std::int64_t min_width = 1;  // channels
  double min_share = 0;        // of the original's
  // Widths are multiples of this, beside the original's own, where the original has two multiples
  // or more. What heads and groups require holds anyway.
  std::int64_t align = 1;
  std::vector<std::string> leave_alone = {};  // layers, or the names of widths: keep their channels
};

// One free width: least, least + step, …, and the original's, `most`.
struct WidthRange {
  std::string name;
  std::int64_t least = 1, most = 1, step = 1;

  std::int64_t choices() const;
  std::int64_t choice(std::int64_t index) const;  // ascending from least at 0
};

// Ranges are in the order of free_widths, those left alone among them with a single choice: a list
// of one choice each is what with_widths takes. What follows from a width (residual ties, depthwise
// layers, what is flattened) follows there.
struct WidthSpace {
  Model original;
  std::vector<WidthRange> widths;
};

// Throws Error(usage) for options out of range, for a name that is neither a layer nor a width
// (listing the widths), and when nothing is left to prune.
WidthSpace make_space(const Model& original, const SpaceOptions& options = {});
std::vector<std::int64_t> original_widths(const WidthSpace& space);

struct Judgement {  // of an iteration
  double energy_j = 0, energy_sd = 0;
  std::optional<double> time_s;  // absent where the judge does not know
  bool extrapolated = false;     // a block lies outside what was profiled
};
double upper_j(const Judgement& cost, double confidence);  // mean + z·sd

struct CostPart {
  std::string title;  // of the block
  int count = 1;      // equal ones
  double energy_j = 0;
};

// Where a network's energy goes.
struct CostCauses {
  std::optional<double> waiting_share;  // of the energy: the device waits for the host
  std::optional<double> ready_share;    // power of a device that does nothing · time: includes it
  std::vector<CostPart> parts;          // the largest first
};

// What the network at given widths costs: the same mean and standard deviation as the estimator of
// the method gives for with_widths(original, widths), at a small part of its time. What was found
// of a block is kept, so one judge is for one thread.
class WidthJudge {
 public:
  virtual ~WidthJudge() = default;
  // Nothing where the network has a block that the profile does not know. Throws Error(usage) for
  // widths that the network cannot have.
  virtual std::optional<Judgement> judge(std::span<const std::int64_t> widths) = 0;
  virtual CostCauses causes(std::span<const std::int64_t> widths) = 0;

  // Says which widths the next question will be about: what is known of them is fetched from memory
  // while the processor does other work.
  virtual void expect(std::span<const std::int64_t>) {}

  // The interval of the energy where it is not the normal one, which follows from mean and standard
  // deviation. Throws as judge() does.
  virtual std::optional<Interval> energy_interval(std::span<const std::int64_t>, double) {
    return std::nullopt;
  }

  // From here on, what is asked often may be tabulated. Answers then differ by less than 1e-9 from
  // the exact ones, and so do two answers for the same widths.
  virtual void tabulate() {}
};

// One more step of a width that costs much more or less than its other steps do.
struct WidthStep {
  std::int64_t from = 0, to = 0;  // channels
  double joules = 0;              // more per iteration; less where it is negative
};

// What one free width costs, all others being as they are.
struct WidthSensitivity {
  std::string name;
  std::int64_t width = 0, multiple_of = 1;
  double j_per_channel = 0;             // per iteration, over what was scanned
  std::optional<double> s_per_channel;  // absent where the judge does not know times
  double share = 0;                     // of the energy: j_per_channel · width / energy
  std::int64_t scanned_from = 0, scanned_to = 0;
  std::vector<WidthStep> steps;  // the largest first
};

struct Sensitivity {
  Judgement cost;                        // of the network as it is
  std::vector<WidthSensitivity> widths;  // in the order of free_widths
  std::vector<CostPart> parts;           // the largest first
};

// Of a network that the judge is for. Every width is scanned from half of it to all of it. Throws
// Error(usage) for a network without free widths.
Sensitivity sensitivity(const Model& model, WidthJudge& judge);

}  // namespace ampere
