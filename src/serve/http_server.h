// A server of HTTP/1.1 on one port.
#pragma once

#include <cstdint>
#include <memory>

#include "ampere/progress.h"
#include "serve/http.h"
#include "serve/http_counts.h"
#include "serve/http_options.h"

namespace ampere {

// One thread, the caller of `run`, reads and writes; it also answers what the handler calls quick.
// The other requests are answered by worker threads.
class HttpServer {
 public:
  // Listens from now on; clients are served when `run` is called. The handler must outlive the
  // server. Throws Error: see open_listener.h.
  HttpServer(HttpOptions options, HttpHandler& handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  HttpCounts counts() const;  // may be called by any thread

  // Serves until the token stops it, which it looks at every tenth of a second. Then it accepts
  // nothing more, closes the queues of event streams, waits for the answers that are being made
  // and written, at most for the grace time, and closes all connections. It returns when no
  // worker runs any more: a handler whose answers take longer watches the same token. Only once.
  void run(StopToken stop);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ampere
