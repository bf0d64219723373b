// What the server answers, one function per path. They throw Error; the API turns it into a
// problem.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/asked.h"
#include "serve/http.h"
#include "serve/kept_session.h"
#include "serve/power_watch.h"
#include "serve/prune_jobs.h"
#include "serve/uploads.h"

namespace ampere {

// What routes share.
struct Desk {
  SessionPool& sessions;
  Uploads& uploads;
  PruneJobs& prunings;
  PowerWatch& power;
  const AskedDefaults& defaults;
};

// `id` is the part of the path at the place of {id}; empty for a path without one.
using Answering =
    std::function<HttpResponse(Desk& desk, const HttpRequest& request, std::string_view id)>;

struct Route {
  std::string name;    // bounded, for metrics: "estimate"
  std::string method;  // "POST"
  std::string path;    // "/v1/estimate", or "/v1/profiles/{id}", or "/v1/profiles/{id}/report"
  std::size_t body_limit = 0;
  Answering answer;
  bool quick = false;  // answered without a worker
  bool open = false;   // answered without the token
};

inline constexpr std::size_t kLargestJsonBody = 16 << 20;  // with a model or a program inside

std::vector<Route> estimate_routes();
std::vector<Route> network_routes();
std::vector<Route> profile_routes();
std::vector<Route> prune_routes();
std::vector<Route> power_routes();

HttpResponse json_response(const Json& json, int status = 200);

// The body as JSON. Throws Error(usage) where it is none.
Json parse_body(const HttpRequest& request);

}  // namespace ampere
