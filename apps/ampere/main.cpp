// ampere: what training a network will cost on a device, before it is run.
#include <fmt/format.h>

#include <exception>

#include "ampere/error.h"
#include "base/interrupt.h"
#include "commands.h"

namespace {

int report(const std::string& message, ampere::ErrorCode code) {
  fmt::print(stderr, "ampere: {}\n", message);
  return ampere::exit_status(code);
}

int run(int argc, char** argv) {
  std::vector<std::string> warnings;
  const ampere::Settings settings = ampere::load_settings(warnings);
  for (const std::string& warning : warnings) fmt::print(stderr, "ampere: warning: {}\n", warning);

  CLI::App app(
      "What training a neural network will cost, in joules and seconds, on your device, before you "
      "run it.",
      "ampere");
  app.set_version_flag("--version", "ampere " AMPERE_VERSION);
  app.require_subcommand(1);
  app.fallthrough(false);
  ampere::add_doctor(app, settings);
  ampere::add_models(app);
  ampere::add_show(app);
  ampere::add_run(app, settings);
  ampere::add_profile(app, settings);
  ampere::add_profiles(app, settings);
  ampere::add_estimate(app, settings);
  ampere::add_evaluate(app, settings);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return report(fmt::format("{}\nRun with --help for more information.", error.what()),
                  ampere::ErrorCode::usage);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  ampere::install_interrupt_handler();
  try {
    return run(argc, argv);
  } catch (const ampere::Error& error) {
    return report(error.what(), error.code());
  } catch (const std::exception& error) {
    return report(error.what(), ampere::ErrorCode::failed);
  }
}
