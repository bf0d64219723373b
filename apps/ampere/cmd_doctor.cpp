#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "ampere/meter.h"
#include "ampere/rig.h"
#include "ampere/store.h"
#include "base/json.h"
#include "base/json_text.h"
#include "base/or_null.h"
#include "base/text.h"
#include "commands.h"
#include "meter/quality.h"
#include "options.h"
#include "print.h"
#include "record/record_json.h"
#include "rig/find_python.h"
#include "sql/sql.h"
#include "store/check_store.h"

namespace ampere {
namespace {

constexpr Seconds kMeterTestTime{1.5};

struct DoctorArguments {
  RigSelection rig;
  std::string store;
  bool json = false;
};

struct DoctorFinding {
  std::string what;
  bool works = false;
  std::string text = {};                   // what it is, or why it does not work
  std::vector<std::string> remedies = {};  // the best first; none when it works
  std::vector<std::string> details = {};   // printed as text
  Json more = Json::object();              // printed as JSON
};

std::string remedy_for(const std::string& rig) {
  if (rig.starts_with("torch"))
    return "needs a Python interpreter with PyTorch 1.13 or newer: name one with --python";
  if (rig.starts_with("cuda"))
    return "needs an NVIDIA GPU and a runner built against a PyTorch with CUDA; see "
           "docs/training.md";
  if (rig == "cpu") return "build ampere-runner with `make build`, or give its path with --runner";
  return "see docs/runner-protocol.md for what a rig's command must do";
}

DoctorFinding examine_rig(const std::string& name, const RigSelection& selection) {
  DoctorFinding finding{.what = "rig " + name};
  try {
    const auto rig = open_rig(name, selection.options());
    const DeviceInfo& device = rig->device();
    finding.works = true;
    finding.text = fmt::format("{}; {}; meter {} ({})", device.name, device.framework, device.meter,
                               to_string(device.source));
    finding.more = {
        {"device", device.name}, {"meter", device.meter}, {"source", to_string(device.source)}};
  } catch (const Error& error) {
    finding.text = error.what();
    finding.remedies = {remedy_for(name)};
  }
  return finding;
}

std::string period_text(const MeterInfo& info) {
  return info.update_period.count() > 0
             ? "updates every " + with_unit(info.update_period.count(), "s")
             : "updates at every read";
}

std::string domain_text(const MeterDomain& domain) {
  return fmt::format("{}{}{}", domain.name, domain.contains.empty() ? "" : ": " + domain.contains,
                     domain.in_total ? "" : " (not in the total)");
}

void describe_meter(const MeterInfo& info, DoctorFinding& finding) {
  finding.more = meter_json(info);
  for (const MeterDomain& domain : info.domains)
    finding.details.push_back("contains " + domain_text(domain));
  for (const std::string& caveat : info.caveats) finding.details.push_back("note: " + caveat);
}

// A modelled meter has no noise to measure.
void examine_quality(Meter& meter, DoctorFinding& finding) {
  const MeterInfo& info = meter.info();
  std::string text = fmt::format("{}, {}", to_string(info.sensing), period_text(info));
  if (info.resolution.value > 0) text += ", in steps of " + with_unit(info.resolution.value, "J");
  finding.more["power_w"] = nullptr;
  finding.more["noise_w"] = nullptr;
  if (info.source == Source::measured) {
    const MeterQuality quality = examine_meter(meter, kMeterTestTime);
    finding.more["power_w"] = quality.power.value;
    text += fmt::format("; {} now", with_unit(quality.power.value, "W"));
    if (quality.noise) {
      finding.more["noise_w"] = quality.noise->value;
      text += fmt::format(" ± {} between intervals of {}", with_unit(quality.noise->value, "W"),
                          with_unit(quality.stretch.count(), "s"));
    }
  }
  finding.details.insert(finding.details.begin(), text);
}

// A probe only tests whether the meter is there; this opens it and reads it.
DoctorFinding examine_meter_of(const MeterProbe& probe) {
  DoctorFinding finding{.what = "meter " + probe.name,
                        .works = probe.available,
                        .text = probe.reason,
                        .remedies = probe.remedies};
  if (!probe.available) return finding;
  try {
    const auto meter = open_meter(probe.name);
    describe_meter(meter->info(), finding);
    examine_quality(*meter, finding);
  } catch (const Error& error) {
    finding.works = false;
    finding.text = error.what();
  }
  return finding;
}

DoctorFinding examine_python(const PythonProbe& python) {
  DoctorFinding finding{.what = "python " + python.path, .works = python.torch.has_value()};
  finding.more = {{"version", python.version.empty() ? Json(nullptr) : Json(python.version)},
                  {"torch", or_null(python.torch)}};
  if (python.version.empty()) {
    finding.text = "does not run";
  } else if (python.torch) {
    finding.text = fmt::format("Python {} with PyTorch {}", python.version, *python.torch);
  } else {
    finding.text = fmt::format("Python {} without PyTorch", python.version);
    finding.remedies = {"install PyTorch for it, or name another one with --python"};
  }
  return finding;
}

std::string store_text(const std::string& url) try {
  const std::size_t profiles = open_store(url, Access::read)->profiles().size();
  return fmt::format("{}: {}", masked_url(url),
                     counted(static_cast<std::int64_t>(profiles), "profile"));
} catch (const Error& error) {
  if (error.code() != ErrorCode::unknown) throw;
  return masked_url(url) + ": empty; the first profile creates it";
}

DoctorFinding examine_store(const std::string& url) {
  DoctorFinding finding{.what = "store", .works = true};
  try {
    finding.text = store_text(url);
    check_store_can_be_written(url);
  } catch (const Error& error) {
    finding.works = false;
    finding.text = error.what();
    finding.remedies = {"choose another one with --store"};
  }
  return finding;
}

// What `ampere profile` with the same options would use: `local` is the GPU where there is one.
DoctorFinding conclude(const std::string& rig, const std::vector<DoctorFinding>& findings) {
  const auto found = std::ranges::find_if(findings, [&](const DoctorFinding& finding) {
    if (rig == "local")
      return finding.works && (finding.what == "rig cuda:0" || finding.what == "rig cpu");
    return finding.what == "rig " + rig;
  });
  DoctorFinding conclusion{.what = "profile"};
  if (found == findings.end() || !found->works) {
    conclusion.text = fmt::format("nothing can be profiled here: rig {} does not work", rig);
    conclusion.more = {{"source", nullptr}};
    return conclusion;
  }
  const std::string device = found->more["device"], meter = found->more["meter"],
                    source = found->more["source"];
  conclusion.works = true;
  conclusion.more = found->more;
  conclusion.text = fmt::format(
      "a profile taken here will be based on {} joules: {} by {}{}", source, device, meter,
      source == "modelled" ? "; no meter measures its energy, only time is measured" : "");
  return conclusion;
}

void print_json(const DoctorFinding& finding) {
  Json json{{"what", finding.what},
            {"available", finding.works},
            {"reason", finding.text},
            {"remedies", finding.remedies}};
  json.update(finding.more);
  fmt::print("{}\n", json_text(json));
}

void print_text(const DoctorFinding& finding) {
  constexpr std::size_t kIndent = 6;
  const auto print = [&](const std::string& text) {
    print_wrapped(std::string(kIndent, ' ') + text, kIndent);
  };
  print_wrapped(fmt::format("{} {}: {}", finding.works ? "yes" : " no", finding.what, finding.text),
                kIndent);
  for (const std::string& detail : finding.details) print(detail);
  if (finding.works) return;
  for (std::size_t i = 0; i < finding.remedies.size(); ++i)
    print((finding.remedies.size() > 1 ? fmt::format("{}. ", i + 1) : "") + finding.remedies[i]);
}

void examine(const DoctorArguments& options) {
  std::vector<DoctorFinding> findings;
  const auto report = [&](DoctorFinding finding) {
    options.json ? print_json(finding) : print_text(finding);
    findings.push_back(std::move(finding));
  };
  report(examine_rig("cuda:0", options.rig));
  report(examine_rig("cpu", options.rig));
  for (const PythonProbe& python : probe_pythons()) report(examine_python(python));
  const std::string& rig = options.rig.rig;
  if (rig != "local" && rig != "cpu" && rig != "cuda:0") report(examine_rig(rig, options.rig));
  for (const MeterProbe& probe : probe_meters()) report(examine_meter_of(probe));
  report(examine_store(options.store));
  const DoctorFinding conclusion = conclude(rig, findings);
  if (options.json)
    print_json(conclusion);
  else
    print_wrapped(conclusion.text, 2);
}

}  // namespace

void add_doctor(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<DoctorArguments>();
  CLI::App* command = app.add_subcommand(
      "doctor", "Says what can be trained and measured here and, where something cannot, why");
  add_rig_options(*command, options->rig, settings);
  add_store_option(*command, options->store, settings);
  add_json_flag(*command, options->json);
  add_wide_flag(*command);
  add_example(*command, "ampere doctor");
  command->callback([options] { examine(*options); });
}

}  // namespace ampere
