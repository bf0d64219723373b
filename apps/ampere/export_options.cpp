#include "export_options.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/whole_file.h"
#include "ranges.h"

namespace ampere {

void ExportOptions::add_to(CLI::App& command) {
  command.add_option(
      "--export", texts_,
      "Also write the result for other programs, as KIND=FILE: model-card is the "
      "section co2_eq_emissions of a model card of Hugging Face, codecarbon a row of "
      "an emissions.csv, mlflow metrics as JSON; may be repeated");
  command.add_option("--location", location_,
                     "Where the energy is used, for exports, as in \"Quebec, Canada\"");
  command
      .add_option("--training-type", training_type_,
                  "What a model card says of the training: pre-training or fine-tuning")
      ->check(CLI::IsMember({"pre-training", "fine-tuning"}));
}

std::vector<ExportOptions::Target> ExportOptions::targets() const {
  std::vector<Target> targets;
  for (const std::string& text : texts_) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size())
      throw Error(ErrorCode::usage,
                  fmt::format("--export: '{}' is not KIND=FILE, as in model-card=card.yaml", text));
    try {
      targets.push_back({parse_export_kind(text.substr(0, equals)), text.substr(equals + 1)});
    } catch (const Error& error) {
      throw error.saying(fmt::format("--export: {}", error.what()));
    }
  }
  return targets;
}

ExportTerms ExportOptions::terms(double carbon) const {
  ExportTerms terms{{}, location_, training_type_};
  if (carbon > 0) terms.carbon_g_per_kwh = carbon;
  return terms;
}

void ExportOptions::check(double carbon) const {
  const ExportTerms given = terms(carbon);
  for (const Target& target : targets()) {
    if (!missing_terms(target.kind, given).empty()) {
      std::string options = given.carbon_g_per_kwh ? "" : " --carbon G_PER_KWH";
      if (target.kind == ExportKind::model_card) {
        if (given.location.empty()) options += " --location PLACE";
        if (given.training_type.empty()) options += " --training-type pre-training|fine-tuning";
      }
      throw Error(ErrorCode::usage, fmt::format("--export {}: these are never assumed: give{}",
                                                to_string(target.kind), options));
    }
    check_whole_file(target.path);
    check_export(target.kind, target.path);
  }
}

void ExportOptions::write(const Footprint& footprint, double carbon) const {
  for (const Target& target : targets()) {
    const std::string left_out = write_export(target.kind, target.path, footprint, terms(carbon));
    fmt::print(stderr, "ampere: {}: {} ({}){}\n", target.path, to_string(target.kind),
               how_known(footprint),
               left_out.empty() ? "" : fmt::format("; {} has no column there", left_out));
  }
}

void add_carbon_option(CLI::App& command, double& carbon, const Settings& settings) {
  carbon = settings.carbon_g_per_kwh;
  command
      .add_option("--carbon", carbon,
                  "Carbon dioxide per energy in g/kWh, for exports; it is never assumed")
      ->check(number_from_to(0, 1e9));
}

}  // namespace ampere
