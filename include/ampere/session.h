// The library's front door: a store and, where something is measured, a rig.
//
//   Session session(open_store("sqlite:ampere.db"));
//   const auto rig = open_rig("local");
//   session.profile({.models = {open_model("cnn5")}}, {*rig, "local"});
//   const Answer answer = session.estimate(open_model("cnn5:8,16,32,64"), {}, {.iterations = 2000});
//   // answer.estimate.energy_j->mean, ->low, ->high
//
// Everything measured is in the store before the next measurement begins, so that any verb goes on
// where it was interrupted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/evaluate.h"
#include "ampere/profiling.h"
#include "ampere/progress.h"
#include "ampere/prune.h"
#include "ampere/store.h"

namespace ampere {

class Campaign;

// An open rig, and the spec it was opened by, which is kept with the profile.
struct NamedRig {
  Rig& rig;
  std::string spec;
};

// Which stored profile answers, and by which method.
struct ProfileQuery {
  Setup setup = {};
  bool any_batch = false;  // takes the latest profile's batch, of inference
  std::string profile = {};  // id, fingerprint or part of the device's name; empty: the latest
  std::string rig = {};      // the spec it was profiled with; empty: any
  std::string method = {};   // empty: the best that covers the network
};

struct ChosenProfile {
  ProfileRow row;
  std::vector<std::string> warnings;  // other devices that would have answered too
};

struct ProfileRequest {
  std::vector<Model> models;  // these and all their narrower versions are to be estimated
  Setup setup = {};
  std::string method = {};  // dual or ampere; empty: the best that the rig can serve
  ProfileOptions options = {};
};

struct Answer {
  std::string method;
  ChosenProfile profile;
  Estimate estimate;
  // How many times as long as while profiling the host takes now, where that is in the estimate.
  std::optional<double> host_slowdown;
};

// Whether methods are fitted to a network that is measured, from then on.
enum class Learning { yes, no };

// An answer beside the truth.
struct Check {
  Measurement measured;
  // Estimate over measurement, less 1, and whether the measurement lies in the interval; absent
  // where there is no estimate.
  std::optional<double> energy_difference, time_difference;
  std::optional<bool> energy_inside, time_inside;
};

// Estimates many networks from one profile.
class Answerer {
 public:
  virtual ~Answerer() = default;
  virtual const ChosenProfile& profile() const = 0;
  virtual Answer answer(const Model& model, const Workload& workload) const = 0;
};

class Session {
 public:
  // The listener, where there is one, and the flag of the token must outlive the session.
  explicit Session(std::unique_ptr<Store> store, StopToken stop = {}, Listener* listener = nullptr);
  ~Session();
  Session(Session&&) noexcept;

  Store& store() { return *store_; }
  const Store& store() const { return *store_; }

  // --- profiles

  // Throws Error(unknown) that says what there is and how to make what is missing.
  ChosenProfile choose(const ProfileQuery& query) const;
  // The same, then the profiles of the same device at other batches. With any_batch the latest
  // profile's batch comes first where none has the asked one.
  std::vector<ChosenProfile> choose_batches(const ProfileQuery& query) const;
  ProfileRow find_profile(const std::string& id) const;  // by id alone
  // By id, fingerprint or a part of the device's name, the latest of them; without a text the
  // latest of training.
  ProfileRow find_any_profile(const std::string& text) const;
  std::optional<std::int64_t> profile_of(const DeviceInfo& device, const Setup& setup) const;
  // The methods that a profile can answer by, the best first.
  std::vector<std::string> methods_of(const ProfileRow& profile) const;

  // Measures what is missing. Throws Error(interrupted) when asked to stop, with everything kept.
  ProfileSummary profile(const ProfileRequest& request, const NamedRig& rig);
  ProfilePreview preview(const ProfileRequest& request, const Rig& rig) const;
  // After profile(): points of each kind that nothing is fitted to, and what they say of the fits.
  struct Tests {
    Summary summary;
    std::vector<TestedKind> kinds;
  };
  Tests test(const ProfileRequest& request, const NamedRig& rig);
  // What the published method knows of each kind. Throws Error(unknown) when that is nothing.
  std::vector<KindPoints> kind_points(const ProfileRow& profile) const;

  // --- estimates

  // Throws Error(unknown) when no profile fits. What the method does not cover is in the answer.
  Answer estimate(const Model& model, const ProfileQuery& query, const Workload& workload) const;
  // From a profile that was chosen before, by this method or by the best that covers the network.
  Answer estimate(const Model& model, const ChosenProfile& profile, const std::string& method,
                  const Workload& workload) const;
  std::unique_ptr<Answerer> answerer(const ProfileQuery& query) const;  // for many networks
  // What the estimate rests on, for whoever needs more than one number of it (judge, what_if).
  std::unique_ptr<Estimator> estimator(const ProfileRow& profile, const std::string& method,
                                       const Model* network = nullptr) const;

  // Times the network's own blocks and the host first, and estimates with that; the network itself
  // never runs. Throws Error(usage) when the rig is not the profile's device.
  Answer refine(const Model& model, const ProfileQuery& query, const Workload& workload,
                const NamedRig& rig);

  // Really trains and measures the network, and keeps the observation. A failure is kept too, then
  // thrown.
  Measurement run(const Model& model, const Setup& setup, const Precision& precision,
                  const NamedRig& rig, Learning learning);

  // The same, compared with an answer for this workload.
  Check check(const Model& model, const Answer& answer, const Workload& workload,
              const Precision& precision, const NamedRig& rig, Learning learning);

  // --- comparisons and searches

  Evaluation evaluate(const EvaluationTask& task, const EvaluationOptions& options,
                      const Setup& setup, const NamedRig& rig);
  // Without a rig nothing is measured and nothing trained.
  PruneResult prune(const PruneTask& task, const ProfileRow& profile, const NamedRig* rig);

  StopToken stop() const { return stop_; }
  Listener& listener() const { return *listener_; }

 private:
  void learn_from(const Model& model, Campaign& campaign);

  std::unique_ptr<Store> store_;
  StopToken stop_;
  Listener* listener_;
};

// The methods there are, the best first, baselines last.
struct MethodInfo {
  std::string name, description;
  bool baseline = false;
};
std::vector<MethodInfo> method_infos(Phase phase);
// Throws Error(usage) with the nearest name for a method that does not serve the phase.
void require_method(const std::string& name, Phase phase);

}  // namespace ampere
