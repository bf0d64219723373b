// The setup of a general profile: it answers for every batch, optimizer and number format, so that
// none of them is part of its identity.
#pragma once

#include "ampere/train.h"
#include "base/json.h"

namespace ampere {

Setup general_setup();  // nothing can be trained with it
bool is_general(const Setup& setup);

// The setup of a profile as it is stored: {"general": true}, or as read_setup() takes it.
Json profile_setup_json(const Setup& setup);
Setup read_profile_setup(const JsonField& json);

}  // namespace ampere
