// What closed windows used, summed by path.
#pragma once

#include <map>

#include "ampere/energy_log.h"

namespace ampere {

class WindowSums {
 public:
  void see(const std::string& path);  // its place in the order is from its first time
  void add(const std::string& path, Seconds time, const std::vector<Joules>& energy);
  void add_unknown(const std::string& path, Seconds time, const std::string& reason);

  std::vector<PathUsage> results(const MeterInfo& info) const;

 private:
  struct Sum {
    std::int64_t windows = 0, unknown = 0;
    Seconds time{};
    std::vector<Joules> energy;
    std::string reason;  // of the first unknown one
  };

  static PathUsage result(const MeterInfo& info, const std::string& path, const Sum& sum);

  std::map<std::string, Sum> sums_;
  std::vector<std::string> order_;
};

// Throws Error(failed) where the windows are too short for the meter: it counts energy between its
// steps, not where between them it went.
Usage used_in_windows(const MeterInfo& info, Seconds time, const std::vector<Joules>& energy,
                      std::int64_t windows);

}  // namespace ampere
