#include "serve/fake_handler.h"

#include <stdexcept>

namespace ampere {
namespace {

constexpr std::size_t kEchoBytes = 1000;

HttpResponse text(std::string body) { return {200, "text/plain", std::move(body)}; }

}  // namespace

HttpResponse FakeHandler::answer(const HttpRequest& request) {
  ++answered;
  if (request.path == "/echo")
    return text(request.method + "\n" + request.path + "\n" + request.query + "\n" +
                request.content_type + "\n" + request.body);
  if (request.path == "/quick" || request.path == "/open" || request.path == "/work")
    return text(request.path.substr(1));
  if (request.path == "/long") return text(std::string(long_bytes, 'x'));
  if (request.path == "/hold") {
    std::unique_lock lock(mutex_);
    ++holding_;
    news_.notify_all();
    news_.wait(lock, [&] { return released_; });
    return text("held");
  }
  if (request.path == "/throws") throw std::runtime_error("on purpose");
  if (request.path == "/bad-header") {
    HttpResponse response = text("body");
    response.headers.emplace_back("X-Name", "a\r\nSet-Cookie: b=c");
    return response;
  }
  if (request.path == "/events") {
    HttpResponse response{200, "text/event-stream"};
    response.events = events;
    return response;
  }
  return refusal(404, "there is no such path");
}

HttpResponse FakeHandler::refusal(int status, std::string_view reason) const {
  return {status, "text/plain", std::string(reason)};
}

std::size_t FakeHandler::body_limit(std::string_view, std::string_view path) const {
  return path == "/echo" ? kEchoBytes : 0;
}

bool FakeHandler::is_quick(std::string_view, std::string_view path) const {
  return path != "/hold" && path != "/work" && path != "/throws";
}

bool FakeHandler::is_open(std::string_view, std::string_view path) const { return path == "/open"; }

void FakeHandler::release() {
  const std::lock_guard lock(mutex_);
  released_ = true;
  news_.notify_all();
}

void FakeHandler::wait_for_hold(int n) {
  std::unique_lock lock(mutex_);
  news_.wait(lock, [&] { return holding_ >= n; });
}

}  // namespace ampere
