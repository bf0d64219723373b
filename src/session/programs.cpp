// Programs, and networks made into programs, from a general profile.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ampere/error.h"
#include "ampere/session.h"
#include "base/text.h"
#include "method/operations/device_look.h"
#include "method/operations/host_look.h"
#include "method/operations/operations_method.h"
#include "session/profile_text.h"

namespace ampere {
namespace {

constexpr std::size_t kTimedOperations = 30;

Answer answer_of(const ChosenProfile& profile, Estimate estimate) {
  Answer answer{kOperationsMethod, profile, std::move(estimate), {}};
  answer.estimate.source = std::max(answer.estimate.source, profile.row.device.source);
  std::ranges::copy(profile.warnings, std::back_inserter(answer.estimate.warnings));
  return answer;
}

class GeneralAnswerer final : public ProgramAnswerer {
 public:
  GeneralAnswerer(const Store& store, ChosenProfile profile)
      : profile_(std::move(profile)), general_(load_general_profile(store, profile_.row)) {}

  Answer answer(const Program& program, const Workload& workload) const override {
    return answer_of(profile_, estimate_of_program(program, general_, {}, workload));
  }

 private:
  ChosenProfile profile_;
  GeneralProfile general_;
};

// What was seen of a program on the device itself, and what could not be.
struct Seen {
  ProgramEvidence evidence;
  std::vector<std::string> warnings;
};

void time_operations(const Program& program, const OperationsProfile& profile, Rig& rig,
                     Seen& seen) {
  TimedDearest dearest = time_dearest(program, profile, rig, kTimedOperations);
  const std::size_t asked = dearest.timed.size() + dearest.failures.size();
  seen.evidence.timed = std::move(dearest.timed);
  if (!dearest.failures.empty())
    seen.warnings.push_back(fmt::format("{} of {} operations could not be timed, such as {}",
                                        dearest.failures.size(), asked, dearest.failures.front()));
}

void measure_host(const HostProbe& probe, Rig& rig, Seen& seen) try {
  if (const auto* network = std::get_if<TraceRequest::Network>(&probe))
    seen.evidence.host_s =
        rig.measure(network->model, network->setup, host_precision()).time_s.mean;
  else if (const auto* script = std::get_if<Script>(&probe))
    seen.evidence.host_s = rig.measure(*script, host_precision()).measurement.time_s.mean;
} catch (const Error& error) {
  if (error.code() != ErrorCode::failed && error.code() != ErrorCode::usage) throw;
  seen.warnings.push_back(fmt::format("the host could not be measured: {}", error.what()));
}

void require_same_device(const ProfileRow& row, const DeviceInfo& device, Seen& seen) {
  if (device.name != row.device.name)
    throw Error(ErrorCode::usage, fmt::format("{} is of {}, and the rig is {}", profile_text(row),
                                              row.device.name, device.name));
  if (device.fingerprint != row.device.fingerprint)
    seen.warnings.push_back(fmt::format("{} was profiled with {} and {}; the rig has {} and {}",
                                        row.device.name, row.device.framework, row.device.driver,
                                        device.framework, device.driver));
}

}  // namespace

std::unique_ptr<ProgramAnswerer> Session::program_answerer(const ProfileQuery& query) const {
  const ChosenProfile profile = program_candidates(query).front();
  return std::make_unique<GeneralAnswerer>(store_of(profile.row), profile);
}

Answer Session::estimate(const Program& program, const ProfileQuery& query,
                         const Workload& workload) const {
  return program_answerer(query)->answer(program, workload);
}

Answer Session::refine(const Program& program, const HostProbe& probe, const ProfileQuery& query,
                       const Workload& workload, const NamedRig& rig) const {
  ProfileQuery of_device = query;
  if (query.profile.empty() && query.device.empty())
    of_device.profile = rig.rig.device().fingerprint;
  of_device.rig.clear();
  const ChosenProfile profile = program_candidates(of_device).front();
  Seen seen;
  require_same_device(profile.row, rig.rig.device(), seen);
  const GeneralProfile general = load_general_profile(store_of(profile.row), profile.row);
  if (!was_seen_on(program, rig.rig.device())) {
    time_operations(program, general.fitted, rig.rig, seen);
    measure_host(probe, rig.rig, seen);
  }
  Answer answer =
      answer_of(profile, estimate_of_program(program, general, seen.evidence, workload));
  std::ranges::move(seen.warnings, std::back_inserter(answer.estimate.warnings));
  return answer;
}

Answer Session::refine_by_operations(const Model& model, const ProfileQuery& query,
                                     const Workload& workload, const NamedRig& rig) const {
  const ChosenProfile profile = program_candidates(query).front();
  const GeneralProfile general = load_general_profile(store_of(profile.row), profile.row);
  Setup small = query.setup;
  small.batch = std::min(small.batch, kSmallBatch);
  Program program = program_of(model, query.setup, general);
  program.origin.framework.clear();  // it was lowered for this very device
  Answer answer = refine(program, TraceRequest::Network{model, small}, query, workload, rig);
  answer.profile.row.setup = query.setup;
  return answer;
}

}  // namespace ampere
