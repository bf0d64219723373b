#include "method/proxies/proxy_methods.h"

#include <iterator>

#include "method/proxies/gather.h"
#include "method/proxies/proxies.h"

namespace ampere {
namespace {

// Single layers are measured in phases, each of which is a profile of its own.
std::vector<Observation> layers_of(const Store& store, const ProfileRow& profile) {
  std::vector<Observation> layers;
  for (const ProfileRow& row : store.profiles()) {
    if (row.setup.phase == Phase::iteration || row.setup.phase == Phase::inference ||
        with_phase(row.setup, Phase::iteration) != profile.setup ||
        row.device.fingerprint != profile.device.fingerprint)
      continue;
    std::ranges::move(store.find({.profile = row.id, .purpose = Purpose::network}),
                      std::back_inserter(layers));
  }
  return layers;
}

class Baseline : public Method {
 public:
  Baseline(std::string name, std::string description)
      : name_(std::move(name)), description_(std::move(description)) {}

  const std::string& name() const override { return name_; }
  const std::string& description() const override { return description_; }
  bool is_baseline() const override { return true; }

  bool answers(const Store& store, const ProfileRow& profile) const override {
    return !evidence(store, profile).empty();
  }

  std::unique_ptr<Estimator> load(const Store& store, const ProfileRow& profile, const Model*,
                                  const std::set<std::string>& without) const override {
    std::vector<Observation> known = evidence(store, profile);
    std::erase_if(known, [&](const Observation& observation) {
      return !without.empty() && without.contains(model_hash(observation.model));
    });
    return fit(known);
  }

  MeasuringCost cost(const Store& store, const ProfileRow& profile,
                     const ProfileTask&) const override {
    return cost_of(evidence(store, profile));
  }

 protected:
  virtual std::vector<Observation> evidence(const Store& store, const ProfileRow& profile)
      const = 0;
  virtual std::unique_ptr<Estimator> fit(std::span<const Observation> observations) const = 0;

  FitEstimator fitting() const {
    return [this](std::span<const Observation> observations) { return fit(observations); };
  }

 private:
  std::string name_, description_;
};

class ProxyMethod final : public Baseline {
 public:
  ProxyMethod(std::string name, std::string description, Proxy proxy, bool of_inference)
      : Baseline(std::move(name), std::move(description)),
        proxy_(proxy),
        of_inference_(of_inference) {}

  bool serves(Phase phase) const override { return of_inference_ || phase != Phase::inference; }

  std::unique_ptr<Suggestions> plan(const ProfileTask& task, const ProfileOptions& options,
                                    const ProfileBench& bench) const override {
    return gather_networks(task.drawn, options, bench.setup, fitting());
  }

 private:
  std::vector<Observation> evidence(const Store& store, const ProfileRow& profile) const override {
    return store.find({.profile = profile.id, .purpose = Purpose::network});
  }

  std::unique_ptr<Estimator> fit(std::span<const Observation> networks) const override {
    return fit_proxy_estimator(proxy_, networks);
  }

  Proxy proxy_;
  bool of_inference_;
};

class NeuralPower final : public Baseline {
 public:
  NeuralPower()
      : Baseline("neuralpower", "the sum of single layers, by polynomials of their sizes") {}

  bool serves(Phase phase) const override { return phase != Phase::inference; }

  std::unique_ptr<Suggestions> plan(const ProfileTask& task, const ProfileOptions& options,
                                    const ProfileBench& bench) const override {
    return gather_layers(task.drawn, options, bench.setup, fitting());
  }

 private:
  std::vector<Observation> evidence(const Store& store, const ProfileRow& profile) const override {
    return layers_of(store, profile);
  }

  std::unique_ptr<Estimator> fit(std::span<const Observation> layers) const override {
    return fit_neuralpower_estimator(layers);
  }
};

}  // namespace

std::vector<std::unique_ptr<Method>> make_proxy_methods() {
  std::vector<std::unique_ptr<Method>> methods;
  const auto add = [&](const char* name, const char* description, Proxy proxy, bool of_inference) {
    methods.push_back(std::make_unique<ProxyMethod>(name, description, proxy, of_inference));
  };
  add("flops", "in proportion to the FLOPs", Proxy::flops, true);
  add("flops+constant", "in proportion to the FLOPs, and a constant", Proxy::flops_and_constant,
      true);
  add("flops+layers", "in proportion to the FLOPs and the layers with parameters, and a constant",
      Proxy::flops_and_layers, true);
  add("params", "in proportion to the parameters", Proxy::parameters, false);
  add("layers", "in proportion to the layers that have parameters", Proxy::layers, false);
  add("activations", "in proportion to the activations", Proxy::activations, false);
  methods.push_back(std::make_unique<NeuralPower>());
  return methods;
}

}  // namespace ampere
