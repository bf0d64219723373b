// The blocks of a network at any widths, from what forms_json() wrote of them: all that is needed
// to ask a composer, without the network itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "estimate/composer.h"
#include "widths/width_form.h"

namespace ampere {

class BlockForms {
 public:
  // Throws Error(usage) naming the field that is not as forms_json() writes it.
  explicit BlockForms(const JsonField& json);

  // The numbers of the network's blocks, in order; blocks that are met for the first time are added
  // to the composer, which must be the same in all calls. Valid until the next call. Throws
  // Error(usage) naming the width that the network cannot have.
  const std::vector<int>& at(std::span<const double> widths, Composer& composer);

 private:
  struct Width {
    std::string name;
    std::int64_t least = 1, most = 1, step = 1, original = 1;
    std::optional<std::string> held;  // why it cannot vary
  };
  struct Kind {
    std::string key;
    bool first = false, last = false;  // in the network
    std::size_t features = 0;
    std::optional<WorkForm> work;
    std::map<std::vector<std::int64_t>, int> numbers;  // of its blocks, by features
  };
  struct Place {
    std::size_t kind = 0;
    std::vector<WidthForm> features;
    std::optional<BlockWork> work;  // where no width moves the block; else it follows from the kind
  };

  static Width read_width(const JsonField& json);
  static Kind read_kind(const JsonField& json);
  Place read_place(const JsonField& json) const;
  void check(std::span<const double> widths);

  std::vector<Width> widths_;
  std::vector<Kind> kinds_;
  std::vector<Place> places_;
  std::vector<std::int64_t> asked_;
  std::vector<int> numbers_;
};

}  // namespace ampere
