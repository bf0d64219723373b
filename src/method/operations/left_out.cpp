#include "method/operations/left_out.h"

namespace ampere {

LeftOutProfiles::LeftOutProfiles(const GeneralEvidence& evidence, const DeviceInfo& device,
                                 std::vector<WorkEnergyRow> elsewhere)
    : fitted_(fit_evidence(evidence, device)),
      elsewhere_(std::move(elsewhere)),
      whole_{fitted_.maps.map,
             fit_operation_laws(fitted_.windows, fitted_.timed, fitted_.maps, elsewhere_)} {}

const OperationsProfile& LeftOutProfiles::without(const std::string& family) {
  const auto known = without_.find(family);
  if (known != without_.end()) return known->second;
  const auto is_of_family = [&](const auto& each) { return each.family == family; };
  std::vector<ProgramWindow> windows = fitted_.windows;
  std::vector<TimedOperation> timed = fitted_.timed;
  std::vector<WorkEnergyRow> elsewhere = elsewhere_;
  std::erase_if(windows, is_of_family);
  std::erase_if(elsewhere, is_of_family);
  std::erase_if(timed, is_of_family);
  const auto map = fitted_.maps.without.find(family);
  return without_
      .emplace(family,
               OperationsProfile{map == fitted_.maps.without.end() ? fitted_.maps.map : map->second,
                                 fit_operation_laws(windows, timed, fitted_.maps, elsewhere)})
      .first->second;
}

}  // namespace ampere
