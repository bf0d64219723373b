#include "session/at_hand.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "method/operations/host_look.h"
#include "session/profile_text.h"

namespace ampere {

ProfileQuery query_at_hand(const ProfileQuery& query, const Rig& rig) {
  ProfileQuery of_device = query;
  if (query.profile.empty() && query.device.empty()) of_device.profile = rig.device().fingerprint;
  of_device.rig.clear();
  return of_device;
}

void require_same_device(const ProfileRow& row, const DeviceInfo& device,
                         std::vector<std::string>& warnings) {
  if (device.name != row.device.name)
    throw Error(ErrorCode::usage, fmt::format("{} is of {}, and the rig is {}", profile_text(row),
                                              row.device.name, device.name));
  if (device.fingerprint != row.device.fingerprint)
    warnings.push_back(fmt::format("{} was profiled with {} and {}; the rig has {} and {}",
                                   row.device.name, row.device.framework, row.device.driver,
                                   device.framework, device.driver));
}

std::vector<TimedOperation> time_operations(std::span<const Program> programs,
                                            const OperationsProfile& profile, Rig& rig,
                                            std::size_t count, std::vector<std::string>& warnings) {
  TimedDearest dearest = time_dearest(programs, profile, rig, count);
  const std::size_t asked = dearest.timed.size() + dearest.failures.size();
  if (!dearest.failures.empty())
    warnings.push_back(fmt::format("{} of {} operations could not be timed, such as {}",
                                   dearest.failures.size(), asked, dearest.failures.front()));
  return std::move(dearest.timed);
}

std::optional<Measurement> measure_step(const Step& step, const Precision& precision, Rig& rig) {
  if (const auto* network = std::get_if<TraceRequest::Network>(&step))
    return rig.measure(network->model, network->setup, precision);
  if (const auto* script = std::get_if<Script>(&step))
    return rig.measure(*script, precision).measurement;
  return std::nullopt;
}

Step step_of(const DiffSide& side, const Setup& setup) {
  if (side.script) return *side.script;
  if (const auto* model = std::get_if<Model>(&side.what))
    return TraceRequest::Network{*model, setup};
  return {};
}

std::optional<double> look_at_host_by(const Step& step, Rig& rig) {
  if (const auto* network = std::get_if<TraceRequest::Network>(&step))
    return look_at_host(rig, network->model, network->setup);
  if (const auto* script = std::get_if<Script>(&step)) return look_at_host(rig, *script);
  return std::nullopt;
}

}  // namespace ampere
