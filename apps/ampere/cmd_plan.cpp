#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "ampere/error.h"
#include "base/amounts.h"
#include "base/json_text.h"
#include "base/read_file.h"
#include "base/text.h"
#include "base/utc.h"
#include "commands.h"
#include "estimate_subject.h"
#include "fleet_options.h"
#include "front_door.h"
#include "plan_options.h"
#include "plan_output.h"
#include "profile_command.h"
#include "remedies.h"
#include "rig/rig_spec.h"
#include "script_argument.h"
#include "smaller_batch.h"

namespace ampere {
namespace {

std::optional<Seconds> deadline_of(const std::string& text, std::chrono::sys_seconds now) {
  if (text.empty()) return std::nullopt;
  const std::size_t dash = text.find('-');  // of a date
  if (dash == std::string::npos || dash == 0) return parse_time_span(text, "--deadline");
  const auto moment = parse_utc(text);
  if (!moment)
    throw Error(
        ErrorCode::usage,
        fmt::format("--deadline: '{}' is neither a time from now, as in 2h, nor a moment in "
                    "UTC, as in 2026-01-31T12:00:00Z",
                    text));
  const Seconds from_now = *moment - now;
  if (from_now <= Seconds(0))
    throw Error(ErrorCode::usage,
                fmt::format("--deadline: {} has passed; now it is {}", text, utc_text(now)));
  return from_now;
}

// Where the wish for a start is, and what it needs.
void check_start(const PlanArguments& options) {
  const bool cleanest = options.start == "cleanest", cheapest = options.start == "cheapest";
  if ((cleanest && options.carbon_forecast.empty()) || (cheapest && options.price_forecast.empty()))
    throw Error(
        ErrorCode::usage,
        fmt::format("--start {}: the hours are not known; give --{}-forecast FILE with them",
                    options.start, cleanest ? "carbon" : "price"));
  if ((cleanest || cheapest) && options.deadline.empty())
    throw Error(
        ErrorCode::usage,
        fmt::format("--start {}: say by when the run must end, with --deadline", options.start));
}

// What would be ignored is refused: whoever wrote it expects it in the answer.
void check_partners(const CLI::App& command) {
  const auto given = [&](const char* option) { return command.count(option) > 0; };
  for (const auto& [one, other] :
       {std::pair{"--carbon", "--carbon-forecast"}, std::pair{"--price", "--price-forecast"}})
    if (given(one) && given(other))
      throw Error(ErrorCode::usage,
                  fmt::format("{} and {} both say it; give only one", one, other));
  for (const auto& [option, partner] : {std::pair{"--trial-share", "--trials"},
                                        std::pair{"--checkpoint-time", "--checkpoint-every"},
                                        std::pair{"--validate-every", "--validation-samples"},
                                        std::pair{"--validation-share", "--validation-samples"}})
    if (given(option) && !given(partner))
      throw Error(ErrorCode::usage, fmt::format("{} has no effect without {}; give both or neither",
                                                option, partner));
}

class Planning {
 public:
  explicit Planning(const PlanArguments& options)
      : options_(options), task_(run_task(options)), now_(utc_seconds_now()) {
    check_start(options);
    deadline_ = deadline_of(options.deadline, now_);
    if (!options.device.empty() && !options.profile.empty())
      throw Error(ErrorCode::usage, "--device and --profile both choose a profile; give only one");
    check_method(options.method);
    query_.setup = options.setup.setup();
    query_.profile = options.profile;
    query_.device = options.device;
    if (options.rig_given && options.device.empty() && !is_script(options.model))
      query_.rig = options.rig.rig;
    query_.rig_options = options.rig.options();
    query_.method = options.method;
  }

  void run() {
    const std::vector<Named> forecasts = load_forecasts();
    const PlannedRun planned = plan();
    RunReport report{options_.model, planned, task_, {}, now_};
    add_values(forecasts, report);
    add_what_never_comes(report);
    if (options_.json)
      fmt::print("{}\n", json_text(run_json(report)));
    else
      print_training_run(report);
  }

 private:
  struct Named {
    std::string value, path;
    Forecast forecast;
  };

  // Before anything is estimated, since a wrong file is noticed first.
  std::vector<Named> load_forecasts() const {
    std::vector<Named> all;
    for (const auto& [value, path, kind] :
         {std::tuple{"carbon_g", options_.carbon_forecast, ForecastKind::carbon},
          std::tuple{"price", options_.price_forecast, ForecastKind::price}})
      if (!path.empty())
        all.push_back(
            {value, path, parse_forecast(read_file(path, kLargestTable), path, now_, kind)});
    return all;
  }

  // The power of the waiting device is the one thing that an option can say; everything else that
  // is not known comes with a remedy of its own.
  template <class Subject>
  PlannedRun plan_of(const Session& session, const Subject& subject) const try {
    return session.plan(subject, query_, task_);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unknown || error.remedy() != Remedy::none) throw;
    throw error.saying(fmt::format("{}; state it with --waiting-power 100W", error.what()));
  }

  PlannedRun plan() {
    const Session session = open_preview_session(options_.store);
    try {
      return plan_with(session);
    } catch (const Error& error) {
      throw with_remedies(error, session);
    }
  }

  // A profile of the network or, where there is none at all, one that came with the program.
  Error with_remedies(const Error& error, const Session& session) const {
    const std::vector<ProfileRow> known = session.store().profiles();
    const bool of_any_device = options_.device.empty() && options_.profile.empty();
    const std::string of_store = of_any_device ? rig_of(known) : "";
    const Error named = with_profile_command(
        error, {options_.model, query_.setup, options_.rig_given ? options_.rig.rig : of_store});
    const std::vector<ProfileRow> shipped = session.shipped_profiles();
    if (error.remedy() != Remedy::profile || !known.empty() || !options_.device.empty() ||
        shipped.empty())
      return named;
    return Error(named.code(),
                 fmt::format("{}; or name a device whose profile came with the program, as in "
                             "--device {}",
                             with_remedy(named), shipped.front().shipped));
  }

  PlannedRun plan_with(const Session& session) {
    if (const auto script = script_argument(options_.model, options_.arguments)) {
      refuse_setup_option(options_.setup_option);
      const auto rig = open_rig(torch_rig_of(options_.rig.rig), options_.rig.options());
      if (query_.profile.empty() && query_.device.empty())
        query_.profile = rig->device().fingerprint;
      TraceRequest request;
      request.step = *script;
      return plan_of(session, rig->trace(request).program);
    }
    const EstimateSubject subject = open_subject(options_.model, options_.source);
    if (subject.program() == nullptr) return plan_model(session, std::get<Model>(subject.what));
    if (!options_.setup_option.empty())
      throw Error(ErrorCode::usage,
                  fmt::format("{}: is one traced iteration, whose setup is fixed; leave {} out",
                              options_.model, options_.setup_option));
    return plan_of(session, *subject.program());
  }

  PlannedRun plan_model(const Session& session, const Model& model) const {
    PlannedRun planned = plan_of(session, model);
    warn_of_smaller_batch(model, query_.setup, planned.answer.profile.row.device,
                          planned.answer.estimate);
    return planned;
  }

  void add_what_never_comes(RunReport& report) const {
    const TrainingRun& run = report.planned.run;
    const auto warn = [&](const char* stage, const char* option, const std::string& every) {
      if (std::ranges::find(run.stages, stage, &RunStage::name) == run.stages.end())
        report.warnings.push_back(fmt::format("{} {} never comes in {} of {}: the plan has no {}",
                                              option, every, counted(task_.epochs, "epoch"),
                                              counted(run.iterations, "iteration"), stage));
    };
    if (task_.validation_samples > 0)
      warn("validation", "--validate-every", options_.validate_every);
    if (task_.checkpoints && task_.checkpoint_time.count() > 0)
      warn("checkpoints", "--checkpoint-every", options_.checkpoint_every);
  }

  void add_values(const std::vector<Named>& forecasts, RunReport& report) const {
    const TrainingRun& run = report.planned.run;
    if (options_.carbon_forecast.empty() && options_.carbon > 0)
      report.values.push_back({"carbon_g", "g/kWh", options_.carbon, {}});
    if (options_.price_forecast.empty() && options_.price > 0)
      report.values.push_back({"price", "", options_.price, {}});
    if (deadline_ || !forecasts.empty()) report.begin = Seconds(0);
    if (deadline_) require_time(Seconds(run.time_s.high), *deadline_);
    const TimedRun timed{{run.energy_j.mean}, Seconds(run.time_s.mean), Seconds(run.time_s.high)};
    for (const Named& each : forecasts) {
      RunValue value{each.value,
                     each.forecast.unit,
                     {},
                     best_start(timed, each.forecast, deadline_, each.path)};
      const bool decides = options_.start == (each.value == "price" ? "cheapest" : "cleanest");
      if (decides) report.begin = value.by_start->best.begin;
      if (value.by_start->cut_by_forecast)
        report.warnings.push_back(fmt::format(
            "{} ends before the deadline: starts after {} were not considered", each.path,
            utc_text(now_ + std::chrono::floor<std::chrono::seconds>(value.by_start->latest))));
      report.values.push_back(std::move(value));
    }
  }

  const PlanArguments& options_;
  RunTask task_;
  std::chrono::sys_seconds now_;
  std::optional<Seconds> deadline_;
  ProfileQuery query_;
};

void plan(CLI::App& command, PlanArguments& options) {
  if (!options.file.empty()) apply_file(command, options.file);
  if (options.model.empty())
    throw Error(
        ErrorCode::usage,
        "plan needs a MODEL, or a file that names one (--from); `ampere models` lists them");
  check_partners(command);
  options.setup_option = given_setup_option(command);
  options.rig_given = command.count("--rig") > 0;
  Planning(options).run();
}

}  // namespace

void add_plan(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<PlanArguments>();
  CLI::App* command = app.add_subcommand(
      "plan",
      "Estimates a whole training run: validation, checkpoints, waiting and a search included, "
      "with carbon, price and the best hour to start");
  add_plan_options(*command, *options, settings);
  add_example(*command,
              "ampere plan resnet50:size=224 --batch 256 --epochs 90 --samples 1281167 "
              "--validation-samples 50000 --device h200");
  command->callback([command, options] { plan(*command, *options); });
}

}  // namespace ampere
