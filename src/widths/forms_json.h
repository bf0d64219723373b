// What a page needs of a network to estimate it at other widths.
#pragma once

#include "ampere/estimate.h"
#include "ampere/train.h"
#include "base/json.h"

namespace ampere {

// A what-if: one JSON object with all that is needed to say what an iteration of
// with_widths(original, widths) takes, as the estimator of the method says it. BlockForms and the
// method's composer read it, in the page too (web/what_if_module.cpp). Here it lacks what the
// method knows of the kinds.
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
//            bytes}, each the list f(1), Δi…, Δij… (i ≤ j, row by row) of a WorkForm; null where
//            nothing reads it
//
// The method dual adds `laws`, and `map` to each kind; ampere adds `fit` to each kind. They are as
// models of the method are stored.
//
// Throws Error(unknown) naming what the estimator does not know of the original, and Error(usage)
// where no width can vary.
Json forms_json(const std::string& method, const Model& original, const Setup& setup,
                const Estimator& estimator);

}  // namespace ampere
