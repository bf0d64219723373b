#include <algorithm>

#include "ampere/error.h"
#include "base/parallel.h"
#include "method/dual/dual_profile.h"
#include "method/dual/families.h"
#include "method/dual/family_index.h"

namespace ampere {
namespace {

class Refit {
 public:
  explicit Refit(const FitBench& bench)
      : bench_(bench),
        data_(data_of(dual_evidence(bench.store, bench.profile, bench.setup))),
        paces_(host_paces(data_)),
        families_(families_of(data_.networks)),
        known_(family_index(bench.store, bench.profile)) {}

  std::optional<CrossValidation> run() {
    for (const Family& family : families_) hashes_.push_back(evidence_hash(data_, paces_, family));
    fit_maps_of_changed();
    fit_laws_of_changed();
    for (std::size_t i = 0; i < families_.size(); ++i) add_family(i);
    if (index_.families.empty()) return std::nullopt;
    store();
    return check_of(index_);
  }

 private:
  const FamilyEntry* known_entry(const std::string& evidence) const {
    const auto found = std::ranges::find(known_.families, evidence, &FamilyEntry::evidence);
    return found == known_.families.end() ? nullptr : &*found;
  }

  // Laws need to know what their maps would have said of blocks that were timed, which is not
  // stored: all maps of a family that has changed are fitted anew, and those that have new timings.
  void fit_maps_of_changed() {
    Kinds kinds;
    for (const auto& [kind, points] : data_.timings) {
      index_.maps[kind] = timings_hash(points);
      const auto before = known_.maps.find(kind);
      if (before == known_.maps.end() || before->second != index_.maps[kind]) kinds.insert(kind);
    }
    for (std::size_t i = 0; i < families_.size(); ++i) {
      if (known_entry(hashes_[i]) != nullptr) continue;
      for (const std::size_t network : families_[i].networks)
        for (const BlockTerms& block : data_.networks[network].blocks) kinds.insert(block.kind);
      ++steps_;
    }
    std::erase_if(kinds, [&](const std::string& kind) { return !data_.timings.contains(kind); });
    steps_ += static_cast<std::int64_t>(kinds.size());
    maps_ = fit_maps(data_, kinds, [this](const std::string& kind) { tell(kind); });
  }

  // Absent where there is too little to fit.
  std::optional<DualModel> fit_laws(const Family& family) const try {
    DualModel model = fit_family(data_, paces_, family, maps_);
    model.setup = bench_.setup;
    return model;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unknown) throw;
    return std::nullopt;
  }

  void fit_laws_of_changed() {
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < families_.size(); ++i)
      if (known_entry(hashes_[i]) == nullptr) changed.push_back(i);
    models_.resize(families_.size());
    in_parallel(
        changed.size(),
        [&](std::size_t i) { models_[changed[i]] = fit_laws(families_[changed[i]]); },
        [this](std::size_t) { tell("laws"); });
  }

  void add_family(std::size_t i) {
    const std::string document = laws_document(index_.families.size());
    if (const FamilyEntry* known = known_entry(hashes_[i])) {
      if (known->laws != document)
        laws_[document] = *bench_.store.document(bench_.profile, known->laws);
      index_.families.push_back(*known);
      index_.families.back().laws = document;
      return;
    }
    if (!models_[i]) return;
    index_.families.push_back(
        {document, families_[i].hidden, hashes_[i], has_host(*models_[i]), models_[i]->check});
    laws_[document] = to_text(*models_[i]).laws;
  }

  void tell(const std::string& what) {
    bench_.stop.throw_if_stopped();
    Progress now;
    now.step = "models fitted";
    now.title = what;
    now.done = ++done_;
    now.of = steps_;
    now.finished = done_ == steps_;
    bench_.listener.progress(now);
  }

  void store() {
    bench_.store.atomically([&] {
      for (const auto& [document, text] : laws_)
        bench_.store.put_document(bench_.profile, {document, text});
      put_maps(bench_.store, bench_.profile, maps_.maps);
      put_family_index(bench_.store, bench_.profile, index_);
    });
  }

  const FitBench& bench_;
  DualData data_;
  std::vector<HostPace> paces_;
  std::vector<Family> families_;
  std::vector<std::string> hashes_;  // of the families' evidence
  FamilyIndex known_, index_;        // as it was, and as it will be
  FittedMaps maps_;
  std::vector<std::optional<DualModel>> models_;  // of the families that have changed, without maps
  std::map<std::string, std::string> laws_;       // texts to be stored, by document
  std::int64_t done_ = 0, steps_ = 0;
};

}  // namespace

std::optional<CrossValidation> refit_dual(const FitBench& bench) { return Refit(bench).run(); }

}  // namespace ampere
