// Pruning by estimate alone: begun, followed, cancelled.
#include <fmt/format.h>

#include "serve/problem.h"
#include "serve/routes.h"

namespace ampere {
namespace {

constexpr const char* kRetryAfterSeconds = "5";

HttpResponse begin_pruning(Desk& desk, const HttpRequest& request, std::string_view) {
  const Json body = parse_body(request);
  AskedPrune asked = read_prune({body, kRequestOrigin + ": "}, desk.uploads, desk.defaults);
  desk.sessions.lease()->session().choose(asked.query);  // what cannot be answered is said at once
  try {
    const std::string id = desk.prunings.start(std::move(asked));
    return json_response({{"prune", id}, {"events", fmt::format("/v1/prune/{}/events", id)}}, 202);
  } catch (const Busy& busy) {
    HttpResponse response = problem(503, busy.what());
    response.headers.emplace_back("Retry-After", kRetryAfterSeconds);
    return response;
  }
}

HttpResponse pruning_state(Desk& desk, const HttpRequest&, std::string_view id) {
  return json_response(desk.prunings.state(std::string(id)));
}

HttpResponse follow_pruning(Desk& desk, const HttpRequest&, std::string_view id) {
  HttpResponse response;
  response.content_type = "text/event-stream";
  response.events = desk.prunings.follow(std::string(id));
  return response;
}

HttpResponse cancel_pruning(Desk& desk, const HttpRequest&, std::string_view id) {
  desk.prunings.cancel(std::string(id));
  return json_response(desk.prunings.state(std::string(id)));
}

}  // namespace

std::vector<Route> prune_routes() {
  return {{"prune", "POST", "/v1/prune", kLargestJsonBody, begin_pruning},
          {"prune", "GET", "/v1/prune/{id}", 0, pruning_state},
          {"prune", "GET", "/v1/prune/{id}/events", 0, follow_pruning},
          {"prune", "DELETE", "/v1/prune/{id}", 0, cancel_pruning}};
}

}  // namespace ampere
