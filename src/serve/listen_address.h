// Addresses to listen on, as users write them, and hosts, as clients name them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ampere {

inline constexpr std::uint16_t kDefaultPort = 8642;

struct ListenAddress {
  std::string address;  // numeric, without brackets: "127.0.0.1", "::1"
  std::uint16_t port = kDefaultPort;
};

// "127.0.0.1:8642", "[::1]:8642", "localhost:8642", each also without the port. Port 0 means any
// free one. Throws Error(usage).
ListenAddress parse_listen(std::string_view text);

// "127.0.0.1:8642", "[::1]:8642"
std::string to_string(const ListenAddress& listen);

// Whether only programs on this machine reach the address: "localhost", 127.0.0.0/8 and ::1.
bool is_loopback(std::string_view address);

// A host and an optional port, as in the header field Host.
struct Authority {
  std::string host;  // without brackets
  std::string port;  // digits; empty where none is given
};
// Nothing when the text is not of that form.
std::optional<Authority> parse_authority(std::string_view text);

}  // namespace ampere
