// One request, read from the bytes of a connection as they arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ampere {

// Why a request is not answered. The reason is a constant and repeats nothing of the request.
struct HttpRefusal {
  int status = 400;
  std::string_view reason;
};

// The fields that the server looks at. None of them came twice.
struct RequestHead {
  std::string method;
  std::string target;
  bool is_1_1 = false;      // else HTTP/1.0
  bool keep_alive = false;  // as the client wishes
  std::optional<std::string> host, authorization, origin, fetch_site;
  std::optional<std::string> content_type, transfer_encoding, expect;
  std::optional<std::uint64_t> content_length;
};

class RequestParser {
 public:
  enum class State {
    head,     // more bytes of the head are needed
    checked,  // the head is complete, and accept_body has not been called
    body,     // more bytes of the body are needed
    done,     // the request is complete
    refused,  // it is malformed or too long: no later byte can be understood
  };

  explicit RequestParser(std::size_t head_limit);
  ~RequestParser();
  RequestParser(RequestParser&&) noexcept;
  RequestParser& operator=(RequestParser&&) noexcept;

  // Returns how many of the bytes were used. The caller gives the rest again, followed by more.
  // It stops at the end of the head, and at the end of the request.
  std::size_t put(std::string_view bytes);
  // Goes on to the body, which may have this many bytes. In state checked only.
  void accept_body(std::size_t limit);

  State state() const;
  const HttpRefusal& refusal() const;  // in state refused
  const RequestHead& head() const;     // complete from state checked on
  bool has_body() const;               // from state checked on
  std::string& body();

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace ampere
