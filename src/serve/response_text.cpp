#include "serve/response_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iterator>

namespace ampere {
namespace {

bool is_safe(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

// "Sun, 06 Nov 1994 08:49:37 GMT". Written once per second and thread: it costs as much as the rest
// of a head.
std::string_view http_date() {
  thread_local std::time_t written = 0;
  thread_local char text[32];
  thread_local std::size_t length = 0;
  if (const std::time_t now = std::time(nullptr); now != written) {
    std::tm utc{};
    gmtime_r(&now, &utc);
    length = std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &utc);
    written = now;
  }
  return {text, length};
}

}  // namespace

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "";
  }
}

bool has_safe_headers(const HttpResponse& response) {
  return is_safe(response.content_type) &&
         std::ranges::all_of(response.headers, [](const auto& header) {
           return is_safe(header.first) && is_safe(header.second);
         });
}

bool may_have_body(int status) { return status != 204 && status != 304; }

std::string response_head(const HttpResponse& response, Framing framing, bool closes) {
  std::string head;
  head.reserve(1024);
  auto out = std::back_inserter(head);
  fmt::format_to(out, "HTTP/1.1 {} {}\r\nDate: {}\r\n", response.status,
                 reason_phrase(response.status), http_date());
  const bool has_content = may_have_body(response.status);
  if (has_content) fmt::format_to(out, "Content-Type: {}\r\n", response.content_type);
  if (has_content && framing == Framing::length)
    fmt::format_to(out, "Content-Length: {}\r\n", response.body.size());
  if (framing == Framing::chunks) head += "Transfer-Encoding: chunked\r\n";
  if (closes) head += "Connection: close\r\n";
  for (const auto& [name, value] : response.headers) fmt::format_to(out, "{}: {}\r\n", name, value);
  head += "\r\n";
  return head;
}

}  // namespace ampere
