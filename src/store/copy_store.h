// Everything of one store into another: profiles with their observations, timings, fits and
// documents. What other components keep in the same database (ledger, fleet) is not copied.
#pragma once

#include "ampere/progress.h"
#include "ampere/store.h"

namespace ampere {

struct ProfileParts {
  std::int64_t observations = 0, timings = 0, fits = 0, documents = 0;
};

struct CopiedProfile {
  std::int64_t from = 0, to = 0;  // ids
  DeviceInfo device;
  Setup setup;
  ProfileParts found, added;  // in the source; to the target, which lacked them
  // Over the contents of all parts, in any order: equal when both stores have the same. The target
  // may have more, and keeps its own fits and documents.
  std::string digest, target_digest;
};

// Goes on where an earlier call was killed and doubles nothing. At the end the target is read once
// more and must have every observation and timing, and a fit or document of every name, else throws
// Error(failed). Throws Error(usage) when both are the same store or one is "memory:", and
// Error(interrupted).
std::vector<CopiedProfile> copy_store(const std::string& from, const std::string& to,
                                      const StoreWait& wait, Listener& listener);

}  // namespace ampere
