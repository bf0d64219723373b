// Fits the data set on each line of standard input, {"x": [[…]], "y": […], "noise": […],
// "restarts": 4, "repeats": 5}, and answers a line with the median processor time of a fit and
// what it found.
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "ampere/gp.h"
#include "base/json.h"
#include "base/stats.h"

namespace {

using ampere::GaussianProcess;
using ampere::Json;
using ampere::JsonField;

Eigen::VectorXd vector_of(const JsonField& list) {
  const std::vector<JsonField> items = list.items();
  Eigen::VectorXd values(static_cast<Eigen::Index>(items.size()));
  for (std::size_t i = 0; i < items.size(); ++i) {
    values(static_cast<Eigen::Index>(i)) = items[i].number();
  }
  return values;
}

Eigen::MatrixXd matrix_of(const JsonField& rows) {
  const std::vector<JsonField> items = rows.items();
  Eigen::MatrixXd values;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Eigen::VectorXd row = vector_of(items[i]);
    if (i == 0) values.resize(static_cast<Eigen::Index>(items.size()), row.size());
    values.row(static_cast<Eigen::Index>(i)) = row;
  }
  return values;
}

Json answer(const JsonField& question) {
  const Eigen::MatrixXd x = matrix_of(question.at("x"));
  const Eigen::VectorXd y = vector_of(question.at("y"));
  const Eigen::VectorXd noise = vector_of(question.at("noise"));
  const ampere::GpOptions options{static_cast<int>(question.integer_or("restarts", 4)),
                                  static_cast<unsigned>(question.integer_or("seed", 1))};
  std::vector<double> seconds;
  Json found;
  for (std::int64_t i = 0; i < question.integer_or("repeats", 5); ++i) {
    const std::clock_t start = std::clock();
    const GaussianProcess gp = GaussianProcess::fit(x, y, noise, options);
    seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    const ampere::GpHyperparameters& at = gp.hyperparameters();
    found = {
        {"lml", gp.log_marginal_likelihood()},
        {"signal_variance", at.signal_variance},
        {"length_scales", std::vector<double>(at.length_scales.begin(), at.length_scales.end())},
        {"noise_variance", at.noise_variance}};
  }
  found["seconds"] = ampere::median(seconds);
  return found;
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const Json question = ampere::parse_json(line, "standard input");
    std::cout << answer(JsonField(question, "standard input: ")).dump() << std::endl;
  }
}
