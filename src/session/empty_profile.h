// What a refused measurement must not leave behind.
#pragma once

#include <utility>

#include "ampere/error.h"
#include "ampere/session.h"

namespace ampere {

// Removes the profile of the device at this setup where nothing was ever kept in it.
void remove_if_empty(Session& session, const DeviceInfo& device, const Setup& setup);

// Does the work, which opens this profile before the rig says what it cannot do. Where that ends in
// an error, a profile that is still empty goes again: it would be taken for what the store knows of
// the setup. Of one that the user interrupts, another process may be about to fill it.
template <class Work>
auto without_empty_profile(Session& session, const DeviceInfo& device, const Setup& setup,
                           Work&& work) try {
  return std::forward<Work>(work)();
} catch (const Error& error) {
  if (error.code() != ErrorCode::interrupted) remove_if_empty(session, device, setup);
  throw;
}

}  // namespace ampere
