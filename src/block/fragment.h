// One block taken out of its network as a model of its own, and models put together again.
#pragma once

#include <span>
#include <string>

#include "ampere/model.h"

namespace ampere {

// The layers of one block. What they read from other blocks becomes boundary Input layers; raw data
// stay raw. The input of the layer that started the block (the main input) comes first, the other
// inputs follow in the order of their use, then the layers in their order.
Model make_fragment(const Model& model, std::span<const int> layers);

// Appends a fragment's layers. Its main input is replaced by layer `main` when that is not negative
// and stays an Input layer otherwise. Module tags get `suffix` so that fragments do not merge.
void append_fragment(ModelBuilder& builder, const Model& fragment, int main,
                     const std::string& suffix);

// A module's tag without the number that tells repetitions apart: "encoder3" is "encoder".
std::string module_base(const std::string& tag);

}  // namespace ampere
