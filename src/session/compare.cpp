#include <fmt/format.h>

#include "ampere/error.h"
#include "ampere/session.h"
#include "evaluate/evaluation.h"
#include "evaluate/suite_run.h"
#include "method/registry.h"
#include "session/empty_profile.h"
#include "setup/general_setup.h"

namespace ampere {

Evaluation Session::evaluate(const EvaluationTask& task, const EvaluationOptions& options,
                             const Setup& setup, const NamedRig& rig) {
  std::vector<const Method*> methods;
  for (const std::string& name : options.methods)
    methods.push_back(&find_method(name, setup.phase));
  if (methods.empty()) {
    methods = methods_for(setup.phase);
    // One that rests on a general profile takes part where there is one.
    if (setup.phase != Phase::inference && !general_row(*store_, rig.rig.device(), setup))
      std::erase_if(methods, [](const Method* method) { return !method->has_plan(); });
  }
  return without_empty_profile(*this, rig.rig.device(), setup, [&] {
    return run_evaluation(task, methods, options,
                          {rig.rig, rig.spec, *store_, setup, stop_, *listener_});
  });
}

std::vector<SuiteResult> Session::evaluate(const Suite& suite, const SuiteOptions& options,
                                           const NamedRig& rig) {
  const std::optional<std::int64_t> profile = profile_of(rig.rig.device(), general_setup());
  if (!profile)
    throw Error(
        ErrorCode::unknown,
        fmt::format("{} has no general profile: profile it generally first", rig.rig.device().name),
        Remedy::profile);
  return run_suite(suite, options,
                   {rig.rig, *store_, *profile, stop_, *listener_, methods_for(Phase::iteration)});
}

}  // namespace ampere
