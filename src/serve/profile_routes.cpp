// What the store has: profiles and their reports, evaluations, jobs of the fleet.
#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/text.h"
#include "fleet/job_table.h"
#include "report/estimate_json.h"
#include "report/jobs_json.h"
#include "report/report.h"
#include "serve/page_files.h"
#include "serve/profile_state.h"
#include "serve/routes.h"
#include "sql/sql.h"

namespace ampere {
namespace {

HttpResponse profiles(Desk& desk, const HttpRequest&, std::string_view) {
  const SessionPool::Lease session = desk.sessions.lease();
  Json list = Json::array();
  for (const ProfileRow& row : listed_profiles(session->session()))
    list.push_back(known_profile_json(*session, row));
  return json_response({{"profiles", std::move(list)}});
}

ProfileRow named_profile(const Session& session, std::string_view id) {
  for (ProfileRow& row : listed_profiles(session))
    if (profile_name(row) == id) return std::move(row);
  throw Error(ErrorCode::unknown, fmt::format("no profile '{}'", id), Remedy::list_profiles);
}

HttpResponse profile(Desk& desk, const HttpRequest&, std::string_view id) {
  const SessionPool::Lease session = desk.sessions.lease();
  return json_response(known_profile_json(*session, named_profile(session->session(), id)));
}

ReportHead head_of(std::string title) {
  return {std::move(title), utc_now(), "ampere " AMPERE_VERSION, "ampere serve"};
}

HttpResponse profile_report(Desk& desk, const HttpRequest&, std::string_view id) {
  const SessionPool::Lease lease = desk.sessions.lease();
  const Session& session = lease->session();
  const ProfileRow row = named_profile(session, id);
  if (session.general_counts(row))
    throw Error(ErrorCode::unknown,
                fmt::format("profile {} is for any setup and has no blocks to show", id),
                Remedy::list_profiles);
  const ReportHead head = head_of(fmt::format("{}, {}", row.device.name, to_string(row.setup)));
  return served_report(head.title,
                       profile_payload(head, session.store(), row, session.methods_of(row)));
}

// Without the networks, which may be thousands.
Json summary_of(const ReportItem& item) {
  Json json = parse_json(item.json, item.name);
  json.erase("networks");
  Json summary{{"name", item.name}, {"profile", item.profile}};
  summary.update(json);
  return summary;
}

HttpResponse evaluations(Desk& desk, const HttpRequest&, std::string_view) {
  const SessionPool::Lease session = desk.sessions.lease();
  const Json& list = session->remembered("evaluations", [&] {
    Json found = Json::array();
    for (const ReportItem& item : stored_evaluations(session->session().store()))
      found.push_back(summary_of(item));
    return found;
  });
  return json_response({{"evaluations", list}});
}

HttpResponse evaluations_report(Desk& desk, const HttpRequest&, std::string_view) {
  const SessionPool::Lease session = desk.sessions.lease();
  const std::vector<ReportItem> items = stored_evaluations(session->session().store());
  if (items.empty())
    throw Error(ErrorCode::unknown, "the store has no evaluation yet", Remedy::evaluate);
  const ReportHead head = head_of("Evaluations");
  return served_report(head.title, evaluate_payload(head, items));
}

// As the jobs themselves reported it; Slurm is not asked.
HttpResponse jobs(Desk& desk, const HttpRequest&, std::string_view) {
  const Error none(ErrorCode::unknown, "the store of this server has no jobs of a fleet");
  const std::string& store = desk.sessions.store();
  if (!is_database_url(store)) throw none;
  desk.sessions.lease();  // throws Error(failed) if the file is not a store
  try {
    JobTable table(open_database(store, Access::read, {desk.sessions.stop(), {}}));
    return json_response({{"jobs", jobs_json(table.find(), {})},
                          {"accounts", accounts_json(table.ledger().accounts())}});
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unknown) throw;
    throw none;
  }
}

}  // namespace

std::vector<Route> profile_routes() {
  return {{"profiles", "GET", "/v1/profiles", 0, profiles},
          {"profiles", "GET", "/v1/profiles/{id}", 0, profile},
          {"profiles", "GET", "/v1/profiles/{id}/report", 0, profile_report},
          {"evaluations", "GET", "/v1/evaluations", 0, evaluations},
          {"evaluations", "GET", "/v1/evaluations/report", 0, evaluations_report},
          {"jobs", "GET", "/v1/jobs", 0, jobs}};
}

}  // namespace ampere
