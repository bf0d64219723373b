// Server-sent events on their way from whoever makes them to one connection.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace ampere {

struct ServerEvent {
  std::string name;  // "progress"
  std::string data;  // one line of JSON
};

// Safe to use from several threads. An event named like the last one that still waits replaces it
// when it was put with `replace`: a slow reader sees fewer steps of a progress, and memory is
// bounded.
class EventQueue {
 public:
  void put(ServerEvent event);
  void replace(ServerEvent event);
  void close();  // after what waits, nothing follows

  std::optional<ServerEvent> take();  // nothing while none waits
  bool is_over() const;               // closed, and everything was taken

  // Called, from the thread that puts or closes, whenever there is something new; at once when
  // there is already. An empty function ends it.
  void on_news(std::function<void()> listener);

 private:
  void tell(std::unique_lock<std::mutex> lock);

  mutable std::mutex mutex_;
  std::deque<ServerEvent> waiting_;
  bool closed_ = false;
  std::function<void()> listener_;
};

}  // namespace ampere
