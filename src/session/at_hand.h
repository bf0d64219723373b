// What estimates by operations learn from the device itself, when it is there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/session.h"
#include "method/operations/device_look.h"

namespace ampere {

// A query that names no profile asks for that of the rig's device.
ProfileQuery query_at_hand(const ProfileQuery& query, const Rig& rig);

// A warning where the device was profiled with other versions. Throws Error(usage) when the profile
// is of another device.
void require_same_device(const ProfileRow& row, const DeviceInfo& device,
                         std::vector<std::string>& warnings);

// The dearest operations of the programs. A warning says which could not be timed.
std::vector<TimedOperation> time_operations(std::span<const Program> programs,
                                            const OperationsProfile& profile, Rig& rig,
                                            std::size_t count, std::vector<std::string>& warnings);

// Trains the step, where there is one. Throws as Rig::measure() does.
std::optional<Measurement> measure_step(const Step& step, const Precision& precision, Rig& rig);
// The time of one iteration with so few samples that only the host takes time; nothing where the
// step cannot be made so small.
std::optional<double> look_at_host_by(const Step& step, Rig& rig);

// What can be trained of one side of a comparison, a network with this setup.
Step step_of(const DiffSide& side, const Setup& setup);

// Runs `measure`. A warning says why where the rig cannot do it, or fails: an estimate is made all
// the same.
template <class Measure>
void try_to_measure_host(const Measure& measure, std::vector<std::string>& warnings) try {
  measure();
} catch (const Error& error) {
  if (error.code() != ErrorCode::failed && error.code() != ErrorCode::usage) throw;
  warnings.push_back(std::string("the host could not be measured: ") + error.what());
}

}  // namespace ampere
