#include "serve/http_connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "serve/event_stream.h"
#include "serve/request_parser.h"
#include "serve/request_rules.h"
#include "serve/response_text.h"

namespace ampere {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Socket = asio::basic_stream_socket<asio::ip::tcp, asio::io_context::executor_type>;

constexpr std::size_t kReadBytes = 4'096;       // at a time, while a head is expected
constexpr std::size_t kReadBodyBytes = 65'536;  // at a time, within a body
constexpr std::string_view kStopping = "the server is stopping";

HttpResponse answer_safely(HttpHandler& handler, const HttpRequest& request) {
  HttpResponse response;
  try {
    response = handler.answer(request);
  } catch (const std::exception&) {
    response = handler.refusal(500, "the request could not be answered");
  }
  if (!has_safe_headers(response))
    response = handler.refusal(500, "the answer has a malformed header field");
  return response;
}

class Connection final : public HttpConnection, public std::enable_shared_from_this<Connection> {
 public:
  Connection(HttpShared& shared, int socket, std::function<void()> closed)
      : shared_(shared),
        socket_(*shared.io, asio::ip::tcp::v4(), socket),
        closed_(std::move(closed)) {}

  void start(bool is_over_limit) override;
  void sweep(Clock::time_point now) override;
  void stop() override;
  void close() override;

 private:
  enum class Stage { idle, head, body, work, answer, stream, linger, closed };

  void read();
  void on_read(const error_code& error, std::size_t bytes);
  void advance();
  bool take_input();
  void begin_body();
  void dispatch();
  void refuse(const HttpRefusal& refusal);
  void respond(HttpResponse response);
  void send(std::string head, std::string body);
  void write();
  void on_write(const error_code& error, std::size_t bytes);
  void finish_answer();
  void open_stream(std::shared_ptr<EventQueue> events);
  void write_events();
  void end_stream();
  void linger();
  void release_body();
  void wait_until(HttpOptions::Time time) { deadline_ = Clock::now() + time; }
  // Progress gives more time, but never more than `time` from now.
  void extend(std::size_t bytes, HttpOptions::Time time) {
    const std::chrono::microseconds more(bytes * 1'000'000 / shared_.options.bytes_per_second);
    deadline_ = std::min(deadline_ + more, Clock::now() + time);
  }
  std::string_view input() const {
    return {static_cast<const char*>(input_.data().data()), input_.size()};
  }

  HttpShared& shared_;
  Socket socket_;
  std::function<void()> closed_;
  Stage stage_ = Stage::idle;
  Clock::time_point deadline_;
  boost::beast::flat_buffer input_;
  bool reading_ = false;
  std::optional<RequestParser> parser_;
  std::size_t body_bytes_ = 0;  // of this connection, counted in shared_.body_bytes
  HttpRequest request_;
  bool is_head_ = false, is_1_1_ = true, closes_ = false;

  std::string out_head_, out_body_;  // of the answer, or of the events that are being written
  std::size_t sent_ = 0;
  std::optional<EventStream> stream_;
  bool writing_events_ = false;
};

void Connection::start(bool is_over_limit) {
  error_code ignored;  // a socket of another kind than TCP has no such option
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket_.non_blocking(true, ignored);
  if (is_over_limit) return refuse({503, "the server has too many connections"});
  wait_until(shared_.options.head_time);
  read();
}

void Connection::read() {
  if (reading_) return;
  reading_ = true;
  const bool is_long = stage_ == Stage::body;
  socket_.async_read_some(input_.prepare(is_long ? kReadBodyBytes : kReadBytes),
                          [self = shared_from_this()](const error_code& error, std::size_t bytes) {
                            self->on_read(error, bytes);
                          });
}

void Connection::on_read(const error_code& error, std::size_t bytes) {
  reading_ = false;
  if (stage_ == Stage::closed) return;
  if (stage_ == Stage::linger || stage_ == Stage::stream) {
    // Whatever still comes is of no interest, except that the client has gone.
    return error ? close() : read();
  }
  input_.commit(bytes);
  if (stage_ == Stage::answer) return;  // the request was refused while it arrived
  if (!error) return advance();
  if (stage_ == Stage::idle || error != asio::error::eof) return close();
  refuse({400, "the connection ended before the request did"});
}

// Goes on with the bytes that have arrived, until more are needed or a request is complete.
void Connection::advance() {
  while (take_input()) {
    switch (parser_->state()) {
      case RequestParser::State::checked:
        begin_body();
        break;
      case RequestParser::State::done:
        return dispatch();
      case RequestParser::State::refused:
        return refuse(parser_->refusal());
      default:
        if (shared_.body_bytes <= shared_.options.body_memory) return read();
        return refuse({503, "the bodies of all requests together need too much memory"});
    }
    if (stage_ != Stage::body) return;
  }
  read();
}

// False when there is nothing to parse.
bool Connection::take_input() {
  if (stage_ == Stage::idle) {
    // Some clients send an empty line after a body.
    while (input().starts_with("\r\n")) input_.consume(2);
    if (input_.size() == 0) return false;
    stage_ = Stage::head;
    wait_until(shared_.options.head_time);
    parser_.emplace(shared_.options.head_bytes);
  }
  if (parser_->state() == RequestParser::State::done) return true;
  if (input_.size() == 0) return false;
  const std::size_t before = parser_->body().size();
  input_.consume(parser_->put(input()));
  const std::size_t added = parser_->body().size() - before;
  body_bytes_ += added;
  shared_.body_bytes += added;
  if (added > 0) extend(added, shared_.options.body_time);
  return true;
}

void Connection::begin_body() {
  const RequestHead& head = parser_->head();
  is_head_ = head.method == "HEAD";
  is_1_1_ = head.is_1_1;
  closes_ = !head.keep_alive || !head.is_1_1;
  const std::optional<HttpRefusal> refusal = refusal_of(head, shared_.options, shared_.handler);
  const auto [path, query] = split_target(head.target);
  const std::string_view method = method_answered(head.method);
  parser_->accept_body(refusal ? 0 : shared_.handler.body_limit(method, path));
  if (refusal) return refuse(*refusal);
  if (parser_->state() == RequestParser::State::refused) return refuse(parser_->refusal());
  stage_ = Stage::body;
  if (parser_->state() == RequestParser::State::done) return;
  wait_until(shared_.options.body_time);
  if (!head.expect || !head.is_1_1 || input_.size() > 0) return;
  // Where it does not fit into the buffer of the socket, the client goes on by itself after a
  // while.
  error_code error;
  const std::size_t sent = socket_.write_some(asio::buffer(kContinue), error);
  if (sent > 0 && sent < kContinue.size()) close();
}

void Connection::dispatch() {
  const RequestHead& head = parser_->head();
  const auto [path, query] = split_target(head.target);
  request_ = {std::string(method_answered(head.method)), std::string(path), std::string(query),
              head.content_type.value_or(""), std::move(parser_->body())};
  stage_ = Stage::work;
  deadline_ = Clock::time_point::max();
  if (shared_.handler.is_quick(request_.method, request_.path)) {
    shared_.counters.requests += 1;
    return respond(answer_safely(shared_.handler, request_));
  }
  // The connection moves from the task to its answer, so that a worker never destroys it.
  const bool accepted = shared_.work.push([self = shared_from_this()]() mutable {
    Connection& connection = *self;
    HttpResponse response = answer_safely(connection.shared_.handler, connection.request_);
    asio::post(connection.socket_.get_executor(),
               [self = std::move(self), response = std::move(response)]() mutable {
                 self->shared_.counters.requests += 1;
                 self->respond(std::move(response));
               });
  });
  if (!accepted) refuse({503, "too many requests wait for an answer"});
}

// The connection goes on only after a request that was understood and has arrived as a whole: else
// it is not known where the next one begins.
void Connection::refuse(const HttpRefusal& refusal) {
  shared_.counters.refused += 1;
  const int status = refusal.status;
  const bool is_understood = status == 401 || status == 403 || status == 421 || status == 503;
  if (!is_understood || !parser_ || parser_->state() != RequestParser::State::done) closes_ = true;
  HttpResponse response = shared_.handler.refusal(status, refusal.reason);
  if (status == 503) response.headers.emplace_back("Retry-After", "1");
  if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"ampere\"");
  respond(std::move(response));
}

void Connection::respond(HttpResponse response) {
  release_body();
  const bool is_read = stage_ != Stage::closed && !is_head_;
  if (response.events && !is_read) abandon(*response.events);
  if (stage_ == Stage::closed) return;
  closes_ = closes_ || shared_.stopping || response.events != nullptr;
  const Framing framing = !response.events ? Framing::length
                          : is_1_1_        ? Framing::chunks
                                           : Framing::close;
  std::string head = response_head(response, framing, closes_);
  const bool has_body = is_read && !response.events && may_have_body(response.status);
  if (response.events && is_read) open_stream(std::move(response.events));
  stage_ = Stage::answer;
  send(std::move(head), has_body ? std::move(response.body) : std::string());
}

void Connection::send(std::string head, std::string body) {
  out_head_ = std::move(head);
  out_body_ = std::move(body);
  sent_ = 0;
  wait_until(shared_.options.write_time);
  write();
}

void Connection::write() {
  const std::size_t of_head = std::min(sent_, out_head_.size());
  const std::array<asio::const_buffer, 2> rest = {asio::buffer(out_head_) + of_head,
                                                  asio::buffer(out_body_) + (sent_ - of_head)};
  socket_.async_write_some(rest,
                           [self = shared_from_this()](const error_code& error, std::size_t bytes) {
                             self->on_write(error, bytes);
                           });
}

void Connection::on_write(const error_code& error, std::size_t bytes) {
  if (stage_ == Stage::closed) return;
  if (error) return close();
  sent_ += bytes;
  extend(bytes, shared_.options.write_time);
  if (sent_ < out_head_.size() + out_body_.size()) return write();
  if (stage_ == Stage::stream) {
    writing_events_ = false;
    wait_until(shared_.options.event_interval);
    write_events();
  } else if (stream_) {
    stage_ = Stage::stream;
    read();  // only to notice that the client has gone
    wait_until(shared_.options.event_interval);
    write_events();
  } else {
    finish_answer();
  }
}

void Connection::finish_answer() {
  out_body_ = {};
  if (closes_) return linger();
  parser_.reset();
  is_head_ = false;
  // A long request must not keep its memory while the connection is idle.
  if (input_.size() == 0 && input_.capacity() > kReadBytes) input_.shrink_to_fit();
  stage_ = Stage::idle;
  if (shared_.stopping) return close();
  wait_until(shared_.options.idle_time);
  advance();
}

// Events may still come from their maker when this connection, and even the server, are gone.
void Connection::open_stream(std::shared_ptr<EventQueue> events) {
  shared_.counters.streams += 1;
  stream_.emplace(std::move(events), is_1_1_, [io = shared_.io, weak = weak_from_this()] {
    asio::post(*io, [weak] {
      if (const auto self = weak.lock()) self->write_events();
    });
  });
  if (shared_.stopping) stream_->close();
}

void Connection::write_events() {
  if (stage_ != Stage::stream || writing_events_) return;
  std::optional<std::string> text = stream_->next();
  if (!text) return;
  writing_events_ = true;
  if (stream_->is_over()) {
    end_stream();
    stage_ = Stage::answer;
  }
  send(std::move(*text), "");
}

void Connection::end_stream() {
  if (!stream_) return;
  stream_.reset();
  shared_.counters.streams -= 1;
}

void Connection::release_body() {
  shared_.body_bytes -= std::exchange(body_bytes_, 0);
  request_ = {};
  if (parser_) parser_->body() = {};
}

// A socket that is closed with unread bytes takes back what it sent last, so the client gets time
// to read the answer and to close first.
void Connection::linger() {
  stage_ = Stage::linger;
  error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  wait_until(shared_.options.linger_time);
  parser_.reset();
  input_.consume(input_.size());
  read();
}

void Connection::close() {
  if (stage_ == Stage::closed) return;
  const auto self = shared_from_this();
  if (stage_ != Stage::work) release_body();  // a worker still reads it
  stage_ = Stage::closed;
  end_stream();
  error_code ignored;
  socket_.close(ignored);
  closed_();
}

void Connection::sweep(Clock::time_point now) {
  if (now < deadline_) return;
  if (stage_ == Stage::stream && !writing_events_) {
    writing_events_ = true;
    return send(stream_->comment(), "");
  }
  if (stage_ == Stage::idle || stage_ == Stage::linger) return close();
  shared_.counters.timed_out += 1;
  if (stage_ == Stage::head) return refuse({408, "the head of the request did not arrive in time"});
  if (stage_ == Stage::body) return refuse({408, "the body of the request did not arrive in time"});
  close();
}

void Connection::stop() {
  if (stage_ == Stage::idle) return close();
  if (stage_ == Stage::head || stage_ == Stage::body) return refuse({503, kStopping});
  if (stream_) stream_->close();
}

}  // namespace

std::shared_ptr<HttpConnection> make_connection(HttpShared& shared, int socket,
                                                std::function<void()> closed) {
  return std::make_shared<Connection>(shared, socket, std::move(closed));
}

}  // namespace ampere
