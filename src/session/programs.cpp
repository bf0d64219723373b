// Programs, and networks made into programs, from a general profile.
#include <algorithm>
#include <iterator>

#include "ampere/error.h"
#include "ampere/session.h"
#include "method/operations/host_look.h"
#include "method/operations/operations_method.h"
#include "program/tf32.h"
#include "session/at_hand.h"

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

}  // namespace

std::unique_ptr<ProgramAnswerer> Session::program_answerer(const ProfileQuery& query) const {
  const ChosenProfile profile = program_candidates(query).front();
  return std::make_unique<GeneralAnswerer>(store_of(profile.row), profile);
}

Answer Session::estimate(const Program& program, const ProfileQuery& query,
                         const Workload& workload) const {
  return program_answerer(query)->answer(program, workload);
}

Answer Session::refine(const Program& program, const Step& probe, const ProfileQuery& query,
                       const Workload& workload, const NamedRig& rig) const {
  const ChosenProfile profile = program_candidates(query_at_hand(query, rig.rig)).front();
  std::vector<std::string> warnings;
  require_same_device(profile.row, rig.rig.device(), warnings);
  const GeneralProfile general = load_general_profile(store_of(profile.row), profile.row);
  if (!general.is_gpu && mentions_tf32(program))  // times must be those of the same operations
    return refine(without_tf32(program), probe, query, workload, rig);
  ProgramEvidence seen;
  if (!was_seen_on(program, rig.rig.device())) {
    seen.timed =
        time_operations({&program, 1}, general.fitted, rig.rig, kTimedOperations, warnings);
    if (general.is_gpu)  // on a CPU the host is the device
      try_to_measure_host(
          [&] {
            if (const auto measured = measure_step(probe, host_precision(), rig.rig))
              seen.host_s = measured->time_s.mean;
          },
          warnings);
  }
  Answer answer = answer_of(profile, estimate_of_program(program, general, seen, workload));
  std::ranges::move(warnings, std::back_inserter(answer.estimate.warnings));
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
