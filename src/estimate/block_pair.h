// The blocks of two networks given to one composer, so that it sees which ones both have.
#pragma once

#include <vector>

#include "ampere/model.h"
#include "ampere/train.h"
#include "estimate/composer.h"

namespace ampere {

struct BlockPair {
  std::vector<int> before, after;  // the numbers of their blocks
};
// `composer` is empty before.
BlockPair add_both(const Model& before, const Model& after, const Setup& setup, Composer& composer);

}  // namespace ampere
