// Where the server listens, who may ask, and every limit with its default.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "serve/listen_address.h"

namespace ampere {

struct HttpOptions {
  std::string address = "127.0.0.1";  // numeric
  std::uint16_t port = kDefaultPort;  // 0: any free one
  std::string token = {};             // empty: none is needed

  std::size_t workers = 0;          // threads that answer; 0: as many as cores, at least 2
  std::size_t waiting = 256;        // requests that wait for a worker; the next one gets 503
  std::size_t connections = 1024;   // the next one gets 503 and is closed
  std::size_t head_bytes = 16'384;  // request line and header fields together; more gets 431
  std::size_t body_memory = std::size_t{256} << 20;  // all bodies together; more gets 503

  using Time = std::chrono::milliseconds;
  Time head_time{10'000};   // from the first byte of a request to the end of its head; then 408
  Time body_time{60'000};   // for the body; then 408
  Time write_time{30'000};  // for the answer; then the connection is closed
  // Every byte that arrives or leaves adds 1/rate seconds to body_time and write_time, which start
  // anew at most: who does nothing for that long, or is slower on average, is too slow.
  std::size_t bytes_per_second = 16'384;
  Time idle_time{60'000};       // between two requests; then the connection is closed
  Time linger_time{1'000};      // for the client to read the last answer and to close
  Time event_interval{15'000};  // a stream without events sends a comment, to notice a lost client
  Time grace_time{10'000};      // for what is running when the server is stopped
};

}  // namespace ampere
