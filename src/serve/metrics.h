// What operators scrape, in the text format of Prometheus. No label takes a value that a client
// chooses.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "ampere/units.h"
#include "serve/http_counts.h"
#include "serve/power_watch.h"

namespace ampere {

// Safe to use from several threads.
class RequestMetrics {
 public:
  void count(const std::string& route, int status, Seconds taken);
  void add_text(std::string& text) const;

 private:
  static constexpr std::array kBounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                      0.1,    0.25,  0.5,    1.0,   2.5,  5.0,   10.0};
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::array<std::uint64_t, kBounds.size() + 1> buckets_{};  // the last one is for longer ones
  double seconds_ = 0;
};

void add_power_text(std::string& text, std::span<const WatchedMeter> meters);
void add_http_text(std::string& text, const HttpCounts& counts);

// How far networks that were measured to check a profile are from their estimates.
struct CheckedProfile {
  std::string profile, device, source;
  double error = 0;  // measured over estimated energy, less 1
};
void add_checks_text(std::string& text, std::span<const CheckedProfile> profiles);

}  // namespace ampere
