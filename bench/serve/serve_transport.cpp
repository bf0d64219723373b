// The transport of `ampere serve` with a handler that does nothing. Usage: serve_transport PORT
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "ampere/error.h"
#include "serve/http_server.h"

namespace {

std::atomic<bool> stop_requested = false;

// GET /healthz is answered on the thread that reads, everything else by a worker.
class NoWork : public ampere::HttpHandler {
 public:
  ampere::HttpResponse answer(const ampere::HttpRequest&) override {
    return {200, "application/json", R"({"energy_j":1})"};
  }
  ampere::HttpResponse refusal(int status, std::string_view reason) const override {
    return {status, "text/plain", std::string(reason)};
  }
  std::size_t body_limit(std::string_view, std::string_view) const override { return 1 << 20; }
  bool is_quick(std::string_view, std::string_view path) const override {
    return path == "/healthz";
  }
  bool is_open(std::string_view, std::string_view) const override { return true; }
};

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGTERM, [](int) { stop_requested = true; });
  ampere::HttpOptions options;
  if (argc == 2) options.port = static_cast<std::uint16_t>(std::atoi(argv[1]));
  NoWork handler;
  try {
    ampere::HttpServer(options, handler).run(ampere::StopToken(stop_requested));
  } catch (const ampere::Error& error) {
    std::fprintf(stderr, "serve_transport: %s\n", error.what());
    return 1;
  }
  return 0;
}
