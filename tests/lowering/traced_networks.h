// Networks that have every operator between them, in sizes that are traced in a moment.
#pragma once

#include <string>
#include <vector>

#include "ampere/model.h"
#include "ampere/train.h"

namespace ampere::testing_support {

struct Traced {
  std::string what;  // for people
  Model model;
  Setup setup;
};

std::vector<Traced> networks_to_trace();

}  // namespace ampere::testing_support
