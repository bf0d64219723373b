#include "serve/client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <stdexcept>

namespace ampere {
namespace {

constexpr int kPatienceMs = 10'000;

void wait_for(int socket, short events) {
  pollfd poll{socket, events, 0};
  if (::poll(&poll, 1, kPatienceMs) != 1) throw std::runtime_error("the server does nothing");
}

}  // namespace

Client::Client(std::uint16_t port, bool is_v6)
    : socket_(::socket(is_v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in v4{AF_INET, htons(port), {htonl(INADDR_LOOPBACK)}, {}};
  sockaddr_in6 v6{AF_INET6, htons(port), 0, IN6ADDR_LOOPBACK_INIT, 0};
  auto* address = is_v6 ? reinterpret_cast<sockaddr*>(&v6) : reinterpret_cast<sockaddr*>(&v4);
  if (::connect(socket_, address, is_v6 ? sizeof v6 : sizeof v4) != 0)
    throw std::runtime_error("cannot connect");
}

Client::~Client() {
  if (socket_ >= 0) ::close(socket_);
}

void Client::send(std::string_view bytes) {
  while (!bytes.empty()) {
    wait_for(socket_, POLLOUT);
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) throw std::runtime_error("cannot send");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void Client::send_what_is_taken(std::string_view bytes) {
  try {
    send(bytes);
  } catch (const std::runtime_error&) {
  }
}

void Client::end_sending() { ::shutdown(socket_, SHUT_WR); }

void Client::reset() {
  const linger at_once{1, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(socket_);
  socket_ = -1;
}

bool Client::receive() {
  wait_for(socket_, POLLIN);
  char bytes[65'536];
  const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
  if (count <= 0) return false;
  received_.append(bytes, static_cast<std::size_t>(count));
  return true;
}

std::string Client::read_line() {
  std::size_t end = 0;
  while ((end = received_.find('\n')) == std::string::npos)
    if (!receive()) throw std::runtime_error("the server closed the connection");
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

Answer Client::read_answer(bool has_body) {
  Answer answer;
  const std::string first = read_line();
  if (!first.starts_with("HTTP/1.1 ")) throw std::runtime_error("not an answer: " + first);
  answer.status = std::stoi(first.substr(9));
  for (std::string line = read_line(); !line.empty(); line = read_line()) {
    std::string name = line.substr(0, line.find(": "));
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    answer.headers[name] = line.substr(name.size() + 2);
  }
  const auto length = answer.headers.find("content-length");
  if (!has_body || length == answer.headers.end()) return answer;
  const std::size_t bytes = std::stoul(length->second);
  while (received_.size() < bytes)
    if (!receive()) throw std::runtime_error("the body is cut");
  answer.body = received_.substr(0, bytes);
  received_.erase(0, bytes);
  return answer;
}

std::string Client::read_all() {
  while (receive()) {
  }
  return std::exchange(received_, "");
}

bool Client::is_closed() { return received_.empty() && !receive(); }

TestServer::TestServer(const std::function<void(HttpOptions&)>& change) {
  HttpOptions options;
  options.port = 0;
  options.workers = 2;
  options.linger_time = HttpOptions::Time(100);
  if (change) change(options);
  server_ = std::make_unique<HttpServer>(options, handler);
  thread_ = std::jthread([this] { server_->run(StopToken(stop_)); });
}

TestServer::~TestServer() {
  handler.release();
  request_stop();
  wait();
}

void TestServer::wait() {
  if (thread_.joinable()) thread_.join();
}

Answer TestServer::ask(std::string_view bytes) const {
  Client client(port());
  client.send_what_is_taken(bytes);
  return client.read_answer(!bytes.starts_with("HEAD"));
}

void TestServer::wait_until(const std::function<bool(const HttpCounts&)>& is_so) const {
  for (int i = 0; i < kPatienceMs; ++i) {
    if (is_so(counts())) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  throw std::runtime_error("the server does not count so");
}

std::string get(std::string_view path, std::string_view fields) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(fields) +
         "\r\n";
}

}  // namespace ampere
