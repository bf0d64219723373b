#include "serve/request_rules.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "serve/listen_address.h"

namespace ampere {
namespace {

using Refusal = std::optional<HttpRefusal>;

constexpr std::string_view kScheme = "http://";

bool has_scheme(std::string_view target) {
  return target.size() > kScheme.size() &&
         equal_ignoring_case(target.substr(0, kScheme.size()), kScheme);
}

Refusal check_method(const RequestHead& head) {
  constexpr std::array<std::string_view, 7> known = {"GET",   "HEAD",   "POST",   "PUT",
                                                     "PATCH", "DELETE", "OPTIONS"};
  if (std::ranges::find(known, head.method) == known.end())
    return HttpRefusal{501, "the method is not known here"};
  return std::nullopt;
}

Refusal check_target(const RequestHead& head) {
  const auto is_plain = [](char c) { return c > ' ' && c < 0x7f && c != '#'; };
  const bool is_path = head.target.starts_with('/') || has_scheme(head.target) ||
                       (head.target == "*" && head.method == "OPTIONS");
  if (!is_path || !std::ranges::all_of(head.target, is_plain))
    return HttpRefusal{400, "the target of the request is malformed"};
  return std::nullopt;
}

Refusal check_host(const RequestHead& head, const HttpOptions& options) {
  if (!head.host)
    return head.is_1_1 ? Refusal({400, "the header field Host is missing"}) : std::nullopt;
  const std::optional<Authority> host = parse_authority(*head.host);
  if (!host) return HttpRefusal{400, "the header field Host is malformed"};
  if (has_scheme(head.target)) {
    const std::string_view rest = std::string_view(head.target).substr(kScheme.size());
    if (!equal_ignoring_case(rest.substr(0, rest.find_first_of("/?")), *head.host))
      return HttpRefusal{400, "the target names another host than the header field Host"};
  }
  if (is_loopback(options.address) && !is_loopback(host->host) && host->host != options.address)
    return HttpRefusal{421, "this server answers only requests to an address of this machine"};
  return std::nullopt;
}

Refusal check_coding(const RequestHead& head) {
  if (head.transfer_encoding) {
    if (!equal_ignoring_case(*head.transfer_encoding, "chunked"))
      return HttpRefusal{501, "the only transfer coding understood here is chunked"};
    if (!head.is_1_1) return HttpRefusal{400, "HTTP/1.0 has no transfer codings"};
  }
  if (head.expect && head.is_1_1 && !equal_ignoring_case(*head.expect, "100-continue"))
    return HttpRefusal{417, "the only expectation met here is 100-continue"};
  return std::nullopt;
}

Refusal check_token(const RequestHead& head, std::string_view expected) {
  constexpr std::string_view scheme = "Bearer ";
  if (!head.authorization) return HttpRefusal{401, "a token is needed"};
  const std::string_view given = *head.authorization;
  if (!equal_ignoring_case(given.substr(0, scheme.size()), scheme) ||
      !is_same_token(trim(given.substr(scheme.size())), expected))
    return HttpRefusal{401, "the token is wrong"};
  return std::nullopt;
}

// Browsers say which page asks; other programs say nothing, and are no danger here: they have no
// credentials of somebody else.
Refusal check_origin(const RequestHead& head) {
  constexpr HttpRefusal refusal{403, "pages of other origins may not ask this server"};
  if (head.fetch_site && *head.fetch_site != "same-origin" && *head.fetch_site != "none")
    return refusal;
  if (!head.origin) return std::nullopt;
  const std::size_t scheme = head.origin->find("://");
  if (scheme == std::string::npos || !head.host) return refusal;
  const std::string_view asking = std::string_view(*head.origin).substr(scheme + 3);
  return equal_ignoring_case(asking, *head.host) ? Refusal() : refusal;
}

}  // namespace

std::pair<std::string_view, std::string_view> split_target(std::string_view target) {
  if (has_scheme(target)) {
    target.remove_prefix(kScheme.size());
    const std::size_t path = target.find_first_of("/?");
    if (path == std::string_view::npos) return {"/", ""};
    target.remove_prefix(path);
    if (target.starts_with('?')) return {"/", target.substr(1)};
  }
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {target, ""};
  return {target.substr(0, mark), target.substr(mark + 1)};
}

std::string_view method_answered(std::string_view method) {
  return method == "HEAD" ? "GET" : method;
}

std::optional<HttpRefusal> refusal_of(const RequestHead& head, const HttpOptions& options,
                                      const HttpHandler& handler) {
  if (auto refusal = check_method(head)) return refusal;
  if (auto refusal = check_target(head)) return refusal;
  if (auto refusal = check_host(head, options)) return refusal;
  if (auto refusal = check_coding(head)) return refusal;
  if (handler.is_open(method_answered(head.method), split_target(head.target).first))
    return std::nullopt;
  if (auto refusal = check_origin(head)) return refusal;
  return options.token.empty() ? std::nullopt : check_token(head, options.token);
}

bool is_same_token(std::string_view given, std::string_view expected) {
  std::size_t difference = given.size() ^ expected.size();
  if (expected.empty()) return false;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i] ^ expected[i % expected.size()]);
  return difference == 0;
}

}  // namespace ampere
