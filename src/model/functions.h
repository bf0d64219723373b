// The functions that activations apply: their names and parameters.
#pragma once

#include <string>
#include <vector>

#include "ampere/layer.h"

namespace ampere {

struct FunctionInfo {
  struct Parameter {
    std::string name;
    double otherwise = 0;  // the default
  };
  Function function = Function::relu;
  std::string name;
  std::vector<Parameter> parameters = {};
};

const std::vector<FunctionInfo>& functions();
const FunctionInfo& info(Function function);

}  // namespace ampere
