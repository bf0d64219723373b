// Answers as bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "serve/http.h"

namespace ampere {

// "Not Found"; empty for a status that this server never sends.
std::string_view reason_phrase(int status);

// Whether no header field of the answer contains a control character, which could end the field
// and begin another.
bool has_safe_headers(const HttpResponse& response);

// Whether an answer with this status has a body at all.
bool may_have_body(int status);

enum class Framing {
  length,  // Content-Length: the body follows
  chunks,  // Transfer-Encoding: chunked
  close,   // the body ends with the connection
};

// The status line and the header fields, with the empty line after them.
std::string response_head(const HttpResponse& response, Framing framing, bool closes);

inline constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace ampere
