#include "campaign.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <random>
#include <thread>
#include <utility>

#include "ampere/error.h"
#include "base/stopwatch.h"
#include "campaign_jobs.h"
#include "fleet/job_table.h"
#include "sql/sql.h"

extern char** environ;

namespace ampere::testing_support {
namespace {

constexpr const char* kList = "campaign";
constexpr std::size_t kNodes = 4;
constexpr Seconds kLimit{3600};
constexpr std::chrono::milliseconds kNap{20};

pid_t start(std::vector<std::string> words) {
  words.insert(words.begin(), AMPERE_CAMPAIGN_PROCESS);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t pid = -1;
  if (posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ) != 0)
    throw std::runtime_error("cannot start " AMPERE_CAMPAIGN_PROCESS);
  return pid;
}

bool has_ended(pid_t pid) { return waitpid(pid, nullptr, WNOHANG) == pid; }

struct Node {
  std::int64_t job = 0;
  std::string slurm_id;
  pid_t pid = -1;
};

class Campaign {
 public:
  explicit Campaign(const CampaignOptions& options)
      : options_(options),
        random_(options.seed),
        table_(open_database(options.url, Access::write)) {
    double most = 0;
    for (const FleetJob& job : campaign_jobs(options.jobs, options.scale))
      most += job.reserved.value;
    table_.ledger().grant(kVision, {1.2 * most});  // not enough for many that are given up
  }

  CampaignResult run() {
    const Stopwatch watch;
    while (!all_ended() && watch.elapsed() < kLimit) {
      coordinate();
      reap();
      fill_nodes();
      if (kills_ < options_.kills && chance(kill_chance_)) kill_something();
      std::this_thread::sleep_for(kNap);
    }
    if (!all_ended()) fault("not all jobs have ended");
    if (coordinator_ > 0) waitpid(coordinator_, nullptr, 0);
    for (const pid_t pid : frozen_) thaw(pid);
    check();
    return result_;
  }

 private:
  bool chance(double probability) {
    return std::uniform_real_distribution<>(0, 1)(random_) < probability;
  }
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }
  template <class... Values>
  void fault(fmt::format_string<Values...> text, Values&&... values) {
    result_.faults.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  bool all_ended() {
    const std::vector<FleetJob> jobs = table_.find({.list = kList, .states = {}});
    int finished = 0;
    for (const FleetJob& job : jobs) finished += job.state == JobState::finished;
    return finished == options_.jobs;
  }

  // One after another: each adds and submits what is missing.
  void coordinate() {
    if (coordinator_ > 0 && !has_ended(coordinator_)) return;
    coordinator_ = start({"coordinate", options_.url, kList, std::to_string(options_.jobs),
                          fmt::format("{}", options_.scale)});
  }

  void reap() {
    for (Node& node : nodes_)
      if (node.pid > 0 && has_ended(node.pid)) node.pid = -1;
  }

  bool is_on_a_node(std::int64_t job) const {
    for (const Node& node : nodes_)
      if (node.pid > 0 && node.job == job) return true;
    return false;
  }

  void fill_nodes() {
    for (const FleetJob& job : table_.find({.list = kList, .states = {}})) {
      if (job.state != JobState::submitted && job.state != JobState::running) continue;
      if (is_on_a_node(job.id)) {
        // Somebody submitted it twice.
        if (chance(0.01) && begin(job.id, "99" + job.slurm_id)) ++result_.refused;
        continue;
      }
      if (job.state == JobState::running && chance(0.1)) {
        table_.lose(job.id, "its node died");
        ++result_.given_up;
        continue;
      }
      begin(job.id, job.slurm_id);
    }
  }

  bool begin(std::int64_t job, const std::string& slurm_id) {
    for (Node& node : nodes_) {
      if (node.pid > 0) continue;
      node = {job, slurm_id,
              start({"execute", options_.url, std::to_string(job), slurm_id,
                     fmt::format("node{}", &node - nodes_)})};
      return true;
    }
    return false;
  }

  void kill_something() {
    const double what = std::uniform_real_distribution<>(0, 1)(random_);
    if (what < 0.1 && options_.kill_server) {
      ++result_.killed_servers;
      options_.kill_server();
      std::this_thread::sleep_for(std::chrono::milliseconds(below(400)));
      options_.start_server();
    } else if (what < 0.3) {
      ++result_.killed_coordinators;
      kill(coordinator_, SIGKILL);
    } else {
      Node& node = nodes_[below(kNodes)];
      if (node.pid < 0) return;
      // With a lock on a file, a frozen process would keep everybody waiting.
      if (what < 0.4 && options_.kill_server) return freeze(node);
      const bool asks = what > 0.85;  // Slurm requeues it in an orderly way
      ++(asks ? result_.terminated : result_.killed_executors);
      kill(node.pid, asks ? SIGTERM : SIGKILL);
    }
    ++kills_;
  }

  // A node that cannot be reached for a while. Slurm starts its job elsewhere; when it comes back,
  // it must find out that another attempt took over.
  void freeze(Node& node) {
    ++result_.frozen;
    ++kills_;
    kill(node.pid, SIGSTOP);
    frozen_.push_back(std::exchange(node.pid, -1));
    if (frozen_.size() < 3) return;
    thaw(frozen_.front());
    frozen_.erase(frozen_.begin());
  }

  void thaw(pid_t pid) {
    kill(pid, SIGCONT);
    const Stopwatch watch;
    while (!has_ended(pid)) {
      if (watch.elapsed() > Seconds{60}) return fault("process {} does not stop", pid);
      std::this_thread::sleep_for(kNap);
    }
  }

  void check() {
    Ledger& ledger = table_.ledger();
    const Audit audit = ledger.audit();
    for (const std::string& each : audit.differences) fault("audit: {}", each);
    for (const std::string& each : audit.overspent) fault("overspent: {}", each);
    for (const std::string& each : audit.overdrawn) fault("overdrawn: {}", each);
    if (ledger.account(kVision).reserved.value != 0) fault("energy is still reserved");
    std::int64_t spent_mj = 0;
    const std::vector<FleetJob> jobs = table_.find({.list = kList, .states = {}});
    for (const FleetJob& job : jobs) {
      if (job.iterations_done != job.iterations)
        fault("job {}: {} of {} iterations", job.id, job.iterations_done, job.iterations);
      spent_mj += std::llround(job.spent.value * 1000);
      result_.spent_j += job.spent.value;
      result_.assumed_j += job.assumed.value;
    }
    if (std::llround(ledger.account(kVision).spent.value * 1000) != spent_mj)
      fault("the jobs have spent {} mJ and the account {} J", spent_mj,
            ledger.account(kVision).spent.value);
    if (std::ssize(jobs) != options_.jobs) fault("{} of {} jobs", jobs.size(), options_.jobs);
    result_.jobs = static_cast<int>(jobs.size());
    check_attempts();
  }

  void check_attempts() {
    const auto database = open_database(options_.url, Access::read);
    const auto row = rows(*database,
                          "SELECT job, COUNT(*), CAST(SUM(CASE WHEN ending = 'finished' THEN 1 "
                          "ELSE 0 END) AS BIGINT), CAST(SUM(CASE WHEN ending = '' THEN 1 ELSE 0 "
                          "END) AS BIGINT) FROM fleet_attempt GROUP BY job");
    while (row->next()) {
      result_.attempts += static_cast<int>(row->integer(1));
      if (row->integer(2) != 1)
        fault("job {} ran to its end {} times", row->integer(0), row->integer(2));
      if (row->integer(3) != 0) fault("job {} has an attempt without end", row->integer(0));
    }
  }

  const CampaignOptions& options_;
  std::mt19937 random_;
  JobTable table_;
  CampaignResult result_;
  Node nodes_[kNodes];
  std::vector<pid_t> frozen_;
  pid_t coordinator_ = -1;
  double kill_chance_ = 0.2;
  int kills_ = 0;
};

}  // namespace

std::string CampaignResult::text() const {
  return fmt::format(
      "{} jobs in {} attempts; killed: {} executors, {} coordinators, {} servers; {} asked to end, "
      "{} frozen, {} given up and planned again, {} started twice; {:.1f} J spent, {:.1f} J of it "
      "assumed; "
      "{} faults",
      jobs, attempts, killed_executors, killed_coordinators, killed_servers, terminated, frozen,
      given_up, refused, spent_j, assumed_j, faults.size());
}

CampaignResult run_campaign(const CampaignOptions& options) { return Campaign(options).run(); }

}  // namespace ampere::testing_support
