// What a server counts of its connections and requests.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ampere {

struct HttpCounts {
  std::uint64_t connections = 0;  // accepted since the start
  std::uint64_t turned_away = 0;  // of them, those over the limit
  std::uint64_t requests = 0;     // that the handler answered
  std::uint64_t refused = 0;      // requests that the transport refused by itself
  std::uint64_t timed_out = 0;    // connections that were too slow: 408, or closed while writing
  std::size_t open = 0;           // connections now
  std::size_t streams = 0;        // of them, streams of events
  std::size_t waiting = 0;        // requests that wait for a worker now
};

// The same while it is counted, read by any thread.
struct HttpCounters {
  std::atomic<std::uint64_t> connections = 0, turned_away = 0, requests = 0, refused = 0,
                             timed_out = 0;
  std::atomic<std::size_t> open = 0, streams = 0;
};

}  // namespace ampere
