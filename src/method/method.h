// One way to estimate. A method plans what to measure, turns what a profile holds into an
// estimator, and says what its pages need. Each lives in a folder of its own; registry.h lists
// them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/profiling.h"
#include "ampere/progress.h"
#include "ampere/rig.h"
#include "ampere/store.h"
#include "method/suggestions.h"
#include "method/window_shelf.h"

namespace ampere {

// What a profile shall be able to answer for: these networks and all their narrower versions.
// `drawn` are such versions at random, and shallower ones where a family has them.
struct ProfileTask {
  std::vector<Model> originals, drawn;
};

// A profile that is being filled: everything a plan may look at.
struct ProfileBench {
  Rig& rig;
  Store& store;
  std::int64_t profile = 0;
  Setup setup;
};

// A profile that is full for now: everything that fitting it needs.
struct FitBench {
  Store& store;
  std::int64_t profile = 0;
  Setup setup;
  StopToken stop;
  Listener& listener;
};

// The speed of the host while a profile was taken, by a reference network that was run beside the
// others, and the power of the device while it does nothing.
struct UsualHost {
  Model reference;
  double reference_s = 0;        // one iteration of it, on average
  std::vector<double> latest_s;  // the last few, the latest last
  double ready_w = 0;
};

class Method {
 public:
  virtual ~Method() = default;
  virtual const std::string& name() const = 0;
  virtual const std::string& description() const = 0;
  virtual bool serves(Phase phase) const = 0;  // training, or inference
  // Whether it is what people use today instead of profiling: when methods are compared, it gets as
  // many seconds of measuring as the profile took.
  virtual bool is_baseline() const { return false; }

  // Whether the profile holds what load() needs.
  virtual bool answers(const Store& store, const ProfileRow& profile) const = 0;

  // From what the profile holds; only what `network` needs is read when one is given. Networks in
  // `without` (by hash) must have no part in it: they are tests. Throws Error(unknown) that says
  // what is missing.
  virtual std::unique_ptr<Estimator> load(const Store& store, const ProfileRow& profile,
                                          const Model* network = nullptr,
                                          const std::set<std::string>& without = {}) const = 0;

  // What load() rests on, and what of it the method measured for itself.
  virtual MeasuringCost cost(const Store& store, const ProfileRow& profile,
                             const ProfileTask& task) const = 0;
  virtual MeasuringCost own_cost(const Store& store, const ProfileRow& profile,
                                 const ProfileTask& task) const {
    return cost(store, profile, task);
  }

  // What of the options and of the profile makes two evaluations by this method different ones, as
  // a part of their name; empty where nothing does.
  virtual std::string evaluation_label(const ProfileOptions& options, const Store& store,
                                       std::int64_t profile) const;

  // False where the method rests on what was measured for a device once, not for each task; then
  // there is no plan().
  virtual bool has_plan() const { return true; }

  // What is still to be measured for the task. Throws Error(usage) where the rig lacks an ability.
  virtual std::unique_ptr<Suggestions> plan(const ProfileTask& task, const ProfileOptions& options,
                                            const ProfileBench& bench) const = 0;

  // Measurements beside the plan that nothing is fitted to, so that they test what is; nothing
  // where none were asked for. Throws Error(usage) where the method cannot be tested so.
  virtual std::unique_ptr<Suggestions> tests(const ProfileTask& task, const ProfileOptions& options,
                                             const ProfileBench& bench) const;

  // What tests() measured says of the fits, for the task's kinds.
  virtual std::vector<TestedKind> tested(const Store& store, std::int64_t profile,
                                         const ProfileTask& task) const;

  // The same, counted: what plan() and tests() would suggest at most. Without a profile everything
  // is missing.
  virtual ProfilePreview preview(const ProfileTask& task, const ProfileOptions& options, Rig& rig,
                                 const Store& store, std::optional<std::int64_t> profile,
                                 const Setup& setup) const;

  // Fits what the profile holds now and stores it, after the plan for this task was run or a
  // network was added; what has not changed is left as it is. Adds what it noticed to the summary.
  // Throws Error(interrupted) when asked to stop.
  virtual void conclude(const FitBench& bench, const ProfileTask& task,
                        ProfileSummary& summary) const;

  // What conclude() found when it left networks out of the fit that the profile has now; nothing
  // where it did not.
  virtual std::optional<CrossValidation> cross_validation(const Store& store,
                                                          const ProfileRow& profile) const;

  // What is worth measuring of this network alone before it is estimated, or learnt from; nothing
  // where that is unknown to the method. After the plan was run, remember() makes it part of what
  // load() reads.
  virtual std::unique_ptr<Suggestions> refinement(const Model& network,
                                                  const ProfileBench& bench) const;
  virtual void remember(Store& store, std::int64_t profile, const Model& network) const;

  // The host as it was while the profile was taken for this task. Nothing where it is not known.
  virtual std::optional<UsualHost> usual_host(const Store& store, std::int64_t profile,
                                              const ProfileTask& task) const;

  // What a page shows of the profile: what was measured, and what was fitted to it. Null where the
  // method has nothing to show. The raw windows are put on the shelf.
  virtual Json page(const Store& store, const ProfileRow& profile, WindowShelf& windows) const;

  // How many times as long as while it was profiled the host takes now; some seconds on the rig.
  // Nothing where the method does not know a host, or the profile no pace of it.
  virtual std::optional<double> host_slowdown(const ProfileBench& bench, StopToken stop) const;
};

}  // namespace ampere
