#include "ampere/rig.h"

namespace ampere {
namespace {

// Null for a script.
const TraceRequest::Network* traced(const TraceRequest& request) {
  return std::get_if<TraceRequest::Network>(&request.step);
}

}  // namespace

const Model* model_of(const Request& request) {
  return std::visit(
      [](const auto& each) -> const Model* {
        if constexpr (requires { each.task; })
          return &each.task.model;
        else if constexpr (requires { each.model; })
          return &each.model;
        else if constexpr (requires { each.step; })
          return traced(each) != nullptr ? &traced(each)->model : nullptr;
        else
          return nullptr;
      },
      request);
}

const Setup* setup_of(const Request& request) {
  return std::visit(
      [](const auto& each) -> const Setup* {
        if constexpr (requires { each.task; })
          return &each.task.setup;
        else if constexpr (requires { each.setup; })
          return &each.setup;
        else if constexpr (requires { each.step; })
          return traced(each) != nullptr ? &traced(each)->setup : nullptr;
        else
          return nullptr;
      },
      request);
}

}  // namespace ampere
