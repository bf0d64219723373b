#include "serve/work_queue.h"

#include <algorithm>
#include <utility>

namespace ampere {

WorkQueue::WorkQueue(std::size_t workers, std::size_t most_waiting) : most_waiting_(most_waiting) {
  free_ = std::max<std::size_t>(workers, 1);
  for (std::size_t i = 0; i < std::max<std::size_t>(workers, 1); ++i)
    workers_.emplace_back([this] { work(); });
}

void WorkQueue::end() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    tasks_.clear();
  }
  news_.notify_all();
  workers_.clear();  // joins them
}

bool WorkQueue::push(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  if (tasks_.size() >= free_ + most_waiting_) return false;
  tasks_.push_back(std::move(task));
  news_.notify_one();
  return true;
}

std::size_t WorkQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size();
}

void WorkQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    news_.wait(lock, [&] { return ending_ || !tasks_.empty(); });
    if (ending_) return;
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    --free_;
    lock.unlock();
    task();
    lock.lock();
    ++free_;
  }
}

}  // namespace ampere
