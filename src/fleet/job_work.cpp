#include "fleet/job_work.h"

#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <cstring>

#include "base/json_text.h"
#include "base/read_number.h"
#include "fleet/signal_name.h"
#include "model/model_json.h"
#include "setup/setup_json.h"

namespace ampere {
namespace {

constexpr double kSlowestScale = 1000;

void check(const JobWork& work, const JsonField& json) {
  if (!work.model && !work.is_command()) json.fail("there is neither a model nor a command");
  if (!work.is_command() && work.iterations < 1)
    json.fail(fmt::format("{} is not a number of iterations to train", work.iterations));
  if (work.is_command() && work.command.front().empty()) json.fail("the command has no name");
  signal_number(work.checkpoint_signal);
  const double grace_s = work.checkpoint_grace.count();
  if (!(grace_s >= 0 && grace_s <= 86400))
    json.fail(fmt::format("{} s is not a time to save a command in", grace_s));
  if (!(work.time_scale >= 0 && work.time_scale <= kSlowestScale))
    json.fail(
        fmt::format("{} is not a scale of time from 0 to {}", work.time_scale, kSlowestScale));
}

Json work_json(const JobWork& work) {
  Json json{{"iterations", work.iterations}, {"rig", work.rig}, {"time_scale", work.time_scale}};
  if (work.model) {
    json["model"] = model_json(*work.model);
    json["setup"] = setup_json(work.setup);
  }
  if (work.seed != 0) json["seed"] = work.seed;
  if (!work.is_command()) return json;
  json["command"] = work.command;
  json["checkpoint_signal"] = work.checkpoint_signal;
  json["checkpoint_grace_s"] = work.checkpoint_grace.count();
  if (!work.folder.empty()) json["folder"] = work.folder;
  if (!work.meter.empty()) json["meter"] = work.meter;
  return json;
}

JobWork read_work(const JsonField& json) {
  JobWork work;
  if (json.has("model")) {
    work.model = read_model(json.at("model"));
    work.setup = read_setup(json.at("setup"));
  }
  work.iterations = json.integer_or("iterations", 0);
  if (json.has("command"))
    for (const JsonField& word : json.at("command").items()) work.command.push_back(word.text());
  work.folder = json.text_or("folder", "");
  work.checkpoint_signal = json.text_or("checkpoint_signal", work.checkpoint_signal);
  work.checkpoint_grace =
      Seconds(json.number_or("checkpoint_grace_s", work.checkpoint_grace.count()));
  work.rig = json.text_or("rig", work.rig);
  work.meter = json.text_or("meter", "");
  work.seed = static_cast<int>(json.integer_or("seed", 0));
  work.time_scale = json.number_or("time_scale", 1);
  return work;
}

}  // namespace

std::string to_text(const JobWork& work) {
  const Json json = work_json(work);
  check(work, JsonField(json, "the job: "));
  return json_text(json);
}

JobWork parse_job_work(const std::string& text, const std::string& origin) {
  const Json json = parse_json(text, origin);
  const JsonField field(json, origin + ": ");
  JobWork work = read_work(field);
  check(work, field);
  return work;
}

}  // namespace ampere
