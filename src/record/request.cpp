#include "ampere/rig.h"

namespace ampere {

const Model* model_of(const Request& request) {
  return std::visit(
      [](const auto& each) -> const Model* {
        if constexpr (requires { each.task; })
          return &each.task.model;
        else if constexpr (requires { each.model; })
          return &each.model;
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
        else
          return nullptr;
      },
      request);
}

}  // namespace ampere
