#include "method/ampere/fit_json.h"

#include <string>

#include "method/ampere/ampere_composer.h"

namespace ampere {
namespace {

Json numbers(const Eigen::VectorXd& values) {
  return std::vector<double>(values.begin(), values.end());
}

Eigen::VectorXd read_numbers(const JsonField& json) {
  const std::vector<JsonField> items = json.items();
  Eigen::VectorXd values(items.size());
  for (std::size_t i = 0; i < items.size(); ++i)
    values[static_cast<Eigen::Index>(i)] = items[i].number();
  return values;
}

Json gp_json(const GaussianProcess& gp) {
  const GpHyperparameters& found = gp.hyperparameters();
  return {{"signal_variance", found.signal_variance},
          {"length_scales", numbers(found.length_scales)},
          {"fitted_noise_variance", found.noise_variance},
          {"y", numbers(gp.y())},
          {"noise_variance", numbers(gp.noise_variance())}};
}

GaussianProcess read_gp(const JsonField& json, const Eigen::MatrixXd& x) {
  GpHyperparameters found;
  found.signal_variance = json.at("signal_variance").number();
  found.length_scales = read_numbers(json.at("length_scales"));
  found.noise_variance = json.at("fitted_noise_variance").number();
  Eigen::VectorXd y = read_numbers(json.at("y"));
  Eigen::VectorXd noise = read_numbers(json.at("noise_variance"));
  if (y.size() != x.rows() || noise.size() != x.rows() || found.length_scales.size() != x.cols())
    json.fail("does not have one value for each point");
  return GaussianProcess::with(std::move(found), x, std::move(y), std::move(noise));
}

Json points_json(const Eigen::MatrixXd& x) {
  Json rows = Json::array();
  for (Eigen::Index row = 0; row < x.rows(); ++row) rows.push_back(numbers(x.row(row)));
  return rows;
}

Eigen::MatrixXd read_points(const JsonField& json, std::size_t features) {
  const std::vector<JsonField> rows = json.items();
  Eigen::MatrixXd x(rows.size(), features);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Eigen::VectorXd values = read_numbers(rows[row]);
    if (values.size() != x.cols()) rows[row].fail("does not have one value for each feature");
    x.row(static_cast<Eigen::Index>(row)) = values;
  }
  return x;
}

Role read_role(const JsonField& json) {
  for (const Role role : {Role::input, Role::hidden, Role::output})
    if (json.text() == to_string(role)) return role;
  json.fail("must be input, hidden or output");
}

}  // namespace

Json fit_json(const KindFit& fit) {
  return {{"kind", fit.kind},
          {"title", fit.title},
          {"role", to_string(fit.role)},
          {"features", fit.features},
          {"low", fit.low},
          {"high", fit.high},
          {"source", to_string(fit.source)},
          {"points", points_json(fit.energy.x())},
          {"energy_j", gp_json(fit.energy)},
          {"time_s", gp_json(fit.time)}};
}

KindFit read_fit(const JsonField& json) {
  std::vector<std::string> features;
  for (const JsonField& name : json.at("features").items()) features.push_back(name.text());
  const Eigen::MatrixXd x = read_points(json.at("points"), features.size());
  return {json.at("kind").text(),
          json.at("title").text(),
          read_role(json.at("role")),
          std::move(features),
          json.at("low").integers(),
          json.at("high").integers(),
          parse_source(json.at("source").text()),
          read_gp(json.at("energy_j"), x),
          read_gp(json.at("time_s"), x)};
}

std::string to_text(const KindFit& fit) { return fit_json(fit).dump(); }

KindFit parse_fit(const std::string& text) {
  const Json document = parse_json(text, "stored fit");
  return read_fit(JsonField(document, "stored fit: "));
}

std::unique_ptr<Composer> read_ampere_composer(const JsonField& what_if) {
  auto fits = std::make_shared<Fits>();
  for (const JsonField& kind : what_if.at("kinds").items())
    fits->emplace(kind.at("key").text(), read_fit(kind.at("fit")));
  return std::make_unique<AmpereComposer>(std::move(fits));
}

}  // namespace ampere
