// Estimates of one network or many, and of one network on many devices.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ampere/error.h"
#include "report/estimate_json.h"
#include "report/profile_json.h"
#include "serve/problem.h"
#include "serve/profile_state.h"
#include "serve/routes.h"

namespace ampere {
namespace {

constexpr std::size_t kMostRequests = 1000;
const char* const kRequests = "requests";

Json estimated(KeptSession& session, const AskedEstimate& asked) {
  const Workload workload = workload_of(asked);
  const Network& network = *asked.network;
  const Answer answer =
      network.program() != nullptr
          ? session.program_answerer(asked.query).answer(*network.program(), workload)
          : session.answerer(asked.query).answer(*network.model(), workload);
  const ProfileRow& row = answer.profile.row;
  return estimate_json({network.name,
                        answer.method,
                        row.setup,
                        workload,
                        &row,
                        answer.estimate,
                        {},
                        answer.host_slowdown,
                        network.program()},
                       asked.conversions);
}

// What a request of several does not say itself is taken from what stands around them. The network
// there, which may be large, is read once for all of them.
struct Surroundings {
  Json json;
  SharedNetwork network;

  Surroundings(const JsonField& outer, Uploads& uploads) : json(outer.json()) {
    if (outer.has("network")) network = read_network(outer.at("network"), uploads);
    json.erase("network");
    json.erase(kRequests);
  }

  Json with(const JsonField& request) const {
    request.keys();  // it must be an object
    Json whole = json;
    whole.update(request.json());
    return whole;
  }
};

HttpResponse estimate_many(Desk& desk, const JsonField& json) {
  const std::vector<JsonField> requests = json.at(kRequests).items();
  if (requests.empty() || requests.size() > kMostRequests)
    json.at(kRequests).fail(
        fmt::format("has {} requests, not 1 to {}", requests.size(), kMostRequests));
  const Surroundings around(json, desk.uploads);
  const SessionPool::Lease session = desk.sessions.lease();
  Json estimates = Json::array();
  for (const JsonField& request : requests) {
    desk.sessions.stop().throw_if_stopped();
    try {
      const Json whole = around.with(request);
      estimates.push_back(
          estimated(*session, read_estimate({whole, request.path() + "."}, desk.uploads,
                                            desk.defaults, around.network)));
    } catch (const std::exception&) {
      estimates.push_back({{"error", problem_json_of_current_exception()}});
    }
  }
  return json_response({{"estimates", std::move(estimates)}});
}

HttpResponse estimate(Desk& desk, const HttpRequest& request, std::string_view) {
  const Json body = parse_body(request);
  const JsonField json(body, kRequestOrigin + ": ");
  if (json.has(kRequests)) return estimate_many(desk, json);
  const AskedEstimate asked = read_estimate(json, desk.uploads, desk.defaults);
  return json_response(estimated(*desk.sessions.lease(), asked));
}

Json compared(KeptSession& session, const ProfileRow& row, AskedEstimate asked) {
  Json comparison{
      {"profile", known_profile_json(session, row)}, {"estimate", nullptr}, {"error", nullptr}};
  asked.query.profile = profile_name(row);
  try {
    comparison["estimate"] = estimated(session, asked);
  } catch (const std::exception&) {
    comparison["error"] = problem_json_of_current_exception();
  }
  return comparison;
}

HttpResponse compare(Desk& desk, const HttpRequest& request, std::string_view) {
  const Json body = parse_body(request);
  const AskedComparison asked =
      read_comparison({body, kRequestOrigin + ": "}, desk.uploads, desk.defaults);
  const SessionPool::Lease session = desk.sessions.lease();
  Json comparisons = Json::array();
  for (const ProfileRow& row : listed_profiles(session->session())) {
    if (!asked.profiles.empty() &&
        std::ranges::find(asked.profiles, profile_name(row)) == asked.profiles.end())
      continue;
    comparisons.push_back(compared(*session, row, asked.estimate));
  }
  return json_response({{"comparisons", std::move(comparisons)}});
}

}  // namespace

std::vector<Route> estimate_routes() {
  return {{"estimate", "POST", "/v1/estimate", kLargestJsonBody, estimate},
          {"compare", "POST", "/v1/compare", kLargestJsonBody, compare}};
}

}  // namespace ampere
