#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "method/kernels/survey.h"
#include "method/kernels/survey/keys.h"

namespace ampere {
namespace {

// Which types each predictor has: finding out by reading the fits would take long.
using FitIndex = std::map<PredictorKind, std::vector<std::string>>;

std::string fit_document(PredictorKind kind, const std::string& type) {
  return fmt::format("predictor {} {}", to_string(kind), type);
}

FitIndex read_index(const Store& store, std::int64_t profile) {
  FitIndex index;
  const auto text = store.document(profile, kIndexDocument);
  if (!text) return index;
  const Json json = parse_json(*text, kIndexDocument);
  const JsonField field(json, std::string(kIndexDocument) + ": ");
  for (const std::string& kind : field.keys())
    for (const JsonField& type : field.at(kind).items())
      index[parse_predictor_kind(kind)].push_back(type.text());
  return index;
}

void put_index(Store& store, std::int64_t profile, const FitIndex& index) {
  Json json = Json::object();
  for (const auto& [kind, types] : index) json[to_string(kind)] = types;
  store.put_document(profile, {kIndexDocument, json.dump()});
}

}  // namespace

KernelFits read_kernel_fits(const Store& store, std::int64_t profile, PredictorKind kind,
                            const std::vector<std::string>& types) {
  const std::vector<std::string> wanted = types.empty() ? read_index(store, profile)[kind] : types;
  KernelFits fits;
  for (const std::string& type : wanted)
    if (const auto text = store.document(profile, fit_document(kind, type)))
      fits.emplace(type, parse_kernel_fit(*text));
  return fits;
}

void put_kernel_fits(Store& store, std::int64_t profile, const KernelFits& fits) {
  store.atomically([&] {
    FitIndex index = read_index(store, profile);
    for (const auto& [type, fit] : fits) {
      store.put_document(profile, {fit_document(fit.kind, type), to_text(fit)});
      std::vector<std::string>& types = index[fit.kind];
      if (std::ranges::find(types, type) == types.end()) types.push_back(type);
    }
    put_index(store, profile, index);
  });
}

std::vector<PredictorKind> stored_predictors(const Store& store, std::int64_t profile) {
  std::vector<PredictorKind> found;
  for (const auto& [kind, types] : read_index(store, profile))
    if (!types.empty()) found.push_back(kind);
  return found;
}

}  // namespace ampere
