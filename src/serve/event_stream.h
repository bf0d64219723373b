// The events of one queue as the bytes of one connection.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "serve/event_queue.h"

namespace ampere {

// Closes the queue and drops what waits in it. Whoever makes the events learns from it that nobody
// reads them.
void abandon(EventQueue& events);

class EventStream {
 public:
  // `wake` is called by the thread that makes an event when `next` has something new, once until
  // `next` is called. It may be called once more while the stream is destroyed.
  EventStream(std::shared_ptr<EventQueue> events, bool is_chunked, std::function<void()> wake);
  ~EventStream() { abandon(*events_); }
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  // All events that wait, or some of very many. Nothing while there are none.
  std::optional<std::string> next();
  bool is_over() const { return is_over_; }  // what `next` returned is the last
  std::string comment() const;               // says nothing, and shows whether the client is there
  void close() { events_->close(); }         // after what waits, nothing follows

 private:
  std::string framed(std::string text) const;

  const std::shared_ptr<EventQueue> events_;
  const bool is_chunked_;
  bool is_over_ = false;
  std::shared_ptr<std::atomic<bool>> has_news_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace ampere
