// Live power of this machine.
#include "base/or_null.h"
#include "serve/routes.h"

namespace ampere {
namespace {

Json meter_json(const WatchedMeter& meter) {
  Json domains = Json::array();
  for (const WatchedDomain& domain : meter.domains)
    domains.push_back({{"name", domain.name},
                       {"power_w", domain.power ? Json(domain.power->value) : Json(nullptr)},
                       {"energy_j", domain.energy.value}});
  return {{"name", meter.name},
          {"source", to_string(meter.source)},
          {"available", meter.reason.empty()},
          {"reason", meter.reason.empty() ? Json(nullptr) : Json(meter.reason)},
          {"domains", std::move(domains)}};
}

HttpResponse power(Desk& desk, const HttpRequest&, std::string_view) {
  Json meters = Json::array();
  for (const WatchedMeter& meter : desk.power.now()) meters.push_back(meter_json(meter));
  return json_response({{"meters", std::move(meters)}});
}

}  // namespace

std::vector<Route> power_routes() { return {{"power", "GET", "/v1/power", 0, power, true}}; }

}  // namespace ampere
