// What it is worth to lean on a run of a network before it is asked about again. Every test network
// of an evaluation was visited twice: it is estimated by the laws alone and leaning on its first
// visit, and both are compared with the second one.
#pragma once

#include "replay.h"

namespace ampere {

struct Leaning {
  double scatter = 0;  // of two runs of one network, relative, as the profile knows it
  Accuracy by_laws, leaning;
  double width_by_laws = 0, width_leaning = 0;  // mean of the intervals', relative
};
Leaning leaning_of(const Replayed& replayed);

}  // namespace ampere
