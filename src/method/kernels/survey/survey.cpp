#include "method/kernels/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "ampere/error.h"
#include "method/kernels/survey/fusion_test.h"
#include "method/kernels/survey/host_reference.h"
#include "method/kernels/survey/rounds.h"
#include "method/suggestion_list.h"
#include "model/draw.h"

namespace ampere {
namespace {

constexpr int kEnoughWhole = 4;
constexpr unsigned kNarrowerSeed = 4;

void check(const Setup& setup, const SurveyOptions& options) {
  if (setup.phase != Phase::inference)
    throw Error(ErrorCode::usage,
                fmt::format("kernels are measured at inference, not at {}", to_string(setup)));
  if (options.configurations < 1)
    throw Error(ErrorCode::usage, "a survey measures one configuration at least");
}

void note_open_tests(const FusionFindings& findings, std::vector<std::string>& warnings) {
  for (const FusionTest& test : findings.tests)
    if (!test.decided)
      warnings.push_back(fmt::format("whether {}+{} is fused stays open, {}: taken as {}",
                                     test.pair.first, test.pair.second, test.note,
                                     test.fused ? "fused, as usual" : "apart, as usual"));
  if (!findings.overhead)
    warnings.push_back("an inference of nothing could not be measured: no overhead is taken off");
}

FittedKernels fit_and_keep(Store& store, std::int64_t profile, const EnergyTable& table,
                           PredictorKind kind) {
  const KernelFitting fitting = fit_kernels(table, {.kind = kind});
  put_kernel_fits(store, profile, fitting.fits);
  return summary_of(fitting);
}

// What a network costs against the sum of its kernels is known only from networks: the given ones,
// and narrower versions of them where they are too few to tell.
std::vector<Model> measured_whole(std::span<const Model> networks) {
  std::vector<Model> whole(networks.begin(), networks.end());
  const auto missing = std::max(0, kEnoughWhole - static_cast<int>(whole.size()));
  std::ranges::move(draw_narrower(networks, missing, kNarrowerSeed), std::back_inserter(whole));
  return whole;
}

// The power of the device while it waits for its host, before the first network.
Suggestion at_rest(const Setup& setup) {
  Suggestion suggestion;
  suggestion.ask = Suggestion::Ask::idle;
  suggestion.model = host_reference();
  suggestion.setup = setup;
  return suggestion;
}

std::vector<Suggestion> whole_suggestions(std::span<const Model> networks, const Setup& setup,
                                          const Precision& precision) {
  std::vector<Suggestion> suggestions{at_rest(setup)};
  for (const Model& network : measured_whole(networks)) {
    Suggestion& suggestion = suggestions.emplace_back();
    suggestion.model = network;
    suggestion.setup = setup;
    suggestion.precision = precision;
    suggestion.with_times = true;
    suggestion.reference = host_reference();
    suggestion.only_answerable = true;
  }
  return suggestions;
}

bool has_host_apart(const SuggestionList& networks) {
  return std::ranges::any_of(networks.findings(), [](const Finding& finding) {
    return finding.observation && finding.observation->timing &&
           finding.observation->timing->host_s;
  });
}

// What fuses, then networks as they are, then kernels: which kernels there are follows from what
// fuses.
class Survey final : public SurveySuggestions {
 public:
  Survey(std::span<const Model> networks, Store& store, std::int64_t profile, const Setup& setup,
         const SurveyOptions& options)
      : networks_(networks.begin(), networks.end()),
        setup_(setup),
        options_(options),
        fusion_(plan_fusion(networks, store, profile, setup, options.precision)),
        whole_("networks", whole_suggestions(networks, setup, options.precision)) {}

  std::optional<Suggestion> next() override {
    for (;;) {
      if (auto suggestion = stage().next()) return suggestion;
      if (rounds_) return std::nullopt;
      if (at_networks_)
        rounds_ = plan_rounds(make_pools(networks_, fusion_->findings().rules, options_), setup_,
                              options_, has_host_apart(whole_));
      at_networks_ = true;
    }
  }

  void tell(const Finding& finding) override {
    stage().tell(finding);
    if (!rounds_) return;
    if (finding.known)
      ++kernels_.known;
    else if (finding.observation)
      ++(finding.observation->measurement ? kernels_.measured : kernels_.failed);
  }

  Progress progress() const override { return stage().progress(); }
  std::optional<std::int64_t> left() const override { return stage().left(); }

  std::vector<std::string> warnings() const override {
    std::vector<std::string> warnings;
    note_open_tests(fusion_->findings(), warnings);
    return warnings;
  }

  void describe(SurveySummary& summary) const override {
    summary.fusion = fusion_->findings();
    summary.rounds = rounds_ ? rounds_->rounds() : 0;
    summary.kernels = kernels_;
  }

 private:
  const Suggestions& stage() const {
    if (rounds_) return *rounds_;
    if (at_networks_) return whole_;
    return *fusion_;
  }
  Suggestions& stage() { return const_cast<Suggestions&>(std::as_const(*this).stage()); }

  std::vector<Model> networks_;
  Setup setup_;
  SurveyOptions options_;
  std::unique_ptr<FusionPlan> fusion_;
  SuggestionList whole_;
  bool at_networks_ = false;
  std::unique_ptr<RoundsPlan> rounds_;  // once the networks are measured
  SurveySummary::Kernels kernels_;
};

}  // namespace

std::unique_ptr<SurveySuggestions> suggest_survey(std::span<const Model> networks, Store& store,
                                                  std::int64_t profile, const Setup& setup,
                                                  const SurveyOptions& options) {
  check(setup, options);
  if (distinct_kernels(networks).empty())
    throw Error(ErrorCode::usage, "these networks have nothing to be measured");
  return std::make_unique<Survey>(networks, store, profile, setup, options);
}

void conclude_survey(Store& store, const ProfileRow& profile, SurveySummary& summary) {
  const EnergyTable table = kernel_table(store, profile);
  summary.gp = fit_and_keep(store, profile.id, table, PredictorKind::gp);
  summary.forest = fit_and_keep(store, profile.id, table, PredictorKind::forest);
  summary.composition = keep_composition(store, profile.id);
  for (const auto& [type, reason] : summary.gp.left_out)
    summary.warnings.push_back(fmt::format("no predictor: {}", reason));
}

}  // namespace ampere
