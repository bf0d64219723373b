// Squeeze and excitation (Hu et al. 2018): pool the image to one number a channel, two layers on
// that, a gate, and the image multiplied by it.
#pragma once

#include <vector>

#include "ampere/model.h"

namespace ampere {

// The layers, ascending, of the squeeze-and-excitation that this multiplication ends; empty when it
// ends none. Nothing but the last layer may be read from outside.
std::vector<int> match_squeeze_excite(const Model& model, int multiply,
                                      const std::vector<std::vector<int>>& readers);

}  // namespace ampere
