// The API of the server: finds the route of a request, counts and times it, and turns whatever goes
// wrong into a problem.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "serve/metrics.h"
#include "serve/routes.h"

namespace ampere {

struct ApiOptions {
  std::string store;
  AskedDefaults defaults = {};
  std::vector<std::string> meters;  // to watch; empty: all that are available
  int prunings = 2;                 // at once
  StopToken stop = {};
};

class Api final : public HttpHandler {
 public:
  explicit Api(ApiOptions options);

  HttpResponse answer(const HttpRequest& request) override;
  HttpResponse refusal(int status, std::string_view reason) const override;
  std::size_t body_limit(std::string_view method, std::string_view path) const override;
  bool is_quick(std::string_view method, std::string_view path) const override;
  bool is_open(std::string_view method, std::string_view path) const override;

  // What the transport counts, where there is one. Set before the first request.
  void show_counts(std::function<HttpCounts()> counts) { counts_ = std::move(counts); }

 private:
  struct Match {
    const Route* route = nullptr;
    std::string_view id;  // of a path with one
  };
  // Nothing for a path that there is none of. Throws nothing.
  std::optional<Match> find(std::string_view method, std::string_view path) const;
  std::string allowed(std::string_view path) const;  // methods; empty for a path there is none of
  HttpResponse routed(const HttpRequest& request, std::string& route);
  HttpResponse metrics();
  HttpResponse ready();
  std::vector<CheckedProfile> checked_profiles();

  const ApiOptions options_;
  SessionPool sessions_;
  Uploads uploads_;
  PruneJobs prunings_;
  PowerWatch power_;
  Desk desk_;
  RequestMetrics metrics_;
  std::function<HttpCounts()> counts_;
  std::vector<Route> routes_;
};

}  // namespace ampere
