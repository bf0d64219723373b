// The jobs of a kill campaign: networks on simulated devices, with reservations that leave room for
// attempts which die.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "ampere/rig.h"
#include "fleet/chunks.h"
#include "fleet/job_work.h"
#include "sample_jobs.h"

namespace ampere::testing_support {

inline std::string campaign_slurm_id(const FleetJob& job) {
  return fmt::format("{}{:02}", job.id, job.round);
}

inline FleetJob campaign_job(const char* device, const char* network, double time_s, double scale) {
  JobWork work;
  work.model = open_model(network);
  work.rig = fmt::format("sim:{}", device);
  work.time_scale = scale;
  const Measurement each = open_rig(work.rig)->measure(*work.model, work.setup, {});
  work.iterations = static_cast<std::int64_t>(time_s / each.time_s.mean);
  const double power_w = each.energy_j.mean / each.time_s.mean, energy_j = power_w * time_s;
  FleetJob job = sample_job(network);
  job.kind = device;
  job.work = to_text(work);
  job.iterations = work.iterations;
  job.energy_j = {energy_j, 0.9 * energy_j, 1.1 * energy_j, 0.95};
  job.time_s = {time_s, 0.9 * time_s, 1.1 * time_s, 0.95};
  job.power_most = {1.2 * power_w};
  job.reserved = {1.5 * energy_j +
                  execution_overhead(Seconds{time_s}, job.power_most).energy.value};
  return job;
}

// A command under a meter. Whoever kills it leaves ten seconds of energy assumed, so it has plenty.
inline FleetJob campaign_command() {
  JobWork work;
  work.command = {"/bin/sh", "-c", "sleep 0.8"};
  work.meter = "modelled:static=10,core=0.001";
  work.checkpoint_grace = Seconds{1};
  FleetJob job = sample_job("command", 5000);
  job.work = to_text(work);
  job.power_most = {12};
  return job;
}

// `scale`: seconds that pass per simulated second.
inline std::vector<FleetJob> campaign_jobs(int count, double scale) {
  const std::vector<FleetJob> kinds{campaign_job("xavier", "lenet5", 60, scale),
                                    campaign_job("xavier", "cnn5:8,16,32,64", 120, scale),
                                    campaign_command()};
  std::vector<FleetJob> jobs;
  for (int i = 0; i < count; ++i) {
    FleetJob& job = jobs.emplace_back(kinds[static_cast<std::size_t>(i) % kinds.size()]);
    job.name = fmt::format("job-{}", i + 1);
  }
  return jobs;
}

}  // namespace ampere::testing_support
