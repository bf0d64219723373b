#include <fmt/format.h>

#include <filesystem>

#include "ampere/error.h"
#include "ampere/meter.h"
#include "ampere/rig.h"
#include "ampere/store.h"
#include "base/json.h"
#include "commands.h"
#include "options.h"
#include "print.h"
#include "record/record_json.h"

namespace ampere {
namespace {

struct Options {
  RigSelection rig;
  std::string store;
  bool json = false;
};

struct Finding {
  std::string what;
  bool works = false;
  std::string text;    // what it is, or why it does not work
  std::string remedy;  // empty when it works
};

std::string remedy_for(const std::string& rig) {
  if (rig.starts_with("cuda"))
    return "needs an NVIDIA GPU and a runner built against a PyTorch with CUDA: docs/training.md";
  if (rig == "cpu")
    return "build ampere-runner with `make build`, or say where it is with --runner";
  return "docs/runner-protocol.md says what a rig's command must do";
}

Finding examine_rig(const std::string& name, const RigSelection& selection) {
  try {
    const auto rig = open_rig(name, {selection.meter, selection.runner, selection.seed});
    const DeviceInfo& device = rig->device();
    return {"rig " + name, true,
            fmt::format("{}; {}; meter {} ({})", device.name, device.framework, device.meter,
                        to_string(device.source)),
            ""};
  } catch (const Error& error) {
    return {"rig " + name, false, error.what(), remedy_for(name)};
  }
}

Finding examine_store(const std::string& url) {
  try {
    return {"store", true,
            fmt::format("{}: {} profiles", url, open_store(url, Access::read)->profiles().size()),
            ""};
  } catch (const Error& error) {
    if (error.code() == ErrorCode::unknown)
      return {"store", true, url + ": empty, made by the first profile", ""};
    return {"store", false, error.what(), "name another one with --store"};
  }
}

void examine(const Options& options) {
  std::vector<Finding> findings;
  findings.push_back(examine_rig("cpu", options.rig));
  findings.push_back(examine_rig("cuda:0", options.rig));
  if (options.rig.rig != "local") findings.push_back(examine_rig(options.rig.rig, options.rig));
  for (const MeterProbe& probe : probe_meters())
    findings.push_back({"meter " + probe.name, probe.available, probe.reason,
                        probe.remedies.empty() ? "" : probe.remedies.front()});
  findings.push_back(examine_store(options.store));

  for (const Finding& finding : findings) {
    if (options.json)
      fmt::print("{}\n",
                 Json{{"what", finding.what},
                      {"available", finding.works},
                      {"reason", finding.text},
                      {"remedy", finding.remedy.empty() ? Json(nullptr) : Json(finding.remedy)}}
                     .dump());
    else
      fmt::print("{} {}: {}\n{}", finding.works ? "yes" : " no", finding.what, finding.text,
                 finding.remedy.empty() ? "" : fmt::format("      {}\n", finding.remedy));
  }
}

}  // namespace

void add_doctor(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "doctor", "What can be trained and measured here, and what cannot and why");
  add_rig_options(*command, options->rig, settings);
  add_store_option(*command, options->store, settings);
  add_json_flag(*command, options->json);
  add_example(*command, "ampere doctor");
  command->callback([options] { examine(*options); });
}

}  // namespace ampere
