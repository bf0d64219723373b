// The session that a verb works with: on the store of the command line, stopped by Ctrl-C.
#pragma once

#include <string>

#include "ampere/session.h"

namespace ampere {

Session open_session(const std::string& store, Access access, Listener* listener = nullptr);

// For looking without measuring: a store that is not there is empty.
Session open_preview_session(const std::string& store);

// For reading what was surveyed. Throws Error(unknown) that says how, when there is no store yet.
Session open_surveyed_session(const std::string& store);

}  // namespace ampere
