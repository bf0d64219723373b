// Running a profile with its progress on the terminal, for the verbs that profile.
#pragma once

#include <span>

#include "method/ampere/profile.h"
#include "method/ampere/test_points.h"
#include "method/dual/dual_profile.h"
#include "options.h"
#include "progress.h"

namespace ampere {

// One line of a profile's progress.
void show_kind(ProgressLine& line, const KindProgress& now);

void show_dual(ProgressLine& line, const DualProgress& now);

// What stands behind a summary: nothing, or how to go on.
const char* limit_text(bool stopped);

struct DualOptions {
  int timings = DualProfileOptions{}.timings, windows = DualProfileOptions{}.networks;
};
void add_dual_options(CLI::App& command, DualOptions& options);

// As precise as asked where that was asked, else the dual profile's own. Throws Error(usage).
DualProfileOptions dual_wishes(const PrecisionOptions& precision, const DualOptions& options = {});

// Random versions of each MODEL, by turns: of a family of the zoo at its depths too.
DualTask dual_task(std::span<const std::string> specs, std::span<const Model> models);

ProfileSummary profile_with_progress(std::span<const Model> models, Rig& rig,
                                     const std::string& rig_name, Store& store, const Setup& setup,
                                     const ProfileOptions& options);
ProfileSummary tests_with_progress(std::span<const PlannedKind> plan, Rig& rig,
                                   const std::string& rig_name, Store& store, const Setup& setup,
                                   const ProfileOptions& options, const TestWish& wish);
DualSummary dual_profile_with_progress(const DualTask& task, Rig& rig, const std::string& rig_name,
                                       Store& store, const Setup& setup,
                                       const DualProfileOptions& options);

// What an estimate of these MODELs by this method needs and the store does not have; without a
// method, by the best that the rig can serve.
void profile_for_method(const std::string& method, std::span<const std::string> specs,
                        std::span<const Model> models, Rig& rig, const std::string& rig_name,
                        Store& store, const Setup& setup, const PrecisionOptions& precision);

}  // namespace ampere
