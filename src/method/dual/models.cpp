#include "method/dual/models.h"

#include <algorithm>
#include <map>

#include "ampere/block.h"
#include "ampere/error.h"
#include "method/dual/families.h"
#include "method/dual/family_index.h"

namespace ampere {
namespace {

// Families that have a kind of the network; all where none has.
Family united(const std::vector<Family>& families, const Kinds& hidden) {
  Family all, some;
  for (const Family& family : families) {
    const bool shares = std::ranges::any_of(
        hidden, [&](const std::string& kind) { return family.hidden.contains(kind); });
    for (Family* into : {&all, shares ? &some : nullptr}) {
      if (into == nullptr) continue;
      into->hidden.insert(family.hidden.begin(), family.hidden.end());
      into->networks.insert(into->networks.end(), family.networks.begin(), family.networks.end());
    }
  }
  Family& chosen = some.networks.empty() ? all : some;
  std::ranges::sort(chosen.networks);
  const auto repeated = std::ranges::unique(chosen.networks);
  chosen.networks.erase(repeated.begin(), repeated.end());
  return std::move(chosen);
}

class FittedModels {
 public:
  explicit FittedModels(const DualEvidence& evidence)
      : setup_(evidence.setup),
        data_(data_of(evidence)),
        paces_(host_paces(data_)),
        families_(families_of(data_.networks)) {
    for (const Family& family : families_) hidden_.push_back(family.hidden);
  }

  SharedDualModel model_for(const std::vector<std::string>& kinds) {
    const Kinds hidden = hidden_kinds(kinds);
    const auto found = find_family(hidden_, hidden);
    const Family family = found ? families_[*found] : united(families_, hidden);
    SharedDualModel& model = models_[family.hidden];
    if (!model) model = fit(family);
    return model;
  }

 private:
  SharedDualModel fit(const Family& family) {
    if (maps_.maps.empty()) {
      Kinds kinds;
      for (const auto& [kind, points] : data_.timings) kinds.insert(kind);
      maps_ = fit_maps(data_, kinds);
    }
    auto model = std::make_shared<DualModel>(fit_family(data_, paces_, family, maps_));
    model->setup = setup_;
    model->maps = maps_.maps;
    return model;
  }

  Setup setup_;
  DualData data_;
  std::vector<HostPace> paces_;
  std::vector<Family> families_;
  std::vector<Kinds> hidden_;
  FittedMaps maps_;
  std::map<Kinds, SharedDualModel> models_;  // by what their families know
};

class StoredModels {
 public:
  StoredModels(const Store& store, std::int64_t profile, const Setup& setup)
      : store_(store), profile_(profile), setup_(setup), index_(family_index(store, profile)) {}

  SharedDualModel model_for(const std::vector<std::string>& kinds) {
    SharedDualModel& model = models_[kinds];
    if (!model) model = load(kinds);
    return model;
  }

 private:
  // With one family there are no others to fit laws to, and where a part of the network is unknown
  // laws do not help.
  SharedDualModel load(const std::vector<std::string>& kinds) {
    if (find_family(index_, kinds) || index_.families.size() <= 1 ||
        load_maps(store_, profile_, kinds).size() < kinds.size())
      return load_dual(store_, profile_, kinds);
    if (!fitted_) fitted_.emplace(dual_evidence(store_, profile_, setup_));
    return fitted_->model_for(kinds);
  }

  const Store& store_;
  std::int64_t profile_;
  Setup setup_;
  FamilyIndex index_;
  std::map<std::vector<std::string>, SharedDualModel> models_;  // by kinds
  std::optional<FittedModels> fitted_;
};

}  // namespace

ModelFor stored_models(const Store& store, std::int64_t profile, const Setup& setup) {
  return [models = std::make_shared<StoredModels>(store, profile, setup)](
             const std::vector<std::string>& kinds) { return models->model_for(kinds); };
}

ModelFor fitted_models(const DualEvidence& evidence) {
  return [models = std::make_shared<FittedModels>(evidence)](
             const std::vector<std::string>& kinds) { return models->model_for(kinds); };
}

}  // namespace ampere
