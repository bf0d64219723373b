// A job of the fleet, from its plan to its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/meter.h"
#include "ampere/units.h"

namespace ampere {

enum class JobState {
  planned,    // its energy is reserved
  submitted,  // Slurm has it, or will run it again
  running,
  finished,
  failed,   // by its own fault: the reason says it
  stopped,  // before it would have used more than was reserved
  cancelled,
  lost,  // its node or its executor died, and nobody will go on with it
};
const char* to_string(JobState state);
JobState parse_job_state(const std::string& text);
// Whether it has ended: its energy is settled, and only again() makes it run once more.
bool has_ended(JobState state);

// Iterations between two readings of the meter with nothing but training in between, and their
// energy.
struct SteadyWork {
  std::int64_t iterations = 0;
  Joules energy;
};

struct FleetJob {
  std::int64_t id = 0;
  std::string list, name;  // list: one planned file of jobs; (list, name) is unique
  std::string work;        // JobWork as text
  std::string kind;        // of device: where it was placed

  Interval energy_j, time_s;  // as estimated
  Watts power_most;
  Joules reserved;  // for the current round
  std::vector<std::string> accounts;
  std::optional<std::string> begin, deadline;  // UTC

  JobState state = JobState::planned;
  std::string reason;          // of its state, for people
  bool cancelling = false;     // cancel() was called while it runs
  std::string slurm_id, node;  // the latest
  int round = 1;               // how often it was planned; each round has a reservation
  int attempt = 0;             // the latest; 0 before the first
  std::int64_t iterations = 0, iterations_done = 0;
  Joules spent;                  // in all rounds, as far as it was reported
  Joules assumed;                // the part of it that nobody measured, of attempts that died
  std::optional<Source> source;  // of the rest, once there is any
  SteadyWork steady;             // of all attempts: the part that a profile can be compared with
  std::optional<Watts> power;    // as last reported
  std::string added_at, started_at, ended_at;  // UTC by the database; empty: not yet
  // Since the running attempt last reported, by the clock of the database.
  std::optional<Seconds> silent;
};

// The name of a job's current reservation in the ledger: "fleet:12", "fleet:12.2" in round two.
std::string reservation_name(const FleetJob& job);

}  // namespace ampere
