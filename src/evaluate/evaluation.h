// A whole evaluation of a family on a device: profile, evidence for the baselines, estimates, and
// only then the measurements they are compared with.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ampere/evaluate.h"
#include "ampere/progress.h"
#include "ampere/store.h"
#include "method/method.h"

namespace ampere {

// Where an evaluation happens, and who is told.
struct EvaluationBench {
  Rig& rig;
  std::string rig_name;
  Store& store;
  Setup setup;
  StopToken stop;
  Listener& listener;
};

// The general profile of the device, as one that answers for this setup. Nothing when there is
// none.
std::optional<ProfileRow> general_row(const Store& store, const DeviceInfo& device,
                                      const Setup& setup);

// Every baseline may use as many seconds of measuring as the published method's profile took
// (without it the dual one's, of inference the survey's). A method that rests on what is in the
// store already, and is not there, throws Error(unknown). Any other method whose evidence cannot be
// measured here (a rig that cannot measure single phases, a recording without it) is left out with
// a warning. The evaluation is a document of the profile from the moment all estimates are made,
// and after every measurement: run again, it goes on where it stopped.
Evaluation run_evaluation(const EvaluationTask& task, const std::vector<const Method*>& methods,
                          const EvaluationOptions& options, const EvaluationBench& bench);

NetworkEstimate estimate_network(const Estimator& estimator, const Model& model);

// Measures all networks in a shuffled order, then all of them again in another one. Before each,
// where `at_hand` is given and the host's pace is known, the network is estimated for the host as
// it is then. Networks that have their measurement of a round already are passed over. `keep` is
// called after each. The evaluation and the estimator must outlive the suggestions.
std::unique_ptr<Suggestions> suggest_networks(Evaluation& evaluation, const Precision& precision,
                                              const Estimator* at_hand, std::function<void()> keep);

}  // namespace ampere
