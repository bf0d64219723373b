// A kill campaign: jobs of a fleet are executed by processes, and these, the coordinators and the
// database are killed at random moments, as machines die. Slurm is played by this program: a job
// whose process died is started again, or given up and planned once more.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ampere::testing_support {

struct CampaignOptions {
  std::string url;
  unsigned seed = 1;
  int jobs = 8, kills = 20;
  double scale = 0.02;                              // seconds that pass per simulated second
  std::function<void()> kill_server, start_server;  // empty: the database is a file
};

struct CampaignResult {
  int killed_executors = 0, killed_coordinators = 0, killed_servers = 0, terminated = 0, frozen = 0;
  int attempts = 0, given_up = 0, refused = 0, jobs = 0;
  double spent_j = 0, assumed_j = 0;
  std::vector<std::string> faults;  // empty when every promise was kept
  std::string text() const;
};

// Returns when all jobs have ended and the books were checked.
CampaignResult run_campaign(const CampaignOptions& options);

}  // namespace ampere::testing_support
