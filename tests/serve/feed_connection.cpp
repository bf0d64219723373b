#include "serve/feed_connection.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <memory>

#include "serve/fake_handler.h"
#include "serve/http_connections.h"
#include "serve/response_text.h"

namespace ampere {
namespace {

// Everything is answered at once, so that a run depends on its bytes alone.
class QuickHandler : public FakeHandler {
 public:
  QuickHandler() {
    long_bytes = 300'000;  // more than a socket buffers
    release();
  }
  bool is_quick(std::string_view, std::string_view) const override { return true; }
};

std::string receive(int socket) {
  std::string received;
  char bytes[65'536];
  for (ssize_t count = 0; (count = ::recv(socket, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;)
    received.append(bytes, static_cast<std::size_t>(count));
  return received;
}

bool is_known_field(std::string_view line) {
  constexpr std::array<std::string_view, 7> known = {
      "Date: ",       "Content-Type: ", "Content-Length: ",  "Transfer-Encoding: chunked",
      "Connection: ", "Retry-After: ",  "WWW-Authenticate: "};
  return std::ranges::any_of(known, [&](std::string_view name) { return line.starts_with(name); });
}

// Takes one line with its end; empty at the end of a head.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 2, text.size()));
  return line;
}

std::string fault_of(std::string_view answers) {
  while (!answers.empty()) {
    const std::string_view first = take_line(answers);
    if (!first.starts_with("HTTP/1.1 ")) return "no status line";
    const int status = std::stoi(std::string(first.substr(9, 3)));
    if (status != 100 && reason_phrase(status).empty()) return "an unknown status";
    std::size_t length = 0;
    while (true) {
      const std::string_view line = take_line(answers);
      if (line.empty()) break;
      if (!is_known_field(line)) return "an unknown header field: " + std::string(line);
      if (line.starts_with("Transfer-Encoding"))
        return "";  // a stream of events is the last answer
      if (line.starts_with("Content-Length: ")) length = std::stoul(std::string(line.substr(16)));
    }
    // The answer to a HEAD has no body.
    if (!answers.starts_with("HTTP/1.1 ")) answers.remove_prefix(std::min(length, answers.size()));
  }
  return "";
}

}  // namespace

std::string feed_connection(std::string_view bytes) {
  if (bytes.empty()) return "";
  const auto first = static_cast<unsigned char>(bytes[0]);
  bytes.remove_prefix(1);
  HttpOptions options;
  options.head_bytes = 1024;  // small, so that few bytes reach the limits
  options.body_memory = 500;
  if (first >= 0x80) options.token = "secret";
  const std::size_t piece = first % 0x80 == 0 ? bytes.size() + 1 : first % 0x80;

  QuickHandler handler;
  HttpCounters counters;
  const auto io = std::make_shared<boost::asio::io_context>(1);
  static WorkQueue work(1, 0);  // never used: a thread per run would take most of its time
  HttpConnections connections({io, options, handler, work, counters});
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return "no sockets";
  connections.add(pair[0]);

  std::string answers;
  const auto turn = [&] {
    io->restart();
    const bool did_something = io->poll() > 0;
    answers += receive(pair[1]);
    return did_something;
  };
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    ::send(pair[1], bytes.data(), std::min(piece, bytes.size()), MSG_DONTWAIT | MSG_NOSIGNAL);
    turn();
  }
  ::shutdown(pair[1], SHUT_WR);
  while (turn()) {
  }
  ::close(pair[1]);
  if (!connections.empty()) return "the connection stays open";
  return fault_of(answers);
}

}  // namespace ampere
