// Why a revision is not there, and the command that gets it.
#pragma once

#include <string>

#include "ampere/error.h"
#include "ampere/progress.h"

namespace ampere {

// Error(unknown) for a revision that git could not find in the repository of the current folder.
// The message names a command only when it helps: after it, the same revision is found, or the
// other name that the message gives. Throws Error(usage) for a text that cannot be a revision.
Error missing_revision(const std::string& revision, StopToken stop);

}  // namespace ampere
