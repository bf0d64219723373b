// What a general profile rests on, as it is kept in the store: one document for each answer of the
// device, written before the next one is asked for.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ampere/store.h"
#include "method/operations/general_profile.h"
#include "method/operations/sweep.h"

namespace ampere {

// Operations that were timed alone by one request.
struct TimedSweep {
  std::vector<SweepOperation> operations;
  OperationTimes times;  // one for each
  std::string taken_at;  // UTC
};

// A program that ran under the meter, or could not.
struct MeasuredProgram {
  Program program;
  std::optional<Measurement> measurement;
  std::string failure;           // why there is none
  std::optional<Timing> timing;  // of one step, where that could be taken
  std::optional<double> host_s;  // of one iteration at a batch so small that the device waits
  std::string taken_at;          // UTC
};

struct GeneralEvidence {
  std::vector<TimedSweep> sweeps;
  std::vector<MeasuredProgram> programs;

  std::set<OperationKey> asked() const;       // timed, or failed to be
  std::set<std::string> measured() const;     // hashes of the programs
  std::vector<TimedOperation> timed() const;  // for fitting, without those that failed
  std::string latest() const;                 // when the last of all was taken; empty without any
};

// On disk when they return.
void keep(Store& store, std::int64_t profile, const TimedSweep& sweep);
void keep(Store& store, std::int64_t profile, const MeasuredProgram& program);

// Throws Error(usage) that names the document and the field of one that is broken.
GeneralEvidence read_general_evidence(const Store& store, std::int64_t profile);

// What was measured in other sittings and was counted when the profile was last fitted.
std::vector<WorkEnergyRow> measured_elsewhere(const Store& store, std::int64_t profile);

// What the device says of itself: "132 multiprocessors" in its hardware, "power limit 700 W" in its
// power mode. The defaults stay for what it does not say.
OperationDevice operation_device(const DeviceInfo& device);

// What laws are fitted to: the maps, and every program that was measured.
struct FittedEvidence {
  FittedMap maps;
  std::vector<TimedOperation> timed;
  std::vector<ProgramWindow> windows;
};
FittedEvidence fit_evidence(const GeneralEvidence& evidence, const DeviceInfo& device);

// Throws Error(unknown) that says what is missing.
GeneralProfile fit_general_profile(const GeneralEvidence& evidence, const DeviceInfo& device,
                                   bool is_gpu, std::span<const WorkEnergyRow> elsewhere = {});

}  // namespace ampere
