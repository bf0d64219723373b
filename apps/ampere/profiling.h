// Profiling with progress on the terminal, for the verbs that profile.
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

// Ends the line of a summary: empty, or how to continue after the time limit.
const char* limit_text(bool stopped);

// How much is measured for the dual method.
struct DualOptions {
  int timings = DualProfileOptions{}.timings, networks = DualProfileOptions{}.networks;
  std::string networks_option = "--networks";  // what `networks` was given by, for messages
};
// Where --networks counts other networks too, those of the profile are --profile-networks.
enum class OtherNetworks { no, yes };
void add_dual_options(CLI::App& command, DualOptions& options, OtherNetworks others);

// The options of a dual profile; the precision is its own unless it was given. Throws Error(usage).
DualProfileOptions dual_profile_options(const MeasuringOptions& measuring,
                                        const DualOptions& options = {});

// Random versions of each MODEL in turn; those of a zoo family differ in depth as well.
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

// Measures what the store lacks for estimating these MODELs by this method or, without a method, by
// the best one that the rig supports.
void profile_for_method(const std::string& method, std::span<const std::string> specs,
                        std::span<const Model> models, Rig& rig, const std::string& rig_name,
                        Store& store, const Setup& setup, const MeasuringOptions& measuring);

}  // namespace ampere
