#include "method/dual/dual_method.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/block.h"
#include "ampere/error.h"
#include "method/dual/dual_model.h"
#include "method/dual/dual_page.h"
#include "method/dual/dual_profile.h"
#include "method/dual/dual_suggestions.h"
#include "method/dual/expected_time.h"
#include "method/dual/family_index.h"
#include "method/dual/models.h"
#include "method/suggestion_list.h"

namespace ampere {
namespace {

std::optional<std::string> drift_warning(const Drift& drift, bool paced) {
  if (!drift.significant) return std::nullopt;
  return fmt::format(
      "the device changed while it was profiled: the reference network's energy moved by {:+.1f} "
      "%, its time by {:+.1f} %; {}",
      100 * drift.energy.value(), 100 * drift.time.value(),
      paced ? "host times are fitted to the networks' pace, energies as they were measured"
            : fmt::format("the line through its {} measurements is taken out", drift.repeats));
}

bool knows_kinds_of(const Model& network, const ProfileBench& bench) {
  const std::vector<std::string> kinds = kinds_of(network);
  return has_dual(bench.store, bench.profile) &&
         load_maps(bench.store, bench.profile, kinds).size() == kinds.size();
}

class DualMethod final : public Method {
 public:
  const std::string& name() const override {
    static const std::string name = "dual";
    return name;
  }
  const std::string& description() const override {
    static const std::string text = "host time, device time and energy apart, composed: ours";
    return text;
  }
  bool serves(Phase phase) const override { return phase != Phase::inference; }

  bool answers(const Store& store, const ProfileRow& profile) const override {
    return has_dual(store, profile.id);
  }

  std::unique_ptr<Estimator> load(const Store& store, const ProfileRow& profile, const Model*,
                                  const std::set<std::string>& without) const override {
    const FamilyIndex index = family_index(store, profile.id);
    if (index.families.empty())
      throw Error(ErrorCode::unknown,
                  "no blocks were timed on this device with this setup, or too few; profile a "
                  "network by the method dual",
                  Remedy::profile, "dual");
    return make_dual_estimator(
        holds_any_of(store, profile.id, without)
            ? fitted_models(dual_evidence(store, profile.id, profile.setup, without))
            : stored_models(store, profile.id, profile.setup),
        index.families.front().has_host);
  }

  MeasuringCost cost(const Store& store, const ProfileRow& profile,
                     const ProfileTask& task) const override {
    return dual_cost(store, profile, task.originals);
  }

  std::string evaluation_label(const ProfileOptions& options, const Store&,
                               std::int64_t) const override {
    return fmt::format("{} timings, {} windows, ", options.timings, options.networks);
  }

  std::unique_ptr<Suggestions> plan(const ProfileTask& task, const ProfileOptions& options,
                                    const ProfileBench& bench) const override {
    require_timing(bench.rig);
    return suggest_dual(plan_dual(task, options), bench.setup, options);
  }

  ProfilePreview preview(const ProfileTask& task, const ProfileOptions& options, Rig& rig,
                         const Store& store, std::optional<std::int64_t> profile,
                         const Setup& setup) const override {
    require_timing(rig);
    DualPlan plan = plan_dual(task, options);
    if (profile) plan = missing_of(plan, store, *profile);
    ProfilePreview preview;
    preview.method = name();
    preview.timings = static_cast<int>(plan.blocks.size() + plan.round_blocks.size());
    preview.networks = static_cast<int>(plan.networks.size() + plan.round_networks.size());
    preview.expected = expected_time(plan, options, rig, store, profile, setup);
    return preview;
  }

  void conclude(const FitBench& bench, const ProfileTask& task,
                ProfileSummary& summary) const override {
    if (!task.drawn.empty()) note_drift(bench.store, bench.profile, task.drawn.front(), summary);
    summary.cross_validated = refit_dual(bench);
    if (!summary.cross_validated)
      summary.warnings.push_back("too little was measured to fit the dual model");
  }

  std::optional<CrossValidation> cross_validation(const Store& store,
                                                  const ProfileRow& profile) const override {
    const CrossValidation check = check_of(family_index(store, profile.id));
    return check.networks > 0 ? std::optional(check) : std::nullopt;
  }

  std::unique_ptr<Suggestions> refinement(const Model& network,
                                          const ProfileBench& bench) const override {
    if (!bench.rig.can_time() || !knows_kinds_of(network, bench)) return nullptr;
    std::vector<Suggestion> blocks;
    for (const Block& block : parse_blocks(network))
      blocks.push_back(timing_of(block_to_time(block), bench.setup));
    return std::make_unique<SuggestionList>("blocks timed", std::move(blocks));
  }

  void remember(Store& store, std::int64_t profile, const Model& network) const override {
    remember_timings(store, profile, network);
  }

  Json page(const Store& store, const ProfileRow& profile, WindowShelf& windows) const override {
    return dual_content(store, profile, windows);
  }

  std::optional<UsualHost> usual_host(const Store& store, std::int64_t profile,
                                      const ProfileTask& task) const override {
    if (task.drawn.empty()) return std::nullopt;
    return find_usual_host(store, profile, task.drawn.front());
  }

  std::optional<double> host_slowdown(const ProfileBench& bench, StopToken stop) const override {
    const FamilyIndex index = family_index(bench.store, bench.profile);
    if (index.families.empty() || !index.families.front().has_host) return std::nullopt;
    return slowdown_now(bench.rig, bench.store, bench.profile, bench.setup, stop);
  }

 private:
  static void note_drift(const Store& store, std::int64_t profile, const Model& reference,
                         ProfileSummary& summary) {
    const std::vector<Observation> measured = store.find(
        {.profile = profile, .purpose = Purpose::network, .model_hash = model_hash(reference)});
    summary.drift = drift_of(measured);
    const bool paced = std::ranges::any_of(
        measured, [](const Observation& network) { return network.pace.has_value(); });
    if (const auto warning = drift_warning(*summary.drift, paced))
      summary.warnings.push_back(*warning);
  }
};

}  // namespace

void require_timing(const Rig& rig) {
  if (!rig.can_time())
    throw Error(ErrorCode::usage,
                fmt::format("{} cannot time blocks alone, which the method dual needs; the method "
                            "ampere does without",
                            rig.device().name));
}

std::unique_ptr<Method> make_dual_method() { return std::make_unique<DualMethod>(); }

}  // namespace ampere
