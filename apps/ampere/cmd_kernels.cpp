#include "commands.h"
#include "estimate_options.h"
#include "kernels_verbs.h"
#include "ranges.h"

namespace ampere {
namespace {

CLI::App* add_measure_verb(CLI::App& kernels, KernelsOptions& options, const Settings& settings) {
  CLI::App* command = kernels.add_subcommand(
      "measure",
      "Tests which kernels the device fuses, then measures the kernels of these networks and "
      "kernels of similar sizes; continues where it stopped");
  add_models_argument(*command, options.models);
  command->get_option("MODEL")->description(
      "Zoo names and .onnx or .json files whose kernels are measured (default: the nine families "
      "of DeepEn2023)");
  add_onnx_options(*command, options.source);
  command->add_option("--batch", options.batch, "Samples per inference")
      ->check(whole_from_to(1, kLargestBatch))
      ->capture_default_str();
  command
      ->add_option("--configurations", options.configurations,
                   "Number of kernels to measure, including those in the store")
      ->check(whole_from_to(1, kMostCount))
      ->capture_default_str();
  add_time_limit_option(*command, options.time_limit, "measurement");
  command
      ->add_option("--tolerance", options.tolerance,
                   "A kernel type is finished when its cross-validated error is below this share")
      ->check(number_from_to(0, 1e6))
      ->capture_default_str();
  add_rig_options(*command, options.rig, settings);
  add_fp32_option(*command, options.precision);
  add_measuring_options(*command, options.measuring, SurveyOptions{}.precision);
  add_store_option(*command, options.store, settings);
  command->add_flag("--dry-run", options.dry_run,
                    "Measure nothing; say what would be measured and about how long it would take");
  add_json_flag(*command, options.json);
  add_example(*command,
              "ampere kernels measure --rig cuda:0 --time-limit 480\n  ampere kernels measure "
              "resnet18 mine.onnx --configurations 150");
  return command;
}

void add_table_options(CLI::App& command, KernelsOptions& options) {
  command.add_option("--columns", options.import.columns,
                     "Names of the columns in the file, as in energy_mj=Energy(mJ),CIN=cin");
  command.add_option("--kernel", options.import.kernel,
                     "Kernel type of all rows, for a file without that column");
  command
      .add_option("--source", options.energy_source,
                  "How the energies were found, in a file that does not say: measured, modelled or "
                  "simulated")
      ->check(CLI::IsMember({"measured", "modelled", "simulated"}));
  command
      .add_option("--tolerance", options.import.tolerance,
                  "Largest relative difference between energy and power times latency")
      ->check(number_from_to(0, 1e6))
      ->capture_default_str();
  command.add_flag("--strict", options.strict, "Accept all rows or none");
}

CLI::App* add_fit_verb(CLI::App& kernels, KernelsOptions& options, const Settings& settings) {
  CLI::App* command = kernels.add_subcommand(
      "fit", "Fits the predictors again and prints their cross-validated errors");
  command->add_option("--cv", options.folds, "Number of folds of the cross-validation; 0 for none")
      ->check(whole_from_to(0, 1000))
      ->capture_default_str();
  command
      ->add_option("--predictor", options.predictor,
                   "Predictors to fit: gp (Gaussian process), forest (random forest) or both")
      ->check(CLI::IsMember({"gp", "forest", "both"}))
      ->default_str("both");
  command->add_option("--table", options.table,
                      "Fit to this CSV file instead of the store, and keep nothing");
  add_table_options(*command, options);
  add_profile_option(*command, options.profile);
  add_store_option(*command, options.store, settings);
  add_json_flag(*command, options.json);
  add_example(*command, "ampere kernels fit --cv 5");
  return command;
}

CLI::App* add_import_verb(CLI::App& kernels, KernelsOptions& options, const Settings& settings) {
  CLI::App* command =
      kernels.add_subcommand("import", "Adds a CSV table of measurements to the store");
  command->add_option("FILE", options.file, "CSV file to read")->required();
  command->add_option("--device", options.device,
                      "Name of the measured device, for a file that does not say");
  add_table_options(*command, options);
  add_store_option(*command, options.store, settings);
  add_json_flag(*command, options.json);
  add_example(
      *command,
      "ampere kernels import phone.csv --device 'Some Phone' --source measured\n  ampere kernels "
      "import theirs.csv --columns 'energy_mj=Energy(mJ),CIN=cin'");
  return command;
}

CLI::App* add_export_verb(CLI::App& kernels, KernelsOptions& options, const Settings& settings) {
  CLI::App* command =
      kernels.add_subcommand("export", "Writes the measurements of a profile as CSV");
  add_hidden_alias(*command,
                   command->add_option("ID", options.profile,
                                       "Id of the profile (default: the latest of inference)"),
                   "--profile");
  command
      ->add_option("--level", options.level,
                   "Which measurements: kernel, model or application; all writes the three levels "
                   "as one table")
      ->capture_default_str();
  command->add_option("-o,--output", options.file, "File to write (default: standard output)");
  add_store_option(*command, options.store, settings);
  add_example(*command,
              "ampere kernels export 1 --output kernels.csv\n  ampere kernels export "
              "--level all --output data_set.csv");
  return command;
}

CLI::App* add_predict_verb(CLI::App& kernels, KernelsOptions& options, const Settings& settings) {
  CLI::App* command =
      kernels.add_subcommand("predict",
                             "Predicts the cost of kernels read from standard input, one per line, "
                             "as JSON or as CSV with a header");
  command
      ->add_option("--predictor", options.predictor,
                   "Predictor to use: gp (Gaussian process) or forest (random forest)")
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
  CLI::App* command = app.add_subcommand(
      "kernels", "Measures, fits, exchanges and predicts the kernels that inference consists of");
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
