// The socket that a server listens on.
#pragma once

#include "serve/listen_address.h"

namespace ampere {

// Listens, does not block, and is not passed on to children; the caller closes it. Throws
// Error(failed) naming the process that has the port where the system says so, Error(permission),
// and Error(usage) for an address that this machine does not have.
int open_listener(const ListenAddress& listen);

// The port of a listening socket: the one that the system chose, where 0 was asked for.
std::uint16_t port_of(int listener);

}  // namespace ampere
