#include "fleet/slurm.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/text.h"
#include "rig/run_program.h"

namespace ampere {
namespace {

// Slurm's programs try again by themselves while a controller restarts.
constexpr Seconds kPatience{90};

constexpr std::string_view kNothing = "(null)";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string& line : split(text, '\n'))
    if (!trim(line).empty()) lines.emplace_back(trim(line));
  return lines;
}

[[noreturn]] void fail_on(const char* program, const std::string& line, const char* expected) {
  throw Error(ErrorCode::failed, fmt::format("{} printed '{}', which is not {}; is it Slurm's own?",
                                             program, plain_text(line).substr(0, 200), expected));
}

// The first fields; the last one holds all that is left, separators included.
std::vector<std::string> fields_of(const std::string& line, std::size_t count, const char* program,
                                   const char* expected) {
  std::vector<std::string> fields;
  std::size_t at = 0;
  while (fields.size() + 1 < count) {
    const std::size_t end = line.find('|', at);
    if (end == std::string::npos) fail_on(program, line, expected);
    fields.emplace_back(trim(line.substr(at, end - at)));
    at = end + 1;
  }
  fields.emplace_back(trim(line.substr(at)));
  if (fields.front().empty()) fail_on(program, line, expected);
  return fields;
}

// "gpu:a100:2(S:0-1),phone:1" has two of gpu and one of phone; "phone" alone means one.
std::map<std::string, std::int64_t> gres_of(const std::string& text) {
  std::map<std::string, std::int64_t> gres;
  if (text.empty() || text == kNothing) return gres;
  std::string plain;  // without what stands in parentheses, which may hold commas
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : 0;
    if (depth == 0) plain += c;
    depth -= c == ')' && depth > 0 ? 1 : 0;
  }
  for (const std::string& each : split(plain, ',')) {
    const std::vector<std::string> parts = split(each, ':');
    const bool counted = parts.size() > 1 && !parts.back().empty() &&
                         parts.back().find_first_not_of("0123456789") == std::string::npos;
    gres[parts.front()] += counted ? parse_integer(parts.back(), "sinfo: GRES " + each) : 1;
  }
  return gres;
}

// "Total=1000" among words like it.
std::optional<std::string> value_in(const std::string& line, const std::string& key) {
  for (const std::string& word : split(line, ' '))
    if (word.starts_with(key + "=")) return word.substr(key.size() + 1);
  return std::nullopt;
}

// What a program of Slurm said went wrong, without its name and "error:".
std::string complaint_of(const ProgramEnd& end) {
  std::string said;
  for (const std::string& line : lines_of(end.err)) {
    const std::size_t mark = line.find("error: ");
    said += (said.empty() ? "" : "; ") + (mark == std::string::npos ? line : line.substr(mark + 7));
  }
  if (said.empty()) said = fmt::format("it ended with status {}", end.status);
  return plain_text(said).substr(0, 500);
}

bool controller_is_away(const std::string& complaint) {
  constexpr std::array<const char*, 5> kSigns{
      "Unable to contact slurm controller", "Socket timed out", "Connection refused",
      "Zero Bytes were transmitted", "Slurm backup controller in standby"};
  return std::ranges::any_of(
      kSigns, [&](const char* sign) { return complaint.find(sign) != std::string::npos; });
}

bool configuration_is_missing() {
  const char* path = std::getenv("SLURM_CONF");
  return path != nullptr && *path != '\0' && access(path, R_OK) != 0;
}

std::string seconds_from_now(Seconds time) {
  return fmt::format("now+{}", std::max<std::int64_t>(0, std::llround(std::ceil(time.count()))));
}

}  // namespace

bool SlurmNode::usable() const {
  constexpr std::array<const char*, 7> kAway{"down",  "drain",  "fail",  "unknown",
                                             "maint", "reboot", "future"};
  if (state.ends_with("*")) return false;
  return std::ranges::none_of(
      kAway, [&](const char* word) { return state.find(word) != std::string::npos; });
}

bool SlurmNode::has(const std::string& feature) const {
  return std::ranges::find(features, feature) != features.end();
}

std::string Slurm::output_of(const std::vector<std::string>& argv, const std::string& input) const {
  if (configuration_is_missing())  // Slurm's programs would wait a minute for the file
    throw Error(ErrorCode::unknown,
                fmt::format("SLURM_CONF is {}, but there is no such file that can be read",
                            std::getenv("SLURM_CONF")));
  ProgramEnd end;
  try {
    end = run_program(argv, input, kPatience, stop_);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unknown) throw;
    throw Error(ErrorCode::unknown,
                fmt::format("Slurm is not installed here: there is no {} in PATH", argv.at(0)));
  }
  if (end.status == 0) return end.out;
  const std::string complaint = complaint_of(end);
  if (controller_is_away(complaint))
    throw Error(ErrorCode::failed,
                fmt::format("Slurm's controller does not answer ({}: {})", argv.at(0), complaint));
  throw Error(ErrorCode::failed, fmt::format("{}: {}", argv.at(0), complaint));
}

std::vector<SlurmNode> Slurm::nodes() const {
  std::vector<SlurmNode> nodes;
  for (const std::string& line : lines_of(output_of({"sinfo", "-h", "-N", "-o", "%N|%T|%G|%f"}))) {
    const auto fields = fields_of(line, 4, "sinfo", "NODE|STATE|GRES|FEATURES");
    SlurmNode node{fields[0], fields[1], {}, gres_of(fields[2])};
    if (fields[3] != kNothing)
      for (const std::string& feature : split(fields[3], ','))
        if (!feature.empty()) node.features.push_back(feature);
    // One that is in several partitions is listed for each.
    if (std::ranges::find(nodes, node.name, &SlurmNode::name) == nodes.end())
      nodes.push_back(std::move(node));
  }
  return nodes;
}

std::vector<SlurmJob> Slurm::jobs(const std::string& name_prefix) const {
  std::vector<SlurmJob> jobs;
  // The name comes last, since other people's may contain anything.
  for (const std::string& line :
       lines_of(output_of({"squeue", "-h", "-a", "-o", "%i|%T|%r|%N|%j"}))) {
    const auto fields = fields_of(line, 5, "squeue", "ID|STATE|REASON|NODES|NAME");
    if (fields[4].starts_with(name_prefix))
      jobs.push_back({fields[0], fields[4], fields[1], fields[2], fields[3]});
  }
  return jobs;
}

std::optional<SlurmLicences> Slurm::licences(const std::string& name) const {
  for (const std::string& line : lines_of(output_of({"scontrol", "-o", "show", "licenses"}))) {
    if (value_in(line, "LicenseName") != name) continue;
    const auto total = value_in(line, "Total"), used = value_in(line, "Used");
    if (!total || !used) fail_on("scontrol", line, "LicenseName=… Total=… Used=…");
    return SlurmLicences{parse_integer(*total, "scontrol: Total of " + name),
                         parse_integer(*used, "scontrol: Used of " + name)};
  }
  return std::nullopt;
}

std::string Slurm::submit(const SlurmRequest& request) const {
  std::vector<std::string> argv{"sbatch", "--parsable", "--nodes",     "1",     "--ntasks",
                                "1",      "--requeue",  "--open-mode", "append"};
  const auto add = [&](const char* option, const std::string& value) {
    if (value.empty()) return;
    argv.emplace_back(option);
    argv.push_back(value);
  };
  add("--job-name", request.name);
  add("--time", std::to_string(request.minutes));
  add("--output", request.output);
  add("--chdir", request.folder);
  add("--constraint", request.constraint);
  add("--gres", request.gres);
  if (request.gres.empty() && request.exclusive) argv.emplace_back("--exclusive");
  if (request.watts > 0) add("--licenses", fmt::format("{}:{}", kWattLicence, request.watts));
  if (request.begin_in) add("--begin", seconds_from_now(*request.begin_in));
  if (request.deadline_in) add("--deadline", seconds_from_now(*request.deadline_in));
  const std::string out = output_of(argv, request.script);
  // "17", or "17;cluster" on one of several clusters.
  const std::string id = split(std::string(trim(out)), ';').front();
  if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos)
    fail_on("sbatch", out, "the id of a job");
  return id;
}

void Slurm::release(const std::vector<std::string>& ids) const {
  if (ids.empty()) return;
  std::vector<std::string> argv{"scontrol", "release"};
  argv.insert(argv.end(), ids.begin(), ids.end());
  output_of(argv);
}

void Slurm::cancel(const std::vector<std::string>& ids) const {
  if (ids.empty()) return;
  std::vector<std::string> argv{"scancel", "--quiet"};
  argv.insert(argv.end(), ids.begin(), ids.end());
  output_of(argv);
}

bool has_slurm() {
  const char* path = std::getenv("PATH");
  if (path == nullptr) return false;
  return std::ranges::any_of(split(path, ':'), [](const std::string& folder) {
    return access((folder + "/sinfo").c_str(), X_OK) == 0;
  });
}

}  // namespace ampere
