// Choosing which stored profile answers, and loading what it knows.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/model.h"
#include "ampere/store.h"
#include "method/ampere/fit.h"
#include "method/dual/dual.h"
#include "method/registry.h"

namespace ampere {

struct ProfileWish {
  Setup setup;
  std::string
      profile;      // id, fingerprint or a part of the device's name; empty: the latest that fits
  std::string rig;  // as it was given when profiling; empty: any
};

bool fits(const ProfileRow& row, const ProfileWish& wish);

struct ChosenProfile {
  ProfileRow row;
  std::vector<std::string> warnings;  // other devices that would have answered too
};

// Throws Error(unknown) that says what there is and how to make what is missing.
ChosenProfile choose_profile(const Store& store, const ProfileWish& wish);
ProfileRow find_profile(const Store& store, const std::string& id);  // by id alone
// By id, fingerprint or a part of the device's name, the latest of them; without a wish the latest
// of training.
ProfileRow find_any_profile(const Store& store, const std::string& wish);

// The same for inference, at any batch where none is asked for; with predictors of kernels rather
// than without.
struct InferenceWish {
  std::optional<std::int64_t> batch;
  std::string profile, rig;  // as above
};
ChosenProfile choose_profile(const Store& store, const InferenceWish& wish);

// For reading what was surveyed. Throws Error(unknown) that says how, when there is no store yet.
std::unique_ptr<Store> open_surveyed(const std::string& url);

// For looking without measuring: a store that is not there is empty.
std::unique_ptr<Store> open_for_preview(const std::string& url);
std::optional<std::int64_t> known_profile(const Store& store, const DeviceInfo& device,
                                          const Setup& setup);

// What the method needs of this profile, for one network alone when it is given.
Knowledge load_knowledge(const Store& store, const ProfileRow& profile, const std::string& method,
                         const Model* network = nullptr);

// The methods a profile can answer by, the best first: dual where blocks were timed, then ampere;
// of inference, kernels by Gaussian processes, then by forests.
std::vector<std::string> supported_methods(const Store& store, const ProfileRow& profile);

struct Answer {
  std::string method;
  Estimate estimate;
};

// Estimates by the method that was asked for or, without one, by the best that covers the network.
class Answerer {
 public:
  // For one network alone when it is given: only what concerns it is loaded, and a second method
  // only when the first does not cover what is asked. The store must outlive it. Throws
  // Error(unknown) when the profile has nothing to answer from.
  Answerer(const Store& store, const ProfileRow& profile, const std::string& method,
           const Model* network = nullptr);
  // By this model alone.
  explicit Answerer(SharedDualModel model);

  Answer operator()(const Model& model, const Workload& workload) const;

 private:
  struct Candidate {
    std::string method;
    std::function<std::unique_ptr<Estimator>()> make;
    mutable std::unique_ptr<Estimator> made;  // when it is first asked
  };
  std::vector<Candidate> candidates_;  // the best first
};

}  // namespace ampere
