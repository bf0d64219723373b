#include "serve/event_queue.h"

#include <utility>

namespace ampere {

void EventQueue::put(ServerEvent event) {
  std::unique_lock lock(mutex_);
  if (closed_) return;
  waiting_.push_back(std::move(event));
  tell(std::move(lock));
}

void EventQueue::replace(ServerEvent event) {
  std::unique_lock lock(mutex_);
  if (closed_) return;
  if (!waiting_.empty() && waiting_.back().name == event.name)
    waiting_.back() = std::move(event);
  else
    waiting_.push_back(std::move(event));
  tell(std::move(lock));
}

void EventQueue::close() {
  std::unique_lock lock(mutex_);
  closed_ = true;
  tell(std::move(lock));
}

std::optional<ServerEvent> EventQueue::take() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return std::nullopt;
  ServerEvent event = std::move(waiting_.front());
  waiting_.pop_front();
  return event;
}

bool EventQueue::is_over() const {
  const std::lock_guard lock(mutex_);
  return closed_ && waiting_.empty();
}

void EventQueue::on_news(std::function<void()> listener) {
  std::unique_lock lock(mutex_);
  listener_ = std::move(listener);
  if (closed_ || !waiting_.empty()) tell(std::move(lock));
}

// The listener is called without the lock, since it may take events at once.
void EventQueue::tell(std::unique_lock<std::mutex> lock) {
  const std::function<void()> listener = listener_;
  lock.unlock();
  if (listener) listener();
}

}  // namespace ampere
