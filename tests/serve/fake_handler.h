// A handler with a few paths, for tests of the transport.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "serve/event_queue.h"
#include "serve/http.h"

namespace ampere {

// GET /quick       "quick", answered on the thread that reads
// GET /open        "open", also without the token
// GET /work        "work", answered by a worker
// GET /long        a body of `long_bytes`
// GET /hold        "held", once `release` has been called
// GET /throws      throws
// GET /bad-header  an answer with a line break in a header field
// GET /events      the queue `events`
// POST /echo       method, path, query, content type and body, in lines; 1000 bytes at most
// Anything else is 404. A refusal's body is its reason.
class FakeHandler : public HttpHandler {
 public:
  HttpResponse answer(const HttpRequest& request) override;
  HttpResponse refusal(int status, std::string_view reason) const override;
  std::size_t body_limit(std::string_view method, std::string_view path) const override;
  bool is_quick(std::string_view method, std::string_view path) const override;
  bool is_open(std::string_view method, std::string_view path) const override;

  void release();             // every request to /hold, now and later
  void wait_for_hold(int n);  // until this many have begun

  std::size_t long_bytes = std::size_t{64} << 20;
  std::shared_ptr<EventQueue> events = std::make_shared<EventQueue>();
  std::atomic<int> answered = 0;

 private:
  std::mutex mutex_;
  std::condition_variable news_;
  bool released_ = false;
  int holding_ = 0;
};

}  // namespace ampere
