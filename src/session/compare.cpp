#include "ampere/session.h"
#include "evaluate/evaluation.h"
#include "method/registry.h"

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
  return run_evaluation(task, methods, options,
                        {rig.rig, rig.spec, *store_, setup, stop_, *listener_});
}

}  // namespace ampere
