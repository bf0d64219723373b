#include "serve/open_listener.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "ampere/error.h"
#include "serve/port_holder.h"

namespace ampere {
namespace {

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

Address socket_address(const ListenAddress& listen) {
  Address address;
  auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
  if (inet_pton(AF_INET, listen.address.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(listen.port);
    address.size = sizeof v4;
    return address;
  }
  address = {};
  auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
  if (inet_pton(AF_INET6, listen.address.c_str(), &v6.sin6_addr) != 1)
    throw Error(
        ErrorCode::usage,
        fmt::format("cannot listen on '{}': this is not a numeric address", listen.address));
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(listen.port);
  address.size = sizeof v6;
  return address;
}

Error listen_error(const ListenAddress& listen, int error) {
  const std::string start = fmt::format("cannot listen on {}: ", to_string(listen));
  switch (error) {
    case EADDRINUSE:
      return {ErrorCode::failed,
              fmt::format("{}{} has the port; choose another port, or 0 for any free one", start,
                          port_holder(listen.port))};
    case EACCES:
      return {ErrorCode::permission,
              start + "the system does not allow it; ports below 1024 need a privilege"};
    case EADDRNOTAVAIL:
      return {ErrorCode::usage, start + "no network interface of this machine has the address"};
    case EAFNOSUPPORT:
      return {ErrorCode::usage, start + "this machine has no addresses of this kind"};
    default:
      return {ErrorCode::failed, start + std::generic_category().message(error)};
  }
}

}  // namespace

int open_listener(const ListenAddress& listen) {
  Address address = socket_address(listen);
  const int listener =
      ::socket(address.get()->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  if (listener >= 0 && ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
      ::bind(listener, address.get(), address.size) == 0 && ::listen(listener, SOMAXCONN) == 0)
    return listener;
  const int error = errno;
  if (listener >= 0) ::close(listener);
  throw listen_error(listen, error);
}

std::uint16_t port_of(int listener) {
  Address address;
  address.size = sizeof address.storage;
  ::getsockname(listener, address.get(), &address.size);
  if (address.storage.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<sockaddr_in6&>(address.storage).sin6_port);
  return ntohs(reinterpret_cast<sockaddr_in&>(address.storage).sin_port);
}

}  // namespace ampere
