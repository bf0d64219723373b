// Requests and answers of the server, as values: whoever answers knows no sockets, and whoever
// moves bytes knows nothing of energy.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ampere {

class EventQueue;

struct HttpRequest {
  std::string method;  // "GET"
  std::string path;    // "/v1/profiles/3": of the target, before '?', not decoded
  std::string query;   // after '?', not decoded
  std::string content_type;
  std::string body;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};  // beside those of every answer
  // Where it is given, the body is what comes out of this queue, as server-sent events, until the
  // queue is closed.
  std::shared_ptr<EventQueue> events = {};
};

// Answers requests. All functions may be called from several threads at once, and none throws.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  virtual HttpResponse answer(const HttpRequest& request) = 0;
  // What the transport refuses by itself (400, 408, 413, 431, 503, …), with a reason.
  virtual HttpResponse refusal(int status, std::string_view reason) const = 0;
  // The longest body that is accepted there; 0 where none is expected.
  virtual std::size_t body_limit(std::string_view method, std::string_view path) const = 0;
  // Whether the answer takes so little time that it need not wait for a free worker.
  virtual bool is_quick(std::string_view method, std::string_view path) const = 0;
  // Whether the request may be answered without the token.
  virtual bool is_open(std::string_view method, std::string_view path) const = 0;
};

}  // namespace ampere
