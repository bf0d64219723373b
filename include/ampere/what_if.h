// What a network would cost at other widths, for a page that computes it by itself.
#pragma once

#include <string>

#include "ampere/model.h"
#include "ampere/train.h"
#include "method/ampere/fit.h"
#include "method/dual/dual.h"

namespace ampere {

// One JSON object with all that is needed to say what an iteration of with_widths(original, widths)
// takes, mean and standard deviation of energy and of time, as the estimator of the method does.
// The page computes from it with the library's own code, compiled to WebAssembly (web/README.md).
//
//   method   "dual" or "ampere"; network, setup (batch, optimizer, precision)
//   widths   [{name, least, most, step, original, held}], as make_space has them. `held` says why a
//            width cannot vary here (least = most): a block that it touches may become one of
//            another kind at other widths; else null
//   blocks   [{kind, features, work}] in the order of the network. `kind` is an index of kinds. A
//            feature is [constant, width, factor, width, factor, …]: a constant and multiples of
//            widths, by index. `work` is [flops, bytes] of a training step where no width moves the
//            block, else null: it follows from the kind
//   kinds    [{key, title, role, features: [{name, multiple_of}], work, …}]. `work` is {flops,
//            bytes}, each the list f(1), Δi…, Δij… (i ≤ j, row by row) of a polynomial in u, the
//            features over what they are multiples of: f(u) = f(1) + Σ Δi (ui − 1) + Σ Δii (ui − 1)
//            (ui − 2)/2 + Σ Δij (ui − 1)(uj − 1); null where nothing reads it
//
// For dual: `laws`, and `map` in each kind; for ampere: `fit` in each kind. They are as models of
// the method are stored. Lists of many numbers are IEEE doubles (trees: floats), little-endian, in
// base64, matrices column by column.
//
// Both throw Error(unknown) naming what the profile lacks of the original, and Error(usage) where
// no width can vary.
std::string what_if_json(const Model& original, SharedDualModel model);
std::string what_if_json(const Model& original, const Fits& fits, const Setup& setup);

}  // namespace ampere
