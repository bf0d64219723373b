#include "serve/metrics.h"

#include <fmt/format.h>

#include <algorithm>

namespace ampere {
namespace {

// A label's value is quoted; names of devices and meters may hold anything.
std::string quoted(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  return text + '"';
}

void add_head(std::string& text, const char* name, const char* type, const char* help) {
  text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

}  // namespace

void RequestMetrics::count(const std::string& route, int status, Seconds taken) {
  const auto bucket = std::ranges::lower_bound(kBounds, taken.count()) - kBounds.begin();
  const std::lock_guard lock(mutex_);
  ++requests_[{route, status}];
  ++buckets_[static_cast<std::size_t>(bucket)];
  seconds_ += taken.count();
}

void RequestMetrics::add_text(std::string& text) const {
  const std::lock_guard lock(mutex_);
  add_head(text, "ampere_requests_total", "counter", "Requests that were answered.");
  for (const auto& [key, number] : requests_)
    text += fmt::format("ampere_requests_total{{route={},status=\"{}\"}} {}\n", quoted(key.first),
                        key.second, number);
  add_head(text, "ampere_request_duration_seconds", "histogram", "Time to make an answer.");
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    sum += buckets_[i];
    text +=
        fmt::format("ampere_request_duration_seconds_bucket{{le=\"{}\"}} {}\n", kBounds[i], sum);
  }
  sum += buckets_.back();
  text += fmt::format("ampere_request_duration_seconds_bucket{{le=\"+Inf\"}} {}\n", sum);
  text += fmt::format("ampere_request_duration_seconds_sum {}\n", seconds_);
  text += fmt::format("ampere_request_duration_seconds_count {}\n", sum);
}

void add_power_text(std::string& text, std::span<const WatchedMeter> meters) {
  const auto labels = [](const WatchedMeter& meter, const WatchedDomain& domain) {
    return fmt::format("{{device={},domain={},source=\"{}\"}}", quoted(meter.name),
                       quoted(domain.name), to_string(meter.source));
  };
  add_head(text, "ampere_energy_joules_total", "counter",
           "Energy of each domain of a meter since the server started.");
  for (const WatchedMeter& meter : meters)
    for (const WatchedDomain& domain : meter.domains)
      text += fmt::format("ampere_energy_joules_total{} {}\n", labels(meter, domain),
                          domain.energy.value);
  add_head(text, "ampere_power_watts", "gauge", "Mean power over about the last second.");
  for (const WatchedMeter& meter : meters)
    for (const WatchedDomain& domain : meter.domains)
      if (domain.power)
        text +=
            fmt::format("ampere_power_watts{} {}\n", labels(meter, domain), domain.power->value);
}

void add_http_text(std::string& text, const HttpCounts& counts) {
  add_head(text, "ampere_connections", "gauge", "Connections that are open.");
  text += fmt::format("ampere_connections {}\n", counts.open);
  add_head(text, "ampere_connections_total", "counter", "Connections that were accepted.");
  text += fmt::format("ampere_connections_total {}\n", counts.connections);
  add_head(text, "ampere_refused_requests_total", "counter",
           "Requests that were refused before they reached the API.");
  text += fmt::format("ampere_refused_requests_total {}\n", counts.refused);
}

void add_checks_text(std::string& text, std::span<const CheckedProfile> profiles) {
  add_head(
      text, "ampere_estimate_error_ratio", "gauge",
      "Measured over estimated energy of the networks that were run to check a profile, less 1.");
  for (const CheckedProfile& profile : profiles)
    text +=
        fmt::format("ampere_estimate_error_ratio{{profile={},device={},source=\"{}\"}} {}\n",
                    quoted(profile.profile), quoted(profile.device), profile.source, profile.error);
}

}  // namespace ampere
