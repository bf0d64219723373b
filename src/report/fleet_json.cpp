#include "report/fleet_json.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "ampere/error.h"
#include "base/utc.h"
#include "report/payload.h"

namespace ampere {
namespace {

// Seconds since the first job began.
class Clock {
 public:
  explicit Clock(const std::vector<FleetJob>& jobs) {
    for (const FleetJob& job : jobs)
      if (const auto at = parse_utc(job.started_at); at && (!zero_ || *at < *zero_)) zero_ = at;
    if (!zero_)
      throw Error(ErrorCode::unknown, "no job has begun yet, so there is nothing to report");
  }

  std::optional<double> seconds(const std::string& utc) const {
    const auto at = parse_utc(utc);
    return at ? std::optional(Seconds(*at - *zero_).count()) : std::nullopt;
  }

 private:
  std::optional<UtcMoment> zero_;
};

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json job_json(const FleetJob& job, const Clock& clock) {
  return {{"name", job.name},
          {"kind", job.kind},
          {"node", job.node},
          {"state", to_string(job.state)},
          {"reason", job.reason},
          {"begin_s", number_or_null(clock.seconds(job.started_at))},
          {"end_s", number_or_null(clock.seconds(job.ended_at))},
          {"estimated_j",
           {{"mean", job.energy_j.mean}, {"low", job.energy_j.low}, {"high", job.energy_j.high}}},
          {"reserved_j", job.reserved.value},
          {"spent_j", job.spent.value},
          {"assumed_j", job.assumed.value},
          {"source", job.source ? Json(to_string(*job.source)) : Json(nullptr)},
          {"power_most_w", job.power_most.value}};
}

// What changes at a moment: a job begins, reports its power, or ends.
struct Moment {
  enum class What { begins, reports, ends };
  double at_s = 0;
  std::int64_t job = 0;
  What what = What::begins;
  double power_w = 0;  // as reported, or at most
  int order = 0;       // among those of the same millisecond
};

// The database counts milliseconds. Within one, what began before ends first, then come jobs that
// begin and end in it, one after the other, and then those that go on.
int order_of(Moment::What what, bool begins_here, bool ends_here) {
  if (!begins_here) return what == Moment::What::ends ? 1 : 0;
  return ends_here ? 2 : 3;
}

std::vector<Moment> moments(const FleetReport& report, const Clock& clock) {
  std::map<std::int64_t, std::pair<std::optional<double>, std::optional<double>>> times;
  for (const FleetJob& job : report.jobs)
    times[job.id] = {clock.seconds(job.started_at), clock.seconds(job.ended_at)};
  std::vector<Moment> all;
  const auto add = [&](double at_s, std::int64_t job, Moment::What what, double power_w) {
    const auto& [begin, end] = times[job];
    all.push_back({at_s, job, what, power_w, order_of(what, begin == at_s, end == at_s)});
  };
  for (const FleetJob& job : report.jobs) {
    const auto& [begin, end] = times[job.id];
    if (begin) add(*begin, job.id, Moment::What::begins, job.power_most.value);
    if (begin && end) add(*end, job.id, Moment::What::ends, 0);
  }
  for (const PowerSample& sample : report.samples)
    if (const auto at = clock.seconds(sample.at); at && sample.power)
      add(*at, sample.job, Moment::What::reports, sample.power->value);
  std::ranges::stable_sort(all, [](const Moment& a, const Moment& b) {
    const auto key = [](const Moment& moment) {
      const bool alone = moment.order >= 2;  // all that one job does stays together
      return std::tuple(moment.at_s, moment.order, alone ? moment.job : 0, moment.what);
    };
    return key(a) < key(b);
  });
  return all;
}

// All devices together, after each change: as the jobs reported it, and at most.
Json power_json(const FleetReport& report, const Clock& clock) {
  std::map<std::int64_t, double> reported, most;
  const auto sum = [](const std::map<std::int64_t, double>& of) {
    double total = 0;
    for (const auto& [job, power] : of) total += power;
    return total;
  };
  Json list = Json::array();
  for (const Moment& moment : moments(report, clock)) {
    if (moment.what == Moment::What::begins) {
      most[moment.job] = moment.power_w;
    } else if (moment.what == Moment::What::ends) {
      most.erase(moment.job);
      reported.erase(moment.job);
    } else if (most.contains(moment.job)) {
      reported[moment.job] = moment.power_w;
    }
    list.push_back({{"at_s", moment.at_s}, {"power_w", sum(reported)}, {"most_w", sum(most)}});
  }
  return list;
}

Json accounts_json(const std::vector<Account>& accounts) {
  Json list = Json::array();
  for (const Account& account : accounts)
    list.push_back({{"name", account.name},
                    {"granted_j", account.granted.value},
                    {"reserved_j", account.reserved.value},
                    {"spent_j", account.spent.value}});
  return list;
}

}  // namespace

std::string fleet_payload(const ReportHead& head, const FleetReport& report) {
  const Clock clock(report.jobs);
  Json jobs = Json::array();
  std::set<std::string> sources;
  for (const FleetJob& job : report.jobs) {
    jobs.push_back(job_json(job, clock));
    if (job.source) sources.insert(to_string(*job.source));
  }
  return payload_text("fleet", head,
                      {{"list", report.list},
                       {"jobs", std::move(jobs)},
                       {"power", power_json(report, clock)},
                       {"cap_w", report.cap ? Json(report.cap->value) : Json(nullptr)},
                       {"accounts", accounts_json(report.accounts)},
                       {"sources", sources}});
}

}  // namespace ampere
