// Energy and power of the meters of this machine, read once per second by a thread of its own, so
// that no request waits for a meter.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "ampere/meter.h"

namespace ampere {

struct WatchedDomain {
  std::string name;
  Joules energy{};             // since the server has been watching
  std::optional<Watts> power;  // over the last second or more; absent before there are two readings
};

struct WatchedMeter {
  std::string name;
  Source source = Source::measured;
  std::string reason;  // why nothing is read; empty where it is
  std::vector<WatchedDomain> domains;
};

class PowerWatch {
 public:
  // Watches these meters, or all that are available where none is named. One that cannot be opened
  // is listed with its reason.
  explicit PowerWatch(const std::vector<std::string>& meters);
  ~PowerWatch();
  PowerWatch(const PowerWatch&) = delete;
  PowerWatch& operator=(const PowerWatch&) = delete;

  std::vector<WatchedMeter> now() const;

 private:
  struct Watched;
  void run();
  void read(Watched& watched);

  mutable std::mutex mutex_;
  std::condition_variable ends_;
  bool ending_ = false;
  std::vector<std::unique_ptr<Watched>> meters_;
  std::thread thread_;
};

}  // namespace ampere
