#include "serve/http_server.h"

#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <optional>
#include <thread>
#include <utility>

#include "serve/http_connections.h"
#include "serve/open_listener.h"
#include "serve/work_queue.h"

namespace ampere {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Time = HttpOptions::Time;

constexpr int kAcceptedAtOnce = 64;       // so that new connections do not keep others waiting
constexpr std::size_t kOtherFiles = 256;  // of this process, beside its connections

// Many systems allow 1024 files at first and more to those who ask.
void allow_files(std::size_t connections) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::min<rlim_t>(connections + kOtherFiles, limit.rlim_max);
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::size_t worker_count(const HttpOptions& options) {
  if (options.workers > 0) return options.workers;
  return std::max<std::size_t>(std::thread::hardware_concurrency(), 2);
}

// How often limits of time are looked at.
Time tick_of(const HttpOptions& o) {
  const Time shortest = std::min({o.head_time, o.body_time, o.write_time, o.idle_time,
                                  o.linger_time, o.event_interval, o.grace_time});
  return std::clamp(shortest / 4, Time(1), Time(100));
}

}  // namespace

class HttpServer::Impl {
 public:
  Impl(HttpOptions options, HttpHandler& handler)
      : options_(std::move(options)),
        connections_({io_, options_, handler, work_, counters_}),
        work_(worker_count(options_), options_.waiting),
        listener_(*io_),
        timer_(*io_),
        tick_(tick_of(options_)) {
    const int socket = open_listener({options_.address, options_.port});
    port_ = port_of(socket);
    listener_.assign(asio::ip::tcp::v4(), socket);
    allow_files(options_.connections);
  }

  void run(StopToken stop) {
    stop_ = stop;
    accept();
    wait();
    io_->run();
    work_.end();
    // Answers that came too late are dropped, and the queues of their events closed.
    io_->restart();
    io_->poll();
  }

  HttpCounts counts() const {
    return {counters_.connections, counters_.turned_away, counters_.requests, counters_.refused,
            counters_.timed_out,   counters_.open,        counters_.streams,  work_.waiting()};
  }
  std::uint16_t port() const { return port_; }

 private:
  void accept() {
    accepting_ = true;
    listener_.async_wait(Listener::wait_read, [this](const error_code& error) {
      accepting_ = false;
      if (!error) accept_some();
    });
  }

  // When this process has too many open files, the next tick tries again.
  void accept_some() {
    for (int i = 0; i < kAcceptedAtOnce; ++i) {
      const int socket = ::accept4(listener_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC);
      if (socket >= 0)
        connections_.add(socket);
      else if (errno == EAGAIN)
        break;
      else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
        return;
    }
    accept();
  }

  void wait() {
    timer_.expires_after(tick_);
    timer_.async_wait([this](const error_code&) { tick(); });
  }

  void tick() {
    connections_.sweep();
    if (!grace_end_ && stop_.stop_requested()) {
      listener_.close();
      connections_.stop();
      grace_end_ = Clock::now() + options_.grace_time;
    }
    if (grace_end_ && (connections_.empty() || Clock::now() > *grace_end_)) {
      connections_.close_all();
      return io_->stop();
    }
    if (!grace_end_ && !accepting_) accept();
    wait();
  }

  using Listener = asio::basic_socket_acceptor<asio::ip::tcp, asio::io_context::executor_type>;

  const HttpOptions options_;
  HttpCounters counters_;
  std::shared_ptr<asio::io_context> io_ = std::make_shared<asio::io_context>(1);
  HttpConnections connections_;
  WorkQueue work_;  // ends before the connections do, whose requests it answers
  Listener listener_;
  asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, asio::io_context::executor_type>
      timer_;
  const Time tick_;
  std::uint16_t port_ = 0;
  StopToken stop_;
  bool accepting_ = false;
  std::optional<Clock::time_point> grace_end_;
};

HttpServer::HttpServer(HttpOptions options, HttpHandler& handler)
    : impl_(std::make_unique<Impl>(std::move(options), handler)) {}
HttpServer::~HttpServer() = default;
std::uint16_t HttpServer::port() const { return impl_->port(); }
HttpCounts HttpServer::counts() const { return impl_->counts(); }
void HttpServer::run(StopToken stop) { impl_->run(stop); }

}  // namespace ampere
