#include "serve/request_parser.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <utility>

namespace ampere {
namespace {

namespace http = boost::beast::http;
using ErrorCodeOfBoost = boost::beast::error_code;
using boost::beast::string_view;

// "HTTP/2.0" at the end of the first line: another version, where "HTTP/x" is nonsense.
bool names_version(std::string_view bytes) {
  std::string_view line = bytes.substr(0, bytes.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() < 8) return false;
  const std::string_view version = line.substr(line.size() - 8);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return version.starts_with("HTTP/") && is_digit(version[5]) && version[6] == '.' &&
         is_digit(version[7]) && version != "HTTP/1.0" && version != "HTTP/1.1";
}

HttpRefusal refusal_for(const ErrorCodeOfBoost& error, std::string_view bytes) {
  switch (static_cast<http::error>(error.value())) {
    case http::error::header_limit:
      return {431, "the head of the request is too long"};
    case http::error::body_limit:
      return {413, "the body is longer than is accepted here"};
    case http::error::bad_version:
      if (names_version(bytes)) return {505, "only HTTP/1.1 and HTTP/1.0 are spoken here"};
      [[fallthrough]];
    case http::error::bad_method:
    case http::error::bad_target:
      return {400, "the request line is malformed"};
    case http::error::bad_content_length:
    case http::error::multiple_content_length:
    case http::error::bad_transfer_encoding:
      return {400, "Content-Length and Transfer-Encoding are malformed or contradict each other"};
    case http::error::bad_chunk:
    case http::error::bad_chunk_extension:
      return {400, "a chunk of the body is malformed"};
    default:
      return {400, "a header field is malformed"};
  }
}

}  // namespace

// Beast calls the functions named on_…_impl. Its own parser keeps every field and reserves memory
// for whatever Content-Length promises; this one does neither.
class RequestParser::Reader final : public http::basic_parser<true> {
 public:
  explicit Reader(std::size_t head_limit) : head_limit_(head_limit) {
    header_limit(static_cast<std::uint32_t>(head_limit));
    body_limit(boost::none);  // accept_body sets it
  }

  std::size_t put_bytes(std::string_view bytes) {
    std::size_t used = 0;
    while (used < bytes.size() && (state_ == State::head || state_ == State::body)) {
      const std::string_view rest = bytes.substr(used);
      ErrorCodeOfBoost error;
      const std::size_t taken = put(boost::asio::const_buffer(rest.data(), rest.size()), error);
      used += taken;
      if (state_ == State::head) head_bytes_ += taken;
      if (error == http::error::need_more) {
        check_length(bytes.size() - used);
        break;
      }
      if (error) {
        refuse(comes_twice_ ? HttpRefusal{400, "a header field that may come once came twice"}
                            : refusal_for(error, rest));
      } else if (state_ == State::head && is_header_done()) {
        state_ = State::checked;
      } else if (is_done()) {
        state_ = State::done;
      }
    }
    return used;
  }

  void accept(std::size_t limit) {
    if (head_.content_length && *head_.content_length > limit)
      return refuse(refusal_for(http::make_error_code(http::error::body_limit), {}));
    body_limit(limit);
    eager(true);
    state_ = is_done() ? State::done : State::body;
  }

  State state_ = State::head;
  HttpRefusal refusal_;
  RequestHead head_;
  std::string body_;

 private:
  void refuse(const HttpRefusal& refusal) {
    refusal_ = refusal;
    state_ = State::refused;
  }

  // Beast limits only what it has not used yet, so a head that comes field by field could go on
  // for ever, and so could the extension of a chunk.
  void check_length(std::size_t unused) {
    if (state_ == State::head && head_bytes_ + unused >= head_limit_)
      refuse(refusal_for(http::make_error_code(http::error::header_limit), {}));
    if (state_ == State::body && unused >= head_limit_)
      refuse(refusal_for(http::make_error_code(http::error::bad_chunk), {}));
  }

  // Where a field is kept; nowhere when it does not matter here.
  std::optional<std::string>* place_of(http::field name) {
    switch (name) {
      case http::field::host:
        return &head_.host;
      case http::field::authorization:
        return &head_.authorization;
      case http::field::origin:
        return &head_.origin;
      case http::field::sec_fetch_site:
        return &head_.fetch_site;
      case http::field::content_type:
        return &head_.content_type;
      case http::field::content_length:
        return &length_;
      case http::field::transfer_encoding:
        return &head_.transfer_encoding;
      case http::field::expect:
        return &head_.expect;
      default:
        return nullptr;
    }
  }

  void on_request_impl(http::verb, string_view method, string_view target, int version,
                       ErrorCodeOfBoost&) override {
    head_.method = std::string(method);
    head_.target = std::string(target);
    head_.is_1_1 = version == 11;
  }

  // A second field of the same name would let two programs read two requests from the same bytes.
  void on_field_impl(http::field name, string_view, string_view value,
                     ErrorCodeOfBoost& error) override {
    if (is_header_done()) return;  // a trailer after the last chunk says nothing of the head
    std::optional<std::string>* place = place_of(name);
    if (place == nullptr) return;
    if (*place || (place == &length_ && value.find(',') != string_view::npos)) {
      comes_twice_ = true;
      error = http::error::bad_field;
    }
    *place = std::string(value);
  }

  void on_header_impl(ErrorCodeOfBoost&) override {
    head_.keep_alive = keep_alive();
    if (const auto length = content_length()) head_.content_length = *length;
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCodeOfBoost&) override {}
  std::size_t on_body_impl(string_view bytes, ErrorCodeOfBoost&) override {
    body_.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_chunk_header_impl(std::uint64_t, string_view, ErrorCodeOfBoost&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, ErrorCodeOfBoost& e) override {
    return on_body_impl(bytes, e);
  }
  void on_response_impl(int, string_view, int, ErrorCodeOfBoost&) override {}
  void on_finish_impl(ErrorCodeOfBoost&) override {}

  std::size_t head_limit_;
  std::size_t head_bytes_ = 0;
  std::optional<std::string> length_;
  bool comes_twice_ = false;
};

RequestParser::RequestParser(std::size_t head_limit)
    : reader_(std::make_unique<Reader>(head_limit)) {}
RequestParser::~RequestParser() = default;
RequestParser::RequestParser(RequestParser&&) noexcept = default;
RequestParser& RequestParser::operator=(RequestParser&&) noexcept = default;

std::size_t RequestParser::put(std::string_view bytes) { return reader_->put_bytes(bytes); }
void RequestParser::accept_body(std::size_t limit) { reader_->accept(limit); }
RequestParser::State RequestParser::state() const { return reader_->state_; }
const HttpRefusal& RequestParser::refusal() const { return reader_->refusal_; }
const RequestHead& RequestParser::head() const { return reader_->head_; }
std::string& RequestParser::body() { return reader_->body_; }
bool RequestParser::has_body() const {
  return head().content_length.value_or(0) > 0 || head().transfer_encoding.has_value();
}

}  // namespace ampere
