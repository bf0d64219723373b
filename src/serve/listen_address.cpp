#include "serve/listen_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/text.h"

namespace ampere {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
         c == '_';
}

bool is_v4(const std::string& text) {
  in_addr address{};
  return inet_pton(AF_INET, text.c_str(), &address) == 1;
}

bool is_v6(const std::string& text) {
  in6_addr address{};
  return inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

}  // namespace

std::optional<Authority> parse_authority(std::string_view text) {
  Authority authority;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    authority.host = text.substr(1, end - 1);
    if (!is_v6(authority.host)) return std::nullopt;
    text.remove_prefix(end + 1);
  } else {
    const std::size_t end = std::min(text.find(':'), text.size());
    authority.host = text.substr(0, end);
    if (authority.host.empty() || !std::ranges::all_of(authority.host, is_name_character))
      return std::nullopt;
    text.remove_prefix(end);
  }
  if (text.empty()) return authority;
  authority.port = text.substr(1);
  const bool is_port =
      text[0] == ':' && authority.port.size() <= 5 && std::ranges::all_of(authority.port, is_digit);
  return is_port ? std::optional(authority) : std::nullopt;
}

ListenAddress parse_listen(std::string_view text) {
  const auto fail = [&](std::string_view reason) -> Error {
    return {ErrorCode::usage,
            fmt::format("cannot listen on '{}': {}; write an address and a port, such as "
                        "127.0.0.1:{} or [::1]:{}",
                        plain_text(text), reason, kDefaultPort, kDefaultPort)};
  };
  if (std::ranges::count(text, ':') > 1 && !text.starts_with('['))
    throw fail("an IPv6 address needs brackets");
  const std::optional<Authority> authority = parse_authority(text);
  if (!authority) throw fail("this is not an address");
  ListenAddress listen;
  listen.address =
      equal_ignoring_case(authority->host, "localhost") ? "127.0.0.1" : authority->host;
  if (!is_v4(listen.address) && !is_v6(listen.address))
    throw fail("the address must be a number or 'localhost'");
  if (authority->port.empty()) {
    if (text.ends_with(':')) throw fail("the port is missing");
    return listen;
  }
  const char* end = authority->port.data() + authority->port.size();
  if (std::from_chars(authority->port.data(), end, listen.port).ec != std::errc())
    throw fail("the port is larger than 65535");
  return listen;
}

std::string to_string(const ListenAddress& listen) {
  const bool has_colon = listen.address.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", has_colon ? "[" : "", listen.address, has_colon ? "]" : "",
                     listen.port);
}

bool is_loopback(std::string_view address) {
  if (equal_ignoring_case(address, "localhost")) return true;
  const std::string text(address);
  if (in_addr v4{}; inet_pton(AF_INET, text.c_str(), &v4) == 1)
    return (ntohl(v4.s_addr) >> 24) == IN_LOOPBACKNET;
  in6_addr v6{};
  return inet_pton(AF_INET6, text.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

}  // namespace ampere
