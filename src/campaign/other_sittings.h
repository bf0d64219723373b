// What was measured in other sittings with a device of the same kind, as far as this program knows:
// profiles of the store and those that come with the program. A dozen programs of one sitting say
// less about energy than it seems, because what such a device draws for the same work differs from
// sitting to sitting by a few percent.
#pragma once

#include <string>
#include <vector>

#include "method/operations/general_evidence.h"

namespace ampere {

struct OtherSittings {
  std::vector<WorkEnergyRow> rows;    // all of them measured elsewhere
  std::vector<std::string> not_read;  // why profiles of such a device could not be
};

// Those of a profile that is measured now, without what it has itself.
OtherSittings other_sittings(const Store& store, std::int64_t profile, const DeviceInfo& device,
                             const GeneralEvidence& own);

}  // namespace ampere
