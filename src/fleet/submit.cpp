#include "fleet/submit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "ampere/error.h"
#include "base/utc.h"
#include "fleet/costs.h"
#include "fleet/job_work.h"
#include "fleet/script.h"

namespace ampere {
namespace {

// Slurm's limit ends a job that goes on for ever. It must never end one that is merely slow, so it
// has room for starting the program and for a busy node.
constexpr Seconds kStartingAtMost{60};
constexpr double kSlack = 1.1;

// By the clock of the cluster, where a simulated device may be quicker.
Seconds longest(const FleetJob& job) {
  const JobWork work = parse_job_work(job.work, slurm_name(job));
  const Seconds most(job.time_s.high);
  return (most + job_overhead(work.is_command(), most, job.power_most).time) * work.time_scale;
}

std::int64_t minutes_for(const FleetJob& job) {
  return std::llround(std::ceil((longest(job) * kSlack + kStartingAtMost).count() / 60));
}

std::optional<Seconds> from_now(const std::optional<std::string>& utc,
                                std::chrono::sys_seconds now) {
  if (!utc) return std::nullopt;
  const auto moment = parse_utc(*utc);
  if (!moment) throw Error(ErrorCode::failed, fmt::format("'{}' is not a moment in UTC", *utc));
  return std::max(Seconds(*moment - now), Seconds(0));
}

SlurmRequest request_for(const FleetJob& job, const KindSpec& kind, const SubmitOptions& options) {
  SlurmRequest request;
  request.name = slurm_name(job);
  request.script =
      job_script(options.store, {options.program, "fleet", "execute", std::to_string(job.id)});
  request.constraint = kind.constraint;
  if (!kind.gres.empty()) request.gres = kind.gres;
  if (options.with_watts) request.watts = std::llround(std::ceil(job.power_most.value));
  request.minutes = minutes_for(job);
  request.begin_in = from_now(job.begin, options.now);
  // Slurm removes a job whose limit reaches beyond its deadline. The limit is longer than the job
  // can take, so the deadline is later by as much: Slurm then removes it as soon as it cannot end
  // in time by its upper bound.
  if (const auto deadline = from_now(job.deadline, options.now))
    request.deadline_in =
        *deadline + Seconds(60.0 * static_cast<double>(request.minutes)) - longest(job);
  request.output = fmt::format("{}/{}-{}.log", options.logs, job.list, job.name);
  return request;
}

// Of its iterations. A command is done from its beginning again.
double share_left(const FleetJob& job) {
  if (job.iterations <= 0) return 1;
  return 1 - static_cast<double>(job.iterations_done) / static_cast<double>(job.iterations);
}

// Whether it cannot end before its deadline, even if it began now.
bool is_too_late(const FleetJob& job, std::chrono::sys_seconds now) {
  const auto deadline = from_now(job.deadline, now);
  return deadline && *deadline < longest(job) * share_left(job);
}

// What the rest of a lost job may take: it goes on after the iterations that were recorded.
Joules most_for_rest(const FleetJob& job) {
  const double left = share_left(job);
  const bool command = parse_job_work(job.work, slurm_name(job)).is_command();
  const Overhead overhead = job_overhead(command, Seconds(job.time_s.high * left), job.power_most);
  return std::min(job.reserved, Joules{job.energy_j.high * left} + overhead.energy);
}

void submit_one(JobTable& table, const Slurm& slurm, const FleetFile& fleet, const FleetJob& job,
                const SubmitOptions& options) try {
  table.submitted(job.id, slurm.submit(request_for(job, fleet.kind(job.kind), options)));
} catch (const Error& error) {
  throw error.saying(fmt::format("job '{}' on {}: {}", job.name, job.kind, error.what()));
}

// By id and name: a controller that was killed may give an id a second time, to another job.
// Nothing when Slurm does not have the job.
const SlurmJob* in_queue(const std::vector<SlurmJob>& queue, const FleetJob& job) {
  const auto found = std::ranges::find_if(queue, [&, name = slurm_name(job)](const SlurmJob& each) {
    return each.id == job.slurm_id && each.name == name;
  });
  return found == queue.end() ? nullptr : &*found;
}

Seconds since(const std::string& utc, std::chrono::sys_seconds now) {
  const auto moment = parse_utc(utc);
  return moment ? Seconds(now - *moment) : Seconds(0);
}

// In Slurm's queue although their jobs have ended. A controller that was killed submits or requeues
// what it had forgotten, and a node that it believes to be busy stays so for minutes. One that runs
// is left alone until its executor has had the time to exit.
std::vector<std::string> left_behind(JobTable& table, const std::string& list,
                                     const std::vector<SlurmJob>& queue, Seconds silence) {
  const std::chrono::sys_seconds now = table.now();
  std::vector<std::string> ids;
  for (const FleetJob& job : table.find({list, {}}))
    for (const SlurmJob& slurm : queue)
      if (has_ended(job.state) && slurm.name == slurm_name(job) &&
          (slurm.state == "PENDING" || since(job.ended_at, now) > silence))
        ids.push_back(slurm.id);
  return ids;
}

}  // namespace

std::string slurm_name(const FleetJob& job) {
  return fmt::format("{}{}-{}", kSlurmPrefix, job.list, job.id);
}

bool died_on_the_way(JobTable& table, const FleetJob& job) {
  if (job.state != JobState::stopped) return job.state == JobState::lost;
  const auto reservation = table.ledger().find(reservation_name(job));
  return reservation && reservation->how == Settled::assumed;
}

Reconciled reconcile(JobTable& table, const Slurm& slurm, Seconds silence,
                     const std::string& list) {
  JobQuery query;
  if (!list.empty()) query.list = list;
  query.states = {JobState::planned, JobState::submitted, JobState::running};
  // The table before the queue: what was submitted in between is then only missing here.
  const std::vector<FleetJob> jobs = table.find(query);
  Reconciled result{{}, slurm.jobs(kSlurmPrefix)};
  for (const FleetJob& job : jobs) {
    const bool silent = job.silent.value_or(Seconds(0)) >= silence;
    if (const SlurmJob* slurm_job = in_queue(result.queue, job)) {
      if (job.state == JobState::running && silent && slurm_job->state == "PENDING")
        table.requeued(job.id, job.attempt);
      continue;
    }
    const auto named = std::ranges::find(result.queue, slurm_name(job), &SlurmJob::name);
    if (job.state != JobState::running && named != result.queue.end()) {
      table.submitted(job.id, named->id);
      continue;
    }
    if (job.state == JobState::planned) continue;
    if (job.state == JobState::running && !silent) continue;
    table.lose(job.id, "Slurm no longer has it and it did not report its end");
    result.lost.push_back(table.get(job.id));
  }
  return result;
}

Submitted submit_list(JobTable& table, const Slurm& slurm, const FleetFile& fleet,
                      const std::string& list, const SubmitOptions& options) {
  std::filesystem::create_directories(options.logs);
  Submitted result;
  const Reconciled now = reconcile(table, slurm, options.silence, list);
  for (const FleetJob& job : table.find({list, {JobState::lost, JobState::stopped}})) {
    if (!died_on_the_way(table, job)) continue;
    if (is_too_late(job, options.now)) {
      result.too_late.push_back(job);
      continue;
    }
    table.again(job.id, most_for_rest(job));
    ++result.again;
  }
  for (const FleetJob& job : table.find({list, {JobState::planned}})) {
    if (is_too_late(job, options.now)) {
      table.cancel(job.id, fmt::format("it cannot end before its deadline {}", *job.deadline));
      result.too_late.push_back(job);
      continue;
    }
    submit_one(table, slurm, fleet, job, options);
    ++result.submitted;
  }
  slurm.cancel(left_behind(table, list, now.queue, options.silence));
  std::vector<std::string> held;
  for (const FleetJob& job : table.find({list, {JobState::submitted}}))
    for (const SlurmJob& slurm_job : now.queue)
      if (slurm_job.id == job.slurm_id && slurm_job.launch_failed()) held.push_back(slurm_job.id);
  slurm.release(held);
  return result;
}

}  // namespace ampere
