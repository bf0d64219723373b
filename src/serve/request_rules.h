// Which requests are answered, decided by their head alone.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "serve/http.h"
#include "serve/http_options.h"
#include "serve/request_parser.h"

namespace ampere {

// The path and the query of a target, which may also name the host: "/v1/models?x=1",
// "http://127.0.0.1:8642/v1/models".
std::pair<std::string_view, std::string_view> split_target(std::string_view target);

// A HEAD is answered as a GET without its body.
std::string_view method_answered(std::string_view method);

// Why the request is refused:
// 400 no or a malformed Host, a malformed target   501 unknown method or transfer coding
// 421 a Host that is not of this machine           417 an expectation other than 100-continue
// 401 no or the wrong token                        403 a page of another origin asks
// A server on a loopback address answers only to loopback names: a page whose name an attacker
// points to 127.0.0.1 (DNS rebinding) still sends that name.
std::optional<HttpRefusal> refusal_of(const RequestHead& head, const HttpOptions& options,
                                      const HttpHandler& handler);

// Takes the same time wherever the two differ.
bool is_same_token(std::string_view given, std::string_view expected);

}  // namespace ampere
