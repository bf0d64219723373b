// Profiles of one device as if a family of programs had never been seen, to judge estimates by.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "method/operations/general_evidence.h"

namespace ampere {

class LeftOutProfiles {
 public:
  // Throws as fit_general_profile does.
  LeftOutProfiles(const GeneralEvidence& evidence, const DeviceInfo& device,
                  std::vector<WorkEnergyRow> elsewhere);

  const OperationsProfile& whole() const { return whole_; }
  // Neither the family's programs nor the operations that only it has are in it.
  const OperationsProfile& without(const std::string& family);

 private:
  FittedEvidence fitted_;
  std::vector<WorkEnergyRow> elsewhere_;
  OperationsProfile whole_;
  std::map<std::string, OperationsProfile> without_;
};

}  // namespace ampere
