#include "ampere/error.h"
#include "base/json.h"
#include "method/kernels/survey.h"
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
  std::vector<ComposedNetwork> networks;
  for (const Observation& network : store.find({.profile = profile, .purpose = Purpose::network})) {
    if (!network.measurement || without.contains(model_hash(network.model))) continue;
    if (const auto known = composed(network, *plain)) networks.push_back(*known);
  }
  return fit_composition(networks);
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
