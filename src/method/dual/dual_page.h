// What our own method knows of a device, for drawing.
#pragma once

#include "ampere/store.h"
#include "base/json.h"
#include "method/window_shelf.h"

namespace ampere {

// Blocks as they were timed and as the maps have them, networks as they were measured and as the
// model has them. Null where the profile has no dual model.
Json dual_content(const Store& store, const ProfileRow& profile, WindowShelf& windows);

}  // namespace ampere
