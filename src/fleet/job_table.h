// All jobs of the fleet, in the same database as the ledger, so that what happens to a job and to
// its energy is one transaction.
#pragma once

#include <chrono>
#include <memory>
#include <variant>

#include "ampere/error.h"
#include "fleet/fleet_job.h"
#include "ledger/ledger.h"

namespace ampere {

struct JobQuery {
  std::optional<std::string> list = {};
  std::vector<JobState> states = {};  // empty: any
};

struct JobList {
  std::string name;
  std::int64_t jobs = 0, ended = 0;
  std::string added_at;  // of its first job
};

// The right to execute a job. There is one at a time: as soon as the next attempt begins,
// everything that an earlier one reports is refused.
struct Attempt {
  FleetJob job;
  int number = 0;
  // Of the current reservation: what earlier attempts have used, at most. Amounts that an attempt
  // reports include it.
  Joules spent_before;
};

// Somebody called cancel() while the job runs.
class JobCancelled : public Error {
 public:
  explicit JobCancelled(const std::string& message) : Error(ErrorCode::interrupted, message) {}
};

// Why a job must not run, for people; `finished`: because there is nothing left to do.
struct Refusal {
  bool finished = false;
  std::string reason;
};

// What an attempt has done so far. Energy counts from the start of the reservation.
struct AttemptProgress {
  std::int64_t iterations_done = 0;  // of the job, earlier attempts included
  Joules spent;
  std::optional<Watts> power;  // of the node, lately
  std::optional<Source> source;
  SteadyWork steady = {};  // of the job, earlier attempts included
};

struct PowerSample {
  std::int64_t job = 0;
  int attempt = 0;
  std::string at;  // UTC, by the database
  std::int64_t iterations_done = 0;
  Joules spent;  // of the reservation
  std::optional<Watts> power;
};

// All functions throw Error(unknown) for a job that does not exist, and what the database throws.
class JobTable {
 public:
  // Brings the tables of ledger and fleet to the newest version where it may write.
  explicit JobTable(std::shared_ptr<SqlDatabase> database);

  Ledger& ledger() { return ledger_; }

  // Adds the jobs (name, work, kind, estimates, reserved, accounts, times, iterations; the rest is
  // filled in) and reserves their energy: all or none. A job of that list and name that is there
  // already with the same work, kind and reservation is left as it is; with another one,
  // Error(failed). Returns all of them in the order given. Error(usage) for malformed names and
  // amounts, and as Ledger::reserve.
  std::vector<FleetJob> add(const std::string& list, const std::vector<FleetJob>& jobs);

  std::vector<FleetJob> find(const JobQuery& query = {});  // by id
  FleetJob get(std::int64_t id);
  std::vector<JobList> lists();  // the latest first
  std::vector<PowerSample> samples(const std::string& list);
  // By the clock of the database, which all machines of the fleet share.
  std::chrono::sys_seconds now();

  // Slurm has taken the job. A job that runs already keeps its state. Error(failed) when it has
  // ended.
  void submitted(std::int64_t id, const std::string& slurm_id);

  // A job that does not run is cancelled at once and its energy freed. One that runs learns it with
  // its next report, and then ends itself. Does nothing for a job that has ended.
  void cancel(std::int64_t id, const std::string& reason);

  // A submitted or running job of which Slurm knows nothing any more: settled with what was drawn.
  // Its state is then lost, or cancelled when that was asked for. Does nothing for one that has
  // ended. The caller has made sure that its attempt is silent.
  void lose(std::int64_t id, const std::string& reason);

  // Slurm has put a job that runs back into its queue, and this attempt of it is silent, so it has
  // died: what it had drawn counts as spent. The job is then submitted, or cancelled when that was
  // asked for. Does nothing when the job does not run or another attempt runs it.
  void requeued(std::int64_t id, int attempt);

  // Plans a job once more that is failed, stopped, cancelled or lost, with a new reservation. It
  // will go on after the iterations that were recorded. Error(failed) in any other state, and as
  // Ledger::reserve.
  void again(std::int64_t id, Joules most);

  // What the executor on the node calls. Slurm starts a job with the same id again after its node
  // failed or it was requeued: then the earlier attempt is over, and all that it had drawn counts
  // as spent.
  std::variant<Attempt, Refusal> begin(std::int64_t id, const std::string& slurm_id,
                                       const std::string& node);
  // These four throw Error(failed) when another attempt took over or the job has ended, and
  // JobCancelled when the job is to be cancelled; the attempt must then stop at once.
  Joules draw(const Attempt& attempt, Joules in_all);  // as Ledger::draw
  void progress(const Attempt& attempt, const AttemptProgress& progress);
  // The attempt ends in an orderly way and the job is not done: Slurm will run it again, or it will
  // be lost.
  void suspend(const Attempt& attempt, const AttemptProgress& progress, const std::string& reason);
  // Ends the job and settles its energy, in one transaction; `state`: finished, failed, stopped or
  // cancelled. Does nothing when this attempt has ended it so already. A job that is to be
  // cancelled may end in any of them.
  void finish(const Attempt& attempt, JobState state, const std::string& reason,
              const AttemptProgress& progress);

 private:
  std::shared_ptr<SqlDatabase> database_;
  Ledger ledger_;
};

}  // namespace ampere
