// A client that sends any bytes, and a server that runs for one test.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "serve/fake_handler.h"
#include "serve/http_server.h"

namespace ampere {

struct Answer {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

// Waits for at most ten seconds in every call, then throws.
class Client {
 public:
  explicit Client(std::uint16_t port, bool is_v6 = false);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(std::string_view bytes);
  // The same as far as the other side takes it.
  void send_what_is_taken(std::string_view bytes);
  void end_sending();       // half-closes the connection
  void reset();             // closes it without any farewell
  std::string read_line();  // without its line break
  Answer read_answer(bool has_body = true);
  std::string read_all();  // until the other side closes
  bool is_closed();        // waits until it is; false when there are bytes instead

 private:
  bool receive();

  int socket_ = -1;
  std::string received_;
};

// Short limits, where a test has to wait for them, are set by `change`.
class TestServer {
 public:
  explicit TestServer(const std::function<void(HttpOptions&)>& change = {});
  ~TestServer();

  std::uint16_t port() const { return server_->port(); }
  HttpCounts counts() const { return server_->counts(); }
  void request_stop() { stop_ = true; }
  void wait();  // until it has stopped
  // What one connection that sends these bytes, and then nothing more, is answered first.
  Answer ask(std::string_view bytes) const;
  // Waits until the server has counted so; throws after ten seconds.
  void wait_until(const std::function<bool(const HttpCounts&)>& is_so) const;

  FakeHandler handler;

 private:
  std::atomic<bool> stop_ = false;
  std::unique_ptr<HttpServer> server_;
  std::jthread thread_;
};

// "GET /quick HTTP/1.1\r\nHost: localhost\r\n\r\n", with these fields before the empty line.
std::string get(std::string_view path, std::string_view fields = "");

}  // namespace ampere
