// What a fitted kind costs over its widths, as the numbers of a drawing.
#pragma once

#include "base/json.h"
#include "method/ampere/fit.h"
#include "method/window_shelf.h"

namespace ampere {

// The process of energy in between its lowest and highest point: over one feature with its band,
// over the first two of several with the others at their highest.
Json curve_json(const KindFit& fit);
Json surface_json(const KindFit& fit);

// Of a kind with one feature: the curve as it was known after the first point, the second, ….
Json steps_json(const KindFit& fit);

// After each point, the largest standard deviation anywhere as a share of what was measured: with
// the hyper-parameters that were fitted in the end.
Json uncertainty_json(const KindFit& fit);

}  // namespace ampere
