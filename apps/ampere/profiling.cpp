#include "profiling.h"

#include <fmt/format.h>

#include "print.h"

namespace ampere {

void show_kind(ProgressLine& line, const KindProgress& now) {
  line.show(fmt::format("[{}/{}] {}: {} of at most {} points{}, uncertainty {}, at most {} left",
                        now.index + 1, now.kinds, now.title, now.points, now.limit,
                        now.failures > 0 ? fmt::format(" ({} failed)", now.failures) : "",
                        now.uncertainty ? percent(*now.uncertainty) : "unknown",
                        duration(now.left.count())));
  if (now.finished) line.keep();
}

ProfileSummary profile_with_progress(std::span<const Model> models, Rig& rig,
                                     const std::string& rig_name, Store& store, const Setup& setup,
                                     const ProfileOptions& options) {
  ProgressLine line;
  const auto show = [&](const KindProgress& now) { show_kind(line, now); };
  ProfileSummary summary =
      run_profile(plan_profile(models), rig, rig_name, store, setup, options, show);
  for (const std::string& warning : summary.warnings)
    fmt::print(stderr, "ampere: warning: {}\n", warning);
  return summary;
}

}  // namespace ampere
