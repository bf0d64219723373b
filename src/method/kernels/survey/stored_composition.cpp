#include "ampere/error.h"
#include "base/json.h"
#include "method/host_speed.h"
#include "method/kernels/survey.h"
#include "method/kernels/survey/host_reference.h"
#include "method/kernels/survey/keys.h"

namespace ampere {
namespace {

// A sum that is not known to the last kernel says nothing, nor does one without times.
std::optional<ComposedNetwork> composed(const Observation& network, const Estimator& plain) {
  const Estimate sum = plain.estimate(network.model, {});
  if (!sum.energy_j_per_iteration || !sum.time_s_per_iteration) return std::nullopt;
  int kernels = 0;
  for (const Part& part : sum.parts)
    if (part.kind != kOverheadPart) kernels += part.count;
  return ComposedNetwork{kernels, *sum.energy_j_per_iteration, *sum.time_s_per_iteration,
                         network.measurement->energy_j.mean, network.measurement->time_s.mean};
}

// Nothing where the speed of the host is not known, of the survey or beside this network.
std::optional<SteadyCost> at_usual_host(const Observation& network,
                                        const std::optional<UsualHost>& usual) {
  if (!usual || !network.pace || !has_times(*network.pace) ||
      network.pace->reference != model_hash(usual->reference))
    return std::nullopt;
  const std::optional<double> device_s =
      network.timing ? std::optional(network.timing->device_s) : std::nullopt;
  return steady_cost(*network.measurement, *network.pace, device_s, usual->reference_s,
                     usual->ready_w);
}

Json law_json(const KernelComposition::Law& law) {
  return {{"scale", law.scale}, {"each", law.each}, {"error", law.error}};
}

KernelComposition::Law read_law(const JsonField& json) {
  return {json.at("scale").number(), json.at("each").number(), json.at("error").number()};
}

}  // namespace

std::optional<KernelComposition> composition_of(const Store& store, std::int64_t profile,
                                                const std::set<std::string>& without) {
  InferenceOptions sums = read_inference_options(store, profile, PredictorKind::gp);
  sums.composition.reset();
  const auto plain = make_inference_estimator(read_kernel_fits(store, profile, PredictorKind::gp),
                                              std::move(sums));
  const std::optional<UsualHost> usual = host_of_survey(store, profile);
  std::vector<ComposedNetwork> as_measured, steady;
  for (const Observation& network : store.find({.profile = profile, .purpose = Purpose::network})) {
    if (!network.measurement || without.contains(model_hash(network.model))) continue;
    auto known = composed(network, *plain);
    if (!known) continue;
    as_measured.push_back(*known);
    const auto cost = at_usual_host(network, usual);
    if (!cost) continue;
    known->energy_j = cost->energy_j;
    known->time_s = cost->time_s;
    steady.push_back(*known);
  }
  // Kernels are of the survey's host. A network of a slower one would make that a part of all.
  if (const auto of_usual_host = fit_composition(steady)) return of_usual_host;
  return fit_composition(as_measured);
}

std::optional<KernelComposition> keep_composition(Store& store, std::int64_t profile) {
  const auto composition = composition_of(store, profile);
  if (composition)
    store.put_document(profile,
                       {kCompositionDocument, Json{{"energy", law_json(composition->energy)},
                                                   {"time", law_json(composition->time)},
                                                   {"networks", composition->networks}}
                                                  .dump()});
  return composition;
}

std::optional<KernelComposition> read_composition(const Store& store, std::int64_t profile) {
  const auto text = store.document(profile, kCompositionDocument);
  if (!text) return std::nullopt;
  const Json json = parse_json(*text, kCompositionDocument);
  const JsonField field(json, std::string(kCompositionDocument) + ": ");
  return KernelComposition{read_law(field.at("energy")), read_law(field.at("time")),
                           static_cast<int>(field.at("networks").integer())};
}

}  // namespace ampere
