#include "ampere/session.h"
#include "evaluate/evaluation.h"
#include "method/registry.h"

namespace ampere {

Evaluation Session::evaluate(const EvaluationTask& task, const EvaluationOptions& options,
                             const Setup& setup, const NamedRig& rig) {
  std::vector<const Method*> methods;
  for (const std::string& name : options.methods)
    methods.push_back(&find_method(name, setup.phase));
  if (methods.empty()) methods = methods_for(setup.phase);
  return run_evaluation(task, methods, options,
                        {rig.rig, rig.spec, *store_, setup, stop_, *listener_});
}

}  // namespace ampere
