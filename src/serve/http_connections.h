// The open connections of a server.
#pragma once

#include <list>
#include <memory>

#include "serve/http_connection.h"

namespace ampere {

// Used by the one thread that runs the io_context. Time passes only through `sweep`, which the
// owner calls often enough for the shortest limit.
class HttpConnections {
 public:
  // What is shared must outlive what runs on its io_context.
  explicit HttpConnections(HttpShared shared) : shared_(std::move(shared)) {}
  ~HttpConnections() { close_all(); }
  HttpConnections(const HttpConnections&) = delete;
  HttpConnections& operator=(const HttpConnections&) = delete;

  // Serves a connected stream socket, which it owns from now on.
  void add(int socket);
  // Ends what is later than its limit.
  void sweep();
  // Stops every connection; those that are being answered are closed after it.
  void stop();
  void close_all();
  bool empty() const { return all_.empty(); }

 private:
  template <class Step>
  void for_each(Step step);

  HttpShared shared_;
  std::list<std::shared_ptr<HttpConnection>> all_;
};

}  // namespace ampere
