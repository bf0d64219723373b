// A whole evaluation of a family on a device: profile, evidence for the baselines, estimates, and
// only then the measurements they are compared with.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ampere/evaluate.h"
#include "ampere/store.h"
#include "method/ampere/profile.h"
#include "method/dual/dual_profile.h"

namespace ampere {

struct EvaluationTask {
  std::string family;            // a zoo name, or what else these networks have in common
  std::vector<Model> originals;  // profiled, so that they and all narrower ones can be estimated
  std::vector<Model> tests;      // estimated, then measured
  std::vector<Model> training;   // what baselines are fitted to, as many as their seconds allow
};
EvaluationTask family_task(const std::string& family, int networks, unsigned seed);
// Of inference: variants (draw.h) of a zoo network, of which also the baselines' networks are.
EvaluationTask variants_task(const std::string& family, int networks, unsigned seed);
EvaluationTask models_task(const std::string& name, std::vector<Model> models, unsigned seed);

struct EvaluationOptions {
  std::vector<std::string> methods;  // find_method of each
  unsigned seed = 0;
  ProfileOptions profile;
  DualProfileOptions dual;
  std::optional<Seconds> baseline_limit;  // for what each kind of baseline measures, at most
  Precision precision;                    // of everything that is not profiled
  bool resample = false;  // keeps to what the rig has an answer for: a recording, asked otherwise
  bool afresh = false;    // measures again what an earlier run of the same evaluation had measured
};

struct EvaluationProgress {
  std::function<void(const KindProgress&)> profile;
  std::function<void(const DualProgress&)> dual;
  std::function<void(const std::string& what)> step;
  std::function<void(const std::string& warning)> warn;
};

// Every fitted baseline may use as many seconds of measuring as the published method's profile took
// (without it the dual one's, of inference the survey's). Methods from kernels rest on a survey of
// the device in the store: throws Error(unknown) when there is none. Any other method whose
// evidence cannot be had (a rig that cannot measure single phases, a recording without it) is left
// out with a warning. The evaluation is a document of the profile from the moment all estimates are
// made, and after every measurement: run again, it goes on where it stopped.
Evaluation run_evaluation(const EvaluationTask& task, Rig& rig, const std::string& rig_name,
                          Store& store, const Setup& setup, const EvaluationOptions& options,
                          const EvaluationProgress& progress);

}  // namespace ampere
