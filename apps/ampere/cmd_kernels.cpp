#include "commands.h"
#include "estimate_options.h"
#include "kernels_verbs.h"

namespace ampere {
namespace {

CLI::App* add_measure_verb(CLI::App& kernels, KernelsOptions& options, const Settings& settings) {
  CLI::App* command = kernels.add_subcommand(
      "measure",
      "Tests what the device fuses, then measures kernels of these networks and others "
      "around them; resumable");
  add_models_argument(*command, options.models);
  command->get_option("MODEL")->description(
      "Zoo names and .onnx or .json files that kernels are taken from; without any the nine "
      "families of DeepEn2023");
  add_onnx_options(*command, options.source);
  command->add_option("--batch", options.batch, "Samples in an inference")->capture_default_str();
  command
      ->add_option("--configurations", options.configurations,
                   "Kernels to measure, with those in the store")
      ->capture_default_str();
  command->add_option("--time-limit", options.time_limit,
                      "Seconds after which no new kernel is begun; 0 for none");
  command
      ->add_option("--tolerance", options.tolerance,
                   "A type is known well enough when its cross-validated error is below this")
      ->capture_default_str();
  add_rig_options(*command, options.rig, settings);
  add_precision_options(*command, options.precision);
  add_store_option(*command, options.store, settings);
  command->add_flag("--dry-run", options.dry_run,
                    "Say what would be measured and about how long it takes");
  add_json_flag(*command, options.json);
  add_example(*command,
              "ampere kernels measure --rig cuda:0 --time-limit 480\n  ampere kernels measure "
              "resnet18 mine.onnx --configurations 150");
  return command;
}

void add_table_options(CLI::App& command, KernelsOptions& options) {
  command.add_option("--columns", options.import.columns,
                     "What the file calls our columns: energy_mj=Energy(mJ),CIN=cin");
  command.add_option("--kernel", options.import.kernel,
                     "The kernel of all rows, in a file without that column");
  command
      .add_option("--tolerance", options.import.tolerance,
                  "How far energy may be from power times latency, as a share")
      ->capture_default_str();
  command.add_flag("--strict", options.strict, "Take all rows or none");
}

CLI::App* add_fit_verb(CLI::App& kernels, KernelsOptions& options, const Settings& settings) {
  CLI::App* command =
      kernels.add_subcommand("fit", "Fits predictors anew, and says how far off they are");
  command->add_option("--cv", options.folds, "Folds of the cross-validation; 0 for none")
      ->capture_default_str();
  command->add_option("--predictor", options.predictor, "gp, forest or both")
      ->check(CLI::IsMember({"gp", "forest", "both"}))
      ->default_str("both");
  command->add_option("--table", options.table,
                      "Fit this CSV file instead of the store's, and keep nothing");
  add_table_options(*command, options);
  add_profile_option(*command, options.profile);
  add_store_option(*command, options.store, settings);
  add_json_flag(*command, options.json);
  add_example(*command, "ampere kernels fit --cv 5");
  return command;
}

CLI::App* add_import_verb(CLI::App& kernels, KernelsOptions& options, const Settings& settings) {
  CLI::App* command =
      kernels.add_subcommand("import", "Adds a table of measurements to the store (CSV)");
  command->add_option("FILE", options.file, "The table")->required();
  command->add_option("--device", options.device,
                      "The device it is of, where the file does not say");
  add_table_options(*command, options);
  add_store_option(*command, options.store, settings);
  add_json_flag(*command, options.json);
  add_example(*command,
              "ampere kernels import phone.csv --device 'Some Phone'\n  ampere kernels "
              "import theirs.csv --columns 'energy_mj=Energy(mJ),CIN=cin'");
  return command;
}

CLI::App* add_export_verb(CLI::App& kernels, KernelsOptions& options, const Settings& settings) {
  CLI::App* command = kernels.add_subcommand("export", "A profile's measurements as CSV");
  command->add_option("--level", options.level, "kernel, model or application")
      ->capture_default_str();
  command->add_option("-o,--output", options.file, "File to write; standard output without it");
  add_profile_option(*command, options.profile);
  add_store_option(*command, options.store, settings);
  add_example(*command, "ampere kernels export --output kernels.csv");
  return command;
}

CLI::App* add_predict_verb(CLI::App& kernels, KernelsOptions& options, const Settings& settings) {
  CLI::App* command = kernels.add_subcommand(
      "predict", "What kernels on standard input cost, one a line: CSV below a header, or JSON");
  command->add_option("--predictor", options.predictor, "gp or forest")
      ->check(CLI::IsMember({"gp", "forest"}))
      ->default_str("gp");
  add_profile_option(*command, options.profile);
  add_store_option(*command, options.store, settings);
  add_json_flag(*command, options.json);
  add_example(*command,
              "echo '{\"kernel\": \"conv+bn+relu\", \"HW\": 56, \"CIN\": 64, \"COUT\": 64, "
              "\"KERNEL_SIZE\": 3, \"STRIDES\": 1}' | ampere kernels predict");
  return command;
}

}  // namespace

void add_kernels(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<KernelsOptions>();
  CLI::App* command =
      app.add_subcommand("kernels", "Inference: measure, fit, exchange and predict kernels");
  add_store_option(*command, options->store, settings);
  add_json_flag(*command, options->json);
  command->require_subcommand(0, 1);
  add_example(*command,
              "ampere kernels measure --rig cuda:0\n  ampere estimate resnet18 --mode inference");
  const CLI::App* measuring = add_measure_verb(*command, *options, settings);
  const CLI::App* fitting = add_fit_verb(*command, *options, settings);
  const CLI::App* importing = add_import_verb(*command, *options, settings);
  const CLI::App* exporting = add_export_verb(*command, *options, settings);
  const CLI::App* predicting = add_predict_verb(*command, *options, settings);
  command->callback([=] {
    if (measuring->parsed()) return measure_kernels(*options);
    if (options->predictor.empty()) options->predictor = predicting->parsed() ? "gp" : "both";
    if (fitting->parsed()) return fit_predictors(*options);
    if (importing->parsed()) return import_kernels(*options);
    if (exporting->parsed()) return export_kernels(*options);
    if (predicting->parsed()) return predict_kernels(*options);
    list_kernels(*options);
  });
}

}  // namespace ampere
