// From operations to device times on one device.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "method/operations/known_times.h"
#include "method/operations/part_model.h"
#include "method/operations/timed_operation.h"

namespace ampere {

struct OperationMap {
  OperationDevice device;
  Roofline roofline;
  std::array<PartModel, kOperationParts> parts;  // by OperationPart
  KnownTimes known;
};

struct MappedOperation {
  TimeSource source = TimeSource::none;
  OperationFeatures features;  // empty for `none`
  double device_s = 0;
  double deviation = 0;  // standard deviation of ln(time)
  // Measured energy of one call beyond the ready power of the device. Where it is there, it counts
  // instead of the energy law.
  std::optional<double> drawn_j = {};
};
// One per distinct operation of the program. `timed` takes precedence over what the map knows.
std::vector<MappedOperation> map_operations(const OperationMap& map, const Program& program,
                                            const KnownTimes& timed = {});

struct MapFitOptions {
  PartFitOptions part;                 // without `like`
  const OperationMap* like = nullptr;  // whose hyper-parameters are kept
};

struct FittedMap {
  OperationMap map;
  std::map<std::string, OperationMap> without;  // by family: as if its programs were not known
};
// The same operations in the same order give the same map. Throws Error(unknown) when nothing was
// timed, and Error(failed) naming the operation for a time that is negative or not finite. A time
// of 0 is looked up, and no model learns from it.
FittedMap fit_operation_map(const std::vector<TimedOperation>& timed, const OperationDevice& device,
                            const MapFitOptions& options = {});

}  // namespace ampere
