#include "method/operations/operations_method.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "method/operations/device_look.h"
#include "method/operations/number_formats.h"
#include "method/operations/operations_judge.h"
#include "method/operations/program_difference.h"
#include "method/operations/program_origin.h"
#include "program/tf32.h"
#include "setup/general_setup.h"

namespace ampere {
namespace {

// What the tensors need at the least, beside what the device has.
void compare_with_memory(Estimate& estimate, const DeviceInfo& device) {
  const std::optional<std::int64_t> memory = memory_of(device);
  const std::optional<std::int64_t>& peak = estimate.iteration.value().peak_bytes;
  if (!memory || !peak || *peak <= *memory) return;
  estimate.warnings.push_back(fmt::format(
      "it does not fit: its tensors take {:.3g} GB at the peak, and {} has {:.3g} GB of memory; "
      "with a smaller batch, or gradients of several batches accumulated, it may",
      static_cast<double>(*peak) / 1e9, device.name, static_cast<double>(*memory) / 1e9));
}

Estimate to_dated_estimate(ProgramEstimate each, const GeneralHead& profile,
                           const Workload& workload) {
  each.profiled_at = profile.taken_at;
  Estimate estimate = to_estimate(each, workload);
  compare_with_memory(estimate, profile.device);
  return estimate;
}

// How a program differs from what the profile has measured, as warnings.
struct Differences {
  std::vector<std::string> of_origin, of_use;
};

Estimate to_widened_estimate(ProgramEstimate each, Differences differences,
                             const GeneralHead& profile, const Workload& workload) {
  widen(each, differences.of_origin.size(), differences.of_use.size());
  Estimate estimate = to_dated_estimate(std::move(each), profile, workload);
  std::vector<std::string> warnings = std::move(differences.of_origin);
  for (auto* rest : {&differences.of_use, &estimate.warnings})
    warnings.insert(warnings.end(), rest->begin(), rest->end());
  estimate.warnings = std::move(warnings);
  return estimate;
}

void scale_deviation(Quantity& quantity, double factor) {
  if (quantity.stddev) *quantity.stddev *= factor;
}

class OperationsEstimator final : public Estimator {
 public:
  OperationsEstimator(std::shared_ptr<const GeneralProfile> profile, Setup setup)
      : profile_(std::move(profile)), setup_(std::move(setup)) {}

  // A network that is never executed in the way the rules describe has no estimate.
  Estimate estimate(const Model& model, const Workload& workload) const override {
    const MadeProgram made = make_program(model, setup_, *profile_);
    if (!made.program) return uncovered(model, made.why_not);
    return to_widened_estimate(
        estimate_program(*made.program, profile_->fitted, {}, workload.confidence),
        {{}, differences_of_use(*made.program, *profile_)}, *profile_, workload);
  }

  std::unique_ptr<WidthJudge> judge(const Model& original) const override {
    return make_operations_judge(original, setup_, profile_,
                                 std::make_unique<OperationsEstimator>(profile_, setup_));
  }

  std::optional<CostDifference> difference(const Model& before, const Model& after) const override {
    const OperationsProfile& fitted = profile_->fitted;
    const MadeProgram a = make_program(before, setup_, *profile_),
                      b = make_program(after, setup_, *profile_);
    if (!a.program || !b.program) return std::nullopt;
    CostDifference difference =
        program_difference(*a.program, compose_program(*a.program, fitted), *b.program,
                           compose_program(*b.program, fitted), fitted);
    const double wider = wider_by(0, differences_of_use(*b.program, *profile_).size());
    scale_deviation(difference.energy_j, wider);
    scale_deviation(difference.time_s, wider);
    return difference;
  }

 private:
  std::shared_ptr<const GeneralProfile> profile_;
  Setup setup_;
};

class OperationsMethod final : public Method {
 public:
  const std::string& name() const override { return name_; }
  const std::string& description() const override { return description_; }
  bool serves(Phase phase) const override { return phase != Phase::inference; }

  bool answers(const Store& store, const ProfileRow& profile) const override {
    return store.document(profile.id, kGeneralDocument).has_value();
  }

  std::unique_ptr<Estimator> load(const Store& store, const ProfileRow& profile, const Model*,
                                  const std::set<std::string>&) const override {
    if (is_general(profile.setup))
      throw Error(ErrorCode::usage,
                  fmt::format("profile {} answers for any setup: say which", profile.id));
    return std::make_unique<OperationsEstimator>(
        std::make_shared<const GeneralProfile>(load_general_profile(store, profile)),
        profile.setup);
  }

  MeasuringCost cost(const Store& store, const ProfileRow& profile,
                     const ProfileTask&) const override {
    const auto text = store.document(profile.id, kGeneralDocument);
    if (!text) return {};
    const GeneralHead head = parse_general_head(*text, fmt::format("profile {}", profile.id));
    MeasuringCost cost;
    cost.points = static_cast<int>(head.windows);
    return cost;
  }

  std::optional<CrossValidation> cross_validation(const Store& store,
                                                  const ProfileRow& profile) const override {
    return load_general_profile(store, profile).fitted.laws.cross_validated;
  }

  // A device is profiled for any network at once.
  bool has_plan() const override { return false; }
  std::unique_ptr<Suggestions> plan(const ProfileTask&, const ProfileOptions&,
                                    const ProfileBench&) const override {
    return nullptr;
  }

 private:
  std::string name_ = kOperationsMethod;
  std::string description_ = "the sum of single operations, for any network and setup";
};

}  // namespace

std::unique_ptr<Method> make_operations_method() { return std::make_unique<OperationsMethod>(); }

Program program_of(const Model& model, const Setup& setup, const GeneralProfile& profile) {
  Program program = lower(model, setup, dialect_of(profile));
  require_tf32_products(program, profile.fitted.map, profile.device.name);
  return program;
}

MadeProgram make_program(const Model& model, const Setup& setup,
                         const GeneralProfile& profile) try {
  return {program_of(model, setup, profile), ""};
} catch (const Error& error) {
  if (error.code() != ErrorCode::usage && error.code() != ErrorCode::unknown) throw;
  return {std::nullopt, error.what()};
}

Estimate uncovered(const Model& model, const std::string& why) {
  Estimate nothing;
  nothing.uncovered.push_back({model.name(), why});
  return nothing;
}

GeneralProfile load_general_profile(const Store& store, const ProfileRow& profile) {
  const auto text = store.document(profile.id, kGeneralDocument);
  if (!text)
    throw Error(ErrorCode::unknown,
                fmt::format("profile {} ({}) is not a general one, which programs and the method "
                            "operations need: profile the device for any network first",
                            profile.id, profile.device.name),
                Remedy::general_profile);
  return parse_general_profile(*text, profile.shipped.empty()
                                          ? fmt::format("profile {}", profile.id)
                                          : "the shipped profile " + profile.shipped);
}

Estimate estimate_of_program(const Program& program, const GeneralProfile& profile,
                             const ProgramEvidence& evidence, const Workload& workload) {
  if (!profile.is_gpu && mentions_tf32(program))  // a CPU has no TF32
    return estimate_of_program(without_tf32(program), profile, evidence, workload);
  require_tf32_products(program, profile.fitted.map, profile.device.name);
  if (program.generation) require_product_formats(program, profile);
  ProgramEvidence of_device = evidence;
  of_device.seen = was_seen_on(program, profile.device);
  ProgramEstimate each = estimate_program(program, profile.fitted, of_device, workload.confidence);
  return to_widened_estimate(
      std::move(each),
      {differences_of_origin(program.origin, profile), differences_of_use(program, profile)},
      profile, workload);
}

}  // namespace ampere
