// An evaluation in tests, by methods of the registry.
#pragma once

#include "evaluate/evaluation.h"
#include "method/registry.h"

namespace ampere::testing_support {

inline Evaluation evaluate(const EvaluationTask& task, const EvaluationOptions& options, Rig& rig,
                           Store& store, const Setup& setup = {}, Listener* listener = nullptr) {
  static Listener nobody;
  std::vector<const Method*> methods;
  for (const std::string& name : options.methods)
    methods.push_back(&find_method(name, setup.phase));
  return run_evaluation(task, methods, options,
                        {rig, "test", store, setup, {}, listener != nullptr ? *listener : nobody});
}

}  // namespace ampere::testing_support
