// Chooses the stored profile that answers, and loads what it knows.
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

struct ProfileRequest {
  Setup setup;
  std::string profile;  // id, fingerprint or part of the device's name; empty: the latest that fits
  std::string rig;      // as it was given when profiling; empty: any
};

bool fits(const ProfileRow& row, const ProfileRequest& request);

struct ChosenProfile {
  ProfileRow row;
  std::vector<std::string> warnings;  // that other profiles fit as well
};

// Throws Error(unknown), which says what the store has and how to measure what is missing.
ChosenProfile choose_profile(const Store& store, const ProfileRequest& request);
ProfileRow find_profile(const Store& store, const std::string& id);  // by id alone
// The latest profile with this id, fingerprint or part of the device's name; the latest one of
// training when the request is empty.
ProfileRow find_any_profile(const Store& store, const std::string& request);

// The same for inference, at any batch unless one is given. Profiles with fitted predictors come
// first.
struct InferenceRequest {
  std::optional<std::int64_t> batch;
  std::string profile, rig;  // as above
};
ChosenProfile choose_profile(const Store& store, const InferenceRequest& request);

// Opens a store to read measured kernels. Throws Error(unknown), which says how to measure them,
// when there is no store yet.
std::unique_ptr<Store> open_surveyed(const std::string& url);

// Opens a store to read; one that does not exist yet is empty.
std::unique_ptr<Store> open_for_preview(const std::string& url);
std::optional<std::int64_t> known_profile(const Store& store, const DeviceInfo& device,
                                          const Setup& setup);

// What the method needs from this profile, for one network alone when it is given.
Knowledge load_knowledge(const Store& store, const ProfileRow& profile, const std::string& method,
                         const Model* network = nullptr);

// The methods that a profile supports, the best first: dual where blocks were timed, then ampere;
// for inference, kernels by Gaussian processes, then by random forests.
std::vector<std::string> supported_methods(const Store& store, const ProfileRow& profile);

struct Answer {
  std::string method;
  Estimate estimate;
};

// Estimates by the method that was asked for or, without one, by the best that covers the network.
class Answerer {
 public:
  // Loads only what concerns `network` when it is given, and a second method only when the first
  // does not cover the network. The store must outlive this object. Throws Error(unknown) when the
  // profile supports no method.
  Answerer(const Store& store, const ProfileRow& profile, const std::string& method,
           const Model* network = nullptr);
  // Estimates by this model alone.
  explicit Answerer(SharedDualModel model);

  Answer operator()(const Model& model, const Workload& workload) const;

 private:
  struct Candidate {
    std::string method;
    std::function<std::unique_ptr<Estimator>()> make;
    mutable std::unique_ptr<Estimator> made;  // at the first estimate
  };
  std::vector<Candidate> candidates_;  // the best first
};

}  // namespace ampere
