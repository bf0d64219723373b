#include "fleet_job_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/plain_text.h"
#include "print.h"

namespace ampere {
namespace {

// Why it waits or how it ended, for people.
std::string note_of(const FleetJob& job, std::span<const SlurmJob> queue) {
  if (!job.reason.empty()) return plain_text(job.reason);
  const SlurmJob* slurm = in_queue(job, queue);
  if (job.state == JobState::submitted && slurm != nullptr && slurm->reason != "None")
    return "Slurm: " + plain_text(slurm->reason);
  return job.node;
}

std::string progress_text(const FleetJob& job) {
  if (job.iterations == 0) return job.state == JobState::finished ? "100 %" : "";
  return fmt::format("{:.0f} %", 100.0 * static_cast<double>(job.iterations_done) /
                                     static_cast<double>(job.iterations));
}

std::string spent_text(const FleetJob& job) {
  if (job.spent.value == 0) return "";
  return with_unit(job.spent.value, "J") + (job.source && *job.source != Source::measured
                                                ? fmt::format(" {}", to_string(*job.source))
                                                : "");
}

}  // namespace

void print_jobs(std::span<const FleetJob> jobs, std::span<const SlurmJob> queue) {
  std::vector<std::vector<std::string>> rows{
      {"job", "device", "state", "done", "spent", "reserved", "note"}};
  for (const FleetJob& job : jobs)
    rows.push_back({job.name, job.kind, to_string(job.state), progress_text(job), spent_text(job),
                    with_unit(job.reserved.value, "J"), note_of(job, queue)});
  print_table(rows);
}

std::string jobs_summary(std::span<const FleetJob> jobs) {
  constexpr std::array kStates{JobState::finished, JobState::running,  JobState::submitted,
                               JobState::planned,  JobState::failed,   JobState::stopped,
                               JobState::lost,     JobState::cancelled};
  std::vector<std::string> parts;
  for (const JobState state : kStates)
    if (const auto count = std::ranges::count(jobs, state, &FleetJob::state); count > 0)
      parts.push_back(fmt::format("{} {}", count, to_string(state)));
  double spent = 0, power = 0, open = 0;
  for (const FleetJob& job : jobs) {
    spent += job.spent.value;
    if (!has_ended(job.state)) open += job.reserved.value;
    if (job.state == JobState::running && job.power) power += job.power->value;
  }
  return fmt::format("{} jobs: {}; {} spent, {} reserved by those that go on, {}", jobs.size(),
                     fmt::join(parts, ", "), with_unit(spent, "J"), with_unit(open, "J"),
                     with_unit(power, "W"));
}

void print_accounts(std::span<const Account> accounts) {
  std::vector<std::vector<std::string>> rows{{"account", "granted", "reserved", "spent", "free"}};
  for (const Account& account : accounts)
    rows.push_back({account.name, with_unit(account.granted.value, "J"),
                    with_unit(account.reserved.value, "J"), with_unit(account.spent.value, "J"),
                    with_unit(account.free().value, "J")});
  print_table(rows);
}

}  // namespace ampere
