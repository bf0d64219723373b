#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "ampere/error.h"
#include "base/amounts.h"
#include "base/known_keys.h"
#include "base/read_number.h"
#include "base/text.h"
#include "base/utc.h"
#include "fleet/fields.h"
#include "fleet/fleet_file.h"
#include "setup/asked_setup.h"

namespace ampere {
namespace {

constexpr std::int64_t kMostAlike = 10'000;

const std::vector<std::string>& job_keys() {
  static const std::vector<std::string> keys{
      "name",         "model",      "command",   "batch",   "optimizer",  "precision",
      "weight_decay", "fused",      "attention", "compile", "accumulate", "channels_last",
      "iterations",   "epochs",     "samples",   "begin",   "deadline",   "budget",
      "devices",      "confidence", "accounts",  "count"};
  return keys;
}

std::int64_t read_iterations(const JsonField& json, std::int64_t batch) {
  const bool epochs = json.has("epochs") && json.has("samples");
  if (!epochs && !json.has("iterations"))
    json.fail("needs either iterations, or epochs with samples");
  return *read_asked_iterations(json, batch);
}

// "2h" from now, or a moment.
std::optional<Seconds> read_moment(const JsonField& json, const std::string& key,
                                   std::chrono::sys_seconds now) {
  if (!json.has(key)) return std::nullopt;
  const JsonField field = json.at(key);
  const std::string text = field.text();
  const std::size_t dash = text.find('-');  // of a date
  if (dash == std::string::npos || dash == 0) return parse_time_span(text, field.path());
  const auto moment = parse_utc(text);
  if (!moment)
    field.fail(
        fmt::format("'{}' is neither a time from now, as in 2h, nor a moment in UTC, as in "
                    "2026-01-31T12:00:00Z",
                    text));
  const Seconds from_now = *moment - now;
  if (key == "deadline" && from_now <= Seconds(0))
    field.fail(fmt::format("{} has passed; now it is {}", text, utc_text(now)));
  return std::max(from_now, Seconds(0));
}

// Files are named from the list's own folder; names of the zoo have no such file there.
std::string model_from(const std::string& text, const std::filesystem::path& folder) {
  const bool is_file =
      text.ends_with(".onnx") || text.ends_with(".json") || text.ends_with(".program");
  return is_file ? (folder / text).string() : text;
}

JobSpec read_job(const JsonField& json, const JobSpec& defaults, const std::string& path,
                 std::chrono::sys_seconds now) {
  refuse_unknown_keys(json, job_keys());
  JobSpec job = defaults;
  job.command = texts_or_none(json, "command");
  if (!json.has("model"))
    json.fail(job.command.empty()
                  ? "needs a model"
                  : "has a command, but no model to estimate its energy by; give the network that "
                    "the command trains");
  job.model = model_from(json.at("model").text(), std::filesystem::path(path).parent_path());
  job.setup = read_asked_setup(json);
  job.iterations = read_iterations(json, job.setup.batch);
  job.begin_after = read_moment(json, "begin", now);
  job.deadline = read_moment(json, "deadline", now);
  if (json.has("budget"))
    job.budget = parse_energy(json.at("budget").text(), json.at("budget").path());
  if (json.has("devices")) {
    job.devices = texts_of(json.at("devices"));
    if (job.devices.empty()) json.at("devices").fail("is an empty list");
  }
  if (json.has("confidence")) {
    job.confidence = json.at("confidence").number();
    if (!(job.confidence > 0 && job.confidence < 1))
      json.at("confidence").fail("must be between 0 and 1");
  }
  if (json.has("accounts")) job.accounts = texts_of(json.at("accounts"));
  return job;
}

// One job, or so many alike with numbers behind their names.
void add_jobs(const JsonField& json, const JobSpec& defaults, std::chrono::sys_seconds now,
              JobFile& file) {
  const std::string name = plain_name(json.at("name"));
  const JsonField named(json.json(), fmt::format("{}: job '{}': ", file.path, name));
  JobSpec job = read_job(named, defaults, file.path, now);
  job.name = name;
  if (!named.has("count")) {
    file.jobs.push_back(std::move(job));
    return;
  }
  const std::int64_t count = read_whole_up_to(named.at("count"), kMostAlike);
  for (std::int64_t i = 1; i <= count; ++i) {
    file.jobs.push_back(job);
    file.jobs.back().name = fmt::format("{}-{}", name, i);
  }
}

}  // namespace

JobFile read_job_file(const Json& document, const std::string& path, std::chrono::sys_seconds now) {
  static const std::vector<std::string> kKeys{"name", "accounts", "confidence", "jobs"};
  const JsonField json(document, path + ": ");
  refuse_unknown_keys(json, kKeys);
  JobFile file{path, std::filesystem::path(path).stem().string(), {}};
  if (json.has("name")) file.name = plain_name(json.at("name"));
  JobSpec defaults;
  defaults.accounts = texts_or_none(json, "accounts");
  defaults.confidence = json.number_or("confidence", defaults.confidence);
  if (!(defaults.confidence > 0 && defaults.confidence < 1))
    json.at("confidence").fail("must be between 0 and 1");
  if (json.has("jobs"))
    for (const JsonField& job : json.at("jobs").items()) add_jobs(job, defaults, now, file);
  if (file.jobs.empty()) json.fail("there are no jobs; write [[jobs]] entries");
  std::set<std::string> names;
  for (const JobSpec& job : file.jobs)
    if (!names.insert(job.name).second)
      json.fail(fmt::format("job '{}' occurs twice; every job needs a name of its own", job.name));
  return file;
}

}  // namespace ampere
