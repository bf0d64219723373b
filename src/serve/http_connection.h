// One connection, from its first byte to its end.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "serve/http.h"
#include "serve/http_counts.h"
#include "serve/http_options.h"
#include "serve/work_queue.h"

namespace boost::asio {
class io_context;
}

namespace ampere {

// What all connections of a server share.
struct HttpShared {
  std::shared_ptr<boost::asio::io_context> io;
  const HttpOptions& options;
  HttpHandler& handler;
  WorkQueue& work;
  HttpCounters& counters;
  std::size_t body_bytes = 0;  // in memory, of all connections
  bool stopping = false;
};

// Reads a request, waits for its answer, writes it, and only then reads on, so that pipelined
// requests are answered in order and a client cannot make the server keep many of them. Used by
// the one thread that runs the io_context.
class HttpConnection {
 public:
  virtual ~HttpConnection() = default;
  // A connection over the limit is told so and closed.
  virtual void start(bool is_over_limit) = 0;
  // Ends it when it is later than its limit.
  virtual void sweep(std::chrono::steady_clock::time_point now) = 0;
  // Closes it when it is idle, refuses what has not arrived, closes the queue of an event stream.
  virtual void stop() = 0;
  virtual void close() = 0;
};

// Owns the socket, which is connected. Calls `closed` once.
std::shared_ptr<HttpConnection> make_connection(HttpShared& shared, int socket,
                                                std::function<void()> closed);

}  // namespace ampere
