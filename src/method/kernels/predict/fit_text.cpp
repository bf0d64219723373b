#include <cmath>

#include "ampere/error.h"
#include "base/long_texts.h"
#include "base/packed_matrix.h"
#include "method/kernels/cut/columns.h"
#include "method/kernels/predict/features.h"
#include "method/kernels/predict/law.h"

namespace ampere {
namespace {

constexpr int kVersion = 1;

Json accuracy_json(const std::optional<Accuracy>& accuracy) {
  if (!accuracy) return nullptr;
  return {{"mape", accuracy->mape},           {"bias", accuracy->bias},
          {"rmspe", accuracy->rmspe},         {"within_5", accuracy->within_5},
          {"within_10", accuracy->within_10}, {"within_15", accuracy->within_15}};
}

std::optional<Accuracy> read_accuracy(const JsonField& json, const std::string& key) {
  if (!json.has(key)) return std::nullopt;
  const JsonField field = json.at(key);
  return Accuracy{field.at("mape").number(),
                  field.at("bias").number(),
                  field.at("rmspe").number(),
                  field.at("within_5").number(),
                  field.at("within_10").number(),
                  field.at("within_15").number(),
                  std::nullopt};
}

KernelConfig read_sizes(const JsonField& json, const std::vector<std::string>& columns) {
  KernelConfig sizes;
  for (const std::string& column : columns) sizes[column] = json.at(column).integer();
  return sizes;
}

std::vector<std::string> read_columns(const JsonField& json) {
  std::vector<std::string> columns;
  for (const JsonField& item : json.items()) {
    columns.push_back(item.text());
    if (!is_kernel_column(columns.back())) item.fail("is no size of a kernel");
  }
  return columns;
}

SharedLaw read_law(const JsonField& json, const KernelFit& fit) {
  const Eigen::Index features = feature_count(fit.type, fit.columns);
  return fit.kind == PredictorKind::gp ? read_gp_law(json, features + std::ssize(fit.aligned))
                                       : read_forest_law(json, features);
}

void read_seen(const JsonField& json, KernelFit& fit) {
  fit.seen =
      read_matrix(json.at("seen"), feature_count(fit.type, fit.columns) + std::ssize(fit.aligned));
  fit.errors = read_vector(json.at("errors"));
  fit.rows = static_cast<int>(fit.errors.size());
  if (fit.seen.rows() != fit.errors.size())
    json.at("errors").fail("does not have one for each row");
}

}  // namespace

std::string to_text(const KernelFit& fit) {
  Json json{{"version", kVersion},
            {"type", fit.type},
            {"predictor", to_string(fit.kind)},
            {"source", to_string(fit.source)},
            {"columns", fit.columns},
            {"aligned", fit.aligned},
            {"low", fit.low},
            {"high", fit.high},
            {"energy_accuracy", accuracy_json(fit.energy_accuracy)},
            {"time_accuracy", accuracy_json(fit.time_accuracy)},
            {"seen", packed(fit.seen)},
            {"errors", packed(fit.errors)},
            {"energy", fit.energy->json()},
            {"time", fit.time ? fit.time->json() : Json(nullptr)}};
  if (fit.device) json["device"] = fit.device->json();
  return dump_with_long_texts(json);
}

KernelFit parse_kernel_fit(const std::string& text) {
  const Json document = parse_with_long_texts(text, "the kernel's predictor");
  const JsonField json(document, "the kernel's predictor: ");
  if (json.at("version").integer() != kVersion)
    json.at("version").fail("was written by another version; fit the kernels again");
  KernelFit fit;
  fit.type = json.at("type").text();
  fit.kind = parse_predictor_kind(json.at("predictor").text());
  fit.source = parse_source(json.at("source").text());
  fit.columns = read_columns(json.at("columns"));
  if (json.has("aligned")) fit.aligned = read_columns(json.at("aligned"));  // older ones have none
  fit.low = read_sizes(json.at("low"), fit.columns);
  fit.high = read_sizes(json.at("high"), fit.columns);
  fit.energy_accuracy = read_accuracy(json, "energy_accuracy");
  fit.time_accuracy = read_accuracy(json, "time_accuracy");
  read_seen(json, fit);
  fit.energy = read_law(json.at("energy"), fit);
  if (json.has("time")) fit.time = read_law(json.at("time"), fit);
  if (json.has("device")) fit.device = read_law(json.at("device"), fit);
  return fit;
}

}  // namespace ampere
