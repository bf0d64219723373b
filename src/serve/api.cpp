#include "serve/api.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/stopwatch.h"
#include "report/estimate_json.h"
#include "serve/openapi.h"
#include "serve/page_files.h"
#include "serve/problem.h"
#include "serve/profile_state.h"

namespace ampere {
namespace {

constexpr std::size_t kMostUploadBytes = std::size_t{256} << 20;
constexpr std::string_view kId = "{id}";
constexpr const char* kNoRoute = "other";
constexpr std::size_t kLostBody = 1 << 16;  // read where there is no route, to say so
// Nothing but what this server itself serves, and no script or style inside a page.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' "
    "data: blob:; connect-src 'self'; frame-src 'self' blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'";

// The part of the path at the place of {id}, which is one segment and not empty; an empty view for
// a route without one. Nothing where the path is another.
std::optional<std::string_view> matched(std::string_view route, std::string_view path) {
  const std::size_t at = route.find(kId);
  if (at == std::string_view::npos)
    return route == path ? std::optional(std::string_view()) : std::nullopt;
  const std::string_view before = route.substr(0, at), after = route.substr(at + kId.size());
  if (path.size() <= before.size() + after.size() || !path.starts_with(before) ||
      !path.ends_with(after))
    return std::nullopt;
  const std::string_view id =
      path.substr(before.size(), path.size() - before.size() - after.size());
  return id.find('/') == std::string_view::npos ? std::optional(id) : std::nullopt;
}

void add_routes(std::vector<Route>& all, std::vector<Route> more) {
  std::ranges::move(more, std::back_inserter(all));
}

void secure(HttpResponse& response) {
  response.headers.emplace_back("Content-Security-Policy", kContentPolicy);
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  response.headers.emplace_back("Cache-Control", "no-store");
}

HttpResponse healthy(Desk&, const HttpRequest&, std::string_view) {
  return json_response({{"status", "ok"}, {"version", AMPERE_VERSION}});
}

HttpResponse openapi(Desk&, const HttpRequest&, std::string_view) {
  return {200, "application/json", std::string(openapi_document())};
}

}  // namespace

Json parse_body(const HttpRequest& request) {
  if (request.body.empty())
    throw Error(ErrorCode::usage, "the request has no body; send a JSON object");
  Json body = parse_json(request.body, kRequestOrigin);
  if (!body.is_object()) throw Error(ErrorCode::usage, "the request is not a JSON object");
  return body;
}

HttpResponse json_response(const Json& json, int status) {
  return {status, "application/json", json_text(json)};
}

Api::Api(ApiOptions options)
    : options_(std::move(options)),
      sessions_(options_.store, options_.stop),
      uploads_(kMostUploadBytes),
      prunings_(options_.store, options_.prunings),
      power_(options_.meters),
      desk_{sessions_, uploads_, prunings_, power_, options_.defaults} {
  add_routes(routes_, estimate_routes());
  add_routes(routes_, network_routes());
  add_routes(routes_, profile_routes());
  add_routes(routes_, prune_routes());
  add_routes(routes_, power_routes());
  add_routes(routes_, page_routes());
  add_routes(
      routes_,
      {{"health", "GET", "/healthz", 0, healthy, true, true},
       {"openapi", "GET", "/openapi.json", 0, openapi, true, true},
       {"ready", "GET", "/readyz", 0,
        [this](Desk&, const HttpRequest&, std::string_view) { return ready(); }, false, true},
       {"metrics", "GET", "/metrics", 0,
        [this](Desk&, const HttpRequest&, std::string_view) { return metrics(); }}});
}

std::optional<Api::Match> Api::find(std::string_view method, std::string_view path) const {
  if (method == "HEAD") method = "GET";
  // "/v1/evaluations/report" is no id: what has none is looked at first.
  for (const bool with_id : {false, true})
    for (const Route& route : routes_) {
      if (route.method != method || (route.path.find(kId) != std::string::npos) != with_id)
        continue;
      if (const auto id = matched(route.path, path)) return Match{&route, *id};
    }
  return std::nullopt;
}

std::string Api::allowed(std::string_view path) const {
  std::vector<std::string> methods;
  for (const Route& route : routes_)
    if (matched(route.path, path) && std::ranges::find(methods, route.method) == methods.end())
      methods.push_back(route.method);
  return fmt::format("{}", fmt::join(methods, ", "));
}

HttpResponse Api::routed(const HttpRequest& request, std::string& route) {
  const std::optional<Match> match = find(request.method, request.path);
  if (match) {
    route = match->route->name;
    return match->route->answer(desk_, request, match->id);
  }
  const std::string methods = allowed(request.path);
  if (methods.empty()) return problem(404, "there is nothing at this path; see /openapi.json");
  HttpResponse response = problem(405, fmt::format("this path takes {}", methods));
  response.headers.emplace_back("Allow", methods);
  return response;
}

HttpResponse Api::answer(const HttpRequest& request) {
  const Stopwatch watch;
  std::string route = kNoRoute;
  HttpResponse response;
  try {
    response = routed(request, route);
  } catch (const std::exception&) {
    response = problem_of_current_exception();
  }
  secure(response);
  metrics_.count(route, response.status, watch.elapsed());
  return response;
}

HttpResponse Api::refusal(int status, std::string_view reason) const {
  HttpResponse response = problem(status, reason);
  secure(response);
  return response;
}

std::size_t Api::body_limit(std::string_view method, std::string_view path) const {
  const std::optional<Match> match = find(method, path);
  return match ? match->route->body_limit : kLostBody;
}

bool Api::is_quick(std::string_view method, std::string_view path) const {
  const std::optional<Match> match = find(method, path);
  return !match || match->route->quick;
}

bool Api::is_open(std::string_view method, std::string_view path) const {
  const std::optional<Match> match = find(method, path);
  return match && match->route->open;
}

// Clients need no token for this, so the answer does not say where the store is.
HttpResponse Api::ready() {
  try {
    sessions_.lease();
  } catch (const Error&) {
    return problem(503, "the store of this server cannot be read");
  }
  return json_response({{"status", "ready"}});
}

// Those of the list of profiles, which know their drift already.
std::vector<CheckedProfile> Api::checked_profiles() {
  std::vector<CheckedProfile> checked;
  const SessionPool::Lease session = sessions_.lease();
  for (const ProfileRow& row : listed_profiles(session->session())) {
    const Json json = known_profile_json(*session, row);
    if (!json.at("drift").is_null())
      checked.push_back({profile_name(row), row.device.name, to_string(row.device.source),
                         json.at("drift").at("ratio").get<double>() - 1});
  }
  return checked;
}

// A store that does not answer must not hide the rest.
HttpResponse Api::metrics() {
  std::string text = fmt::format(
      "# HELP ampere_build_info The version of the program.\n# TYPE ampere_build_info gauge\n"
      "ampere_build_info{{version=\"{}\"}} 1\n",
      AMPERE_VERSION);
  metrics_.add_text(text);
  if (counts_) add_http_text(text, counts_());
  add_power_text(text, power_.now());
  try {
    add_checks_text(text, checked_profiles());
  } catch (const Error&) {
  }
  return {200, "text/plain; version=0.0.4; charset=utf-8", std::move(text)};
}

}  // namespace ampere
