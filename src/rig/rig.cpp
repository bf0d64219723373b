#include "ampere/rig.h"

#include <fmt/format.h>

#include <cmath>

#include "ampere/error.h"
#include "base/text.h"
#include "record/plausible.h"

namespace ampere {
namespace {

// Completes "this rig cannot …".
const char* description(Ability ability) {
  switch (ability) {
    case Ability::time:
      return "time a training step";
    case Ability::pace:
      return "train two networks in turn";
    case Ability::idle:
      return "measure the idle device";
    case Ability::train:
      return "train on data";
    case Ability::work:
      return "train a number of iterations within an amount of energy";
    case Ability::scripts:
      return "run a script (the rig \"torch\" can)";
    case Ability::operations:
      return "trace programs or time operations (the rig \"torch\" can)";
    case Ability::operation_energy:
      return "measure the energy of single operations";
    default:
      return "measure energy";
  }
}

bool knows(const Abilities& abilities, Phase phase) {
  switch (phase) {
    case Phase::iteration:
      return true;
    case Phase::block:
      return abilities.contains(Ability::time);
    case Phase::inference:
      return abilities.contains(Ability::inference);
    default:
      return abilities.contains(Ability::phases);
  }
}

// What the rig would have to be able to do; empty when it can. A phase needs an ability of its own:
// a runner that does not know it would ignore the key and answer with whole iterations.
std::string missing_for(const Request& request, const Abilities& abilities,
                        const SetupRange& setups) {
  const Ability asked = std::visit([](const auto& each) { return each.kAbility; }, request);
  if (!abilities.contains(asked)) return description(asked);
  const Setup* setup = setup_of(request);
  if (setup == nullptr) return "";
  if (!knows(abilities, setup->phase))
    return fmt::format("run the {} phase on its own", to_string(setup->phase));
  return missing_from(setups, *setup);
}

template <class Asked>
typename Asked::Result ask(Rig& rig, Asked request, const RunListener& listener = {}) {
  return std::get<typename Asked::Result>(rig.run(std::move(request), listener));
}

Window window_of(const WorkDone& work) {
  Window window;
  window.time = work.time;
  window.energy = work.energy;
  return window;
}

// Whatever the rig is: a runner, a recording or a simulation.
struct PlausibleFor {
  const std::string& meter;
  void operator()(const Measurement& measurement) const {
    require_plausible(measurement, meter);
    require_own_windows(measurement);
  }
  void operator()(const Window& window) const { require_plausible(window, meter); }
  void operator()(const Timing& timing) const { require_plausible(timing); }
  void operator()(const Pace& pace) const { require_plausible(pace); }
  void operator()(const DataInfo&) const {}
  void operator()(const TrainingResult&) const {}
  void operator()(const WorkDone& work) const { require_plausible(window_of(work), meter); }
  void operator()(const ScriptMeasurement& script) const { (*this)(script.measurement); }
  void operator()(const Trace&) const {}
  void operator()(const OperationTimes&) const {}
  void operator()(const OperationMeasurement& one) const { (*this)(one.measurement); }
};

void require_a_time_for_each(const OperationTimesRequest& asked, const OperationTimes& given,
                             const std::string& device) {
  if (given.each.size() != asked.operations.size())
    throw Error(ErrorCode::failed,
                fmt::format("{}: {} operations were to be timed, and {} times came back", device,
                            asked.operations.size(), given.each.size()));
}

void require_sense(const WorkRequest& asked) {
  if (asked.iterations < 1)
    throw Error(ErrorCode::usage, fmt::format("{}: {} is not a number of iterations to train",
                                              asked.model.name(), asked.iterations));
  if (asked.stop_at && !(asked.stop_at->value > 0 && std::isfinite(asked.stop_at->value)))
    throw Error(ErrorCode::usage, fmt::format("{}: {} J is not an amount of energy to train with",
                                              asked.model.name(), asked.stop_at->value));
}

void require_no_more_than_asked(const WorkRequest& asked, const WorkDone& done,
                                const std::string& device) {
  if (done.iterations > asked.iterations)
    throw Error(ErrorCode::failed,
                fmt::format("{}: {} were to be trained, and {} came back", device,
                            counted(asked.iterations, "iteration"), done.iterations));
}

}  // namespace

bool Rig::can_answer(const Request& request) const {
  return missing_for(request, abilities(), setups()).empty();
}

void Rig::require_abilities(const Request& request) const {
  const std::string missing = missing_for(request, abilities(), setups());
  if (!missing.empty())
    throw Error(ErrorCode::usage,
                fmt::format("{}: this rig cannot {}; if it talks to a runner, a newer runner may",
                            device().name, missing));
}

RigAnswer Rig::run(const Request& request, const RunListener& listener) {
  require_abilities(request);
  const auto* work = std::get_if<WorkRequest>(&request);
  if (work != nullptr) require_sense(*work);
  RigAnswer given = answer(request, listener);
  std::visit(PlausibleFor{device().meter}, given);
  if (const auto* asked = std::get_if<OperationTimesRequest>(&request))
    require_a_time_for_each(*asked, std::get<OperationTimes>(given), device().name);
  if (work != nullptr) require_no_more_than_asked(*work, std::get<WorkDone>(given), device().name);
  return given;
}

Measurement Rig::measure(const Model& model, const Setup& setup, const Precision& precision) {
  return ask(*this, MeasureRequest{model, setup, precision});
}

Timing Rig::time(const Model& model, const Setup& setup) {
  return ask(*this, TimeRequest{model, setup});
}

Pace Rig::pace(const Model& model, const Model& reference, const Setup& setup) {
  return ask(*this, PaceRequest{model, reference, setup});
}

Window Rig::idle_after(const Model& load, const Setup& setup) {
  return ask(*this, IdleRequest{load, setup});
}

DataInfo Rig::describe_data(const std::string& data) { return ask(*this, DataRequest{data}); }

TrainingResult Rig::train(const TrainingTask& task, const TrainingListener& listener) {
  return ask(*this, TrainRequest{task}, {.window = {}, .training = listener, .work = {}});
}

WorkDone Rig::work(const WorkRequest& request,
                   const std::function<void(const WorkDone&)>& listener) {
  return ask(*this, request, {.window = {}, .training = {}, .work = listener});
}

ScriptMeasurement Rig::measure(const Script& script, const Precision& precision) {
  return measure(ScriptRequest{script, precision});
}

ScriptMeasurement Rig::measure(const ScriptRequest& request) { return ask(*this, request); }

Trace Rig::trace(const TraceRequest& request) { return ask(*this, request); }

OperationTimes Rig::time(const std::vector<TensorType>& tensors,
                         const std::vector<Operation>& operations) {
  return ask(*this, OperationTimesRequest{tensors, operations});
}

Measurement Rig::measure(const OperationRequest& request) {
  return ask(*this, request).measurement;
}

bool Rig::can_measure(const Model& model, const Setup& setup) const {
  return can_answer(MeasureRequest{model, setup, {}});
}

}  // namespace ampere
