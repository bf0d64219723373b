// A training run as a whole.
#include <fmt/format.h>

#include "ampere/error.h"
#include "ampere/session.h"
#include "method/operations/operations_method.h"

namespace ampere {
namespace {

// By the law of energy of a general profile; no other profile says it.
std::optional<Watts> waiting_power(const Store& store, const Answer& answer) {
  if (answer.method != kOperationsMethod) return std::nullopt;
  return Watts{load_general_profile(store, answer.profile.row).fitted.laws.energy.ready_w};
}

PlannedRun planned(Answer answer, const Store& store, const RunTask& task,
                   std::int64_t samples_per_iteration) {
  const Estimate& estimate = answer.estimate;
  if (!estimate.uncovered.empty())
    throw Error(
        ErrorCode::unknown,
        fmt::format("{}: {}", estimate.uncovered.front().layer, estimate.uncovered.front().reason),
        Remedy::profile);
  if (!estimate.energy_j || !estimate.time_s)
    throw Error(ErrorCode::unknown,
                fmt::format("the profile has no {}", estimate.energy_j ? "times" : "energies"),
                Remedy::profile);
  TrainingRun run =
      compose_run(task, estimate, samples_per_iteration, waiting_power(store, answer));
  return {std::move(answer), std::move(run)};
}

}  // namespace

PlannedRun Session::plan(const Model& model, const ProfileQuery& query, const RunTask& task) const {
  const Setup& setup = query.setup;
  Answer answer = estimate(model, query, {1, task.confidence});
  const Store& store = store_of(answer.profile.row);
  return planned(std::move(answer), store, task, setup.batch * setup.options.accumulation);
}

PlannedRun Session::plan(const Program& program, const ProfileQuery& query,
                         const RunTask& task) const {
  Answer answer = estimate(program, query, {1, task.confidence});
  const Store& store = store_of(answer.profile.row);
  return planned(std::move(answer), store, task, samples_of(program));
}

}  // namespace ampere
