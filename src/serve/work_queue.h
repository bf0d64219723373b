// Threads that run tasks in the order in which they came, and how many tasks may wait for one.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ampere {

class WorkQueue {
 public:
  // At least one worker.
  WorkQueue(std::size_t workers, std::size_t most_waiting);
  ~WorkQueue() { end(); }
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // False, without the task, when all workers are busy and as many wait as may. Tasks must not
  // throw.
  bool push(std::function<void()> task);
  std::size_t waiting() const;
  // Drops what waits, and returns when what runs has ended. Nothing may be pushed after it.
  void end();

 private:
  void work();

  const std::size_t most_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::deque<std::function<void()>> tasks_;
  std::size_t free_ = 0;  // workers that wait for a task
  bool ending_ = false;
  std::vector<std::jthread> workers_;
};

}  // namespace ampere
