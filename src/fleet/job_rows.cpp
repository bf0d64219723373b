#include "fleet/job_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "ledger/amount.h"
#include "ledger/database_clock.h"
#include "ledger/insert_rows.h"
#include "ledger/names.h"

namespace ampere {
namespace {

constexpr std::size_t kLongestName = 100;

constexpr const char* kColumns =
    "id, list, name, work, kind, energy_j, energy_low_j, energy_high_j, time_s, time_low_s, "
    "time_high_s, confidence, power_most_w, reserved_mj, accounts, begin_at, deadline, state, "
    "reason, cancelling, slurm_id, node, round, attempt, iterations, iterations_done, spent_mj, "
    "assumed_mj, spent_before_mj, assumed_before_mj, source, power_w, added_ms, started_ms, "
    "ended_ms, heartbeat_ms, steady_iterations, steady_mj";

// Reads the columns of a row one after another.
class Columns {
 public:
  explicit Columns(const SqlRows& row) : row_(row) {}
  std::int64_t integer() { return row_.integer(next_++); }
  std::string text() { return row_.text(next_++); }
  std::optional<double> number() { return row_.number(next_++); }
  double real() { return number().value_or(std::nan("")); }
  std::optional<std::string> text_or_none() {
    std::string value = text();
    return value.empty() ? std::nullopt : std::optional(value);
  }

 private:
  const SqlRows& row_;
  int next_ = 0;
};

Interval read_interval(Columns& columns) {
  Interval interval;
  interval.mean = columns.real();
  interval.low = columns.real();
  interval.high = columns.real();
  return interval;
}

void read_plan(Columns& columns, FleetJob& job) {
  job.id = columns.integer();
  job.list = columns.text();
  job.name = columns.text();
  job.work = columns.text();
  job.kind = columns.text();
  job.energy_j = read_interval(columns);
  job.time_s = read_interval(columns);
  job.energy_j.confidence = job.time_s.confidence = columns.real();
  job.power_most = {columns.real()};
  job.reserved = from_mj(columns.integer());
  job.accounts = split_accounts(columns.text());
  job.begin = columns.text_or_none();
  job.deadline = columns.text_or_none();
}

void read_course(Columns& columns, JobRow& row) {
  FleetJob& job = row.job;
  job.state = parse_job_state(columns.text());
  job.reason = columns.text();
  job.cancelling = columns.integer() != 0;
  job.slurm_id = columns.text();
  job.node = columns.text();
  job.round = static_cast<int>(columns.integer());
  job.attempt = static_cast<int>(columns.integer());
  job.iterations = columns.integer();
  job.iterations_done = columns.integer();
  row.spent_mj = columns.integer();
  row.assumed_mj = columns.integer();
  job.spent = from_mj(row.spent_mj + columns.integer());
  job.assumed = from_mj(row.assumed_mj + columns.integer());
  if (const auto source = columns.text_or_none()) job.source = parse_source(*source);
  if (const auto power = columns.number()) job.power = Watts{*power};
  job.added_at = utc_text(columns.integer());
  job.started_at = utc_text(columns.integer());
  job.ended_at = utc_text(columns.integer());
  const std::int64_t heartbeat_ms = columns.integer();
  job.steady.iterations = columns.integer();
  job.steady.energy = from_mj(columns.integer());
  const std::int64_t now_ms = columns.integer();
  if (job.state == JobState::running)
    job.silent =
        Seconds{static_cast<double>(std::max<std::int64_t>(0, now_ms - heartbeat_ms)) / 1000};
}

bool is_word(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= kLongestName && std::ranges::all_of(text, is_letter);
}

void require(bool good, const std::string& about, const std::string& what) {
  if (!good) throw Error(ErrorCode::usage, about + ": " + what);
}

bool is_interval(const Interval& interval) {
  return std::isfinite(interval.mean) && std::isfinite(interval.high) && interval.low >= 0 &&
         interval.low <= interval.mean && interval.mean <= interval.high;
}

std::vector<SqlValue> values_of(const std::string& list, const FleetJob& job, std::int64_t now) {
  const std::int64_t none = 0;
  return {list,
          job.name,
          job.work,
          job.kind,
          job.energy_j.mean,
          job.energy_j.low,
          job.energy_j.high,
          job.time_s.mean,
          job.time_s.low,
          job.time_s.high,
          job.energy_j.confidence,
          job.power_most.value,
          mj_rounded_up(job.reserved, job.name),
          joined_accounts(sorted_accounts(job.accounts, job.name)),
          sql_value(job.begin),
          sql_value(job.deadline),
          to_string(JobState::planned),
          "",
          none,
          "",
          "",
          std::int64_t{1},
          none,
          job.iterations,
          job.iterations_done,
          none,
          none,
          none,
          none,
          "",
          SqlValue{},
          now,
          none,
          none,
          none,
          none,
          none};
}

}  // namespace

std::vector<JobRow> select_jobs(SqlDatabase& database, const std::string& where,
                                std::vector<SqlValue> values) {
  std::vector<JobRow> jobs;
  const auto row = database.query(
      fmt::format("SELECT {}, {} FROM fleet_job {}", kColumns, now_ms(database.engine()), where),
      std::move(values));
  while (row->next()) {
    Columns columns(*row);
    JobRow job;
    read_plan(columns, job.job);
    read_course(columns, job);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

JobRow get_job_row(SqlDatabase& database, std::int64_t id) {
  std::vector<JobRow> found = select_jobs(database, "WHERE id = ?1", {id});
  if (found.empty()) throw Error(ErrorCode::unknown, fmt::format("there is no job {}", id));
  return std::move(found.front());
}

std::string job_label(const FleetJob& job) {
  return fmt::format("job {} ({}/{})", job.id, job.list, job.name);
}

std::vector<std::string> insert_jobs(SqlDatabase& database, const std::string& list,
                                     const std::vector<FleetJob>& jobs) {
  const auto now = rows(database, fmt::format("SELECT {}", now_ms(database.engine())));
  now->next();
  const std::int64_t added_ms = now->integer(0);
  std::vector<std::vector<SqlValue>> lines;
  for (const FleetJob& job : jobs) lines.push_back(values_of(list, job, added_ms));
  const std::string all = kColumns;
  return insert_rows(database,
                     {fmt::format("fleet_job ({})", all.substr(all.find(' ') + 1)),
                      "ON CONFLICT (list, name) DO NOTHING RETURNING name"},
                     lines);
}

void check_list_name(const std::string& list) {
  require(is_word(list), fmt::format("'{}'", plain_text(list.substr(0, kLongestName))),
          fmt::format("is not the name of a list of jobs: it must have 1 to {} letters, digits "
                      "and . _ -",
                      kLongestName));
}

void check_job(const std::string& list, const FleetJob& job) {
  const std::string about =
      fmt::format("{}: '{}'", list, plain_text(job.name.substr(0, kLongestName)));
  require(is_word(job.name), about,
          fmt::format("is not the name of a job: it must have 1 to {} letters, digits and . _ -",
                      kLongestName));
  require(!job.work.empty(), about, "there is nothing to do");
  require(is_interval(job.energy_j) && is_interval(job.time_s), about,
          "its estimates are not numbers in order: low, mean, high");
  require(std::isfinite(job.power_most.value) && job.power_most.value >= 0, about,
          fmt::format("{} W is not a power", job.power_most.value));
  require(job.reserved.value > 0, about, "no energy is to be reserved for it");
  require(job.iterations >= 0 && job.iterations_done >= 0, about,
          fmt::format("{} is not a number of iterations", job.iterations));
}

}  // namespace ampere
