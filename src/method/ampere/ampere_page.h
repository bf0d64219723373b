// What the published method knows of each kind, for drawing.
#pragma once

#include "ampere/store.h"
#include "base/json.h"
#include "method/window_shelf.h"

namespace ampere {

// A list with an object a kind: its points in the order they were measured, what was fitted, and
// how far that is from the points it was tested at. Empty where the profile has no fits.
Json kinds_content(const Store& store, const ProfileRow& profile, WindowShelf& windows);

}  // namespace ampere
