// Who listens on a port.
#pragma once

#include <cstdint>
#include <string>

namespace ampere {

// "process 1234 (ampere)", or "another process" where the system does not say.
std::string port_holder(std::uint16_t port);

}  // namespace ampere
