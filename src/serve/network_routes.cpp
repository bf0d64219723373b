// Networks: the zoo, what people send, and which widths are free.
#include <fmt/format.h>

#include "ampere/error.h"
#include "ampere/widths.h"
#include "base/plain_text.h"
#include "serve/query_text.h"
#include "serve/routes.h"

namespace ampere {
namespace {

constexpr std::size_t kLargestUpload = 64 << 20;
constexpr std::size_t kLongestName = 200;

HttpResponse models(Desk&, const HttpRequest&, std::string_view) {
  Json list = Json::array();
  for (const ZooEntry& entry : zoo()) {
    Json options = Json::array();
    for (const ZooOption& option : entry.options)
      options.push_back(
          {{"key", option.key}, {"default", option.default_value}, {"help", option.help}});
    list.push_back({{"name", entry.name},
                    {"description", entry.description},
                    {"options", std::move(options)}});
  }
  return json_response({{"models", std::move(list)}});
}

HttpResponse methods(Desk&, const HttpRequest&, std::string_view) {
  Json list = Json::array();
  for (const MethodInfo& method : method_infos(Phase::iteration))
    list.push_back({{"name", method.name},
                    {"description", method.description},
                    {"baseline", method.baseline}});
  return json_response({{"methods", std::move(list)}});
}

Json size_json(const Network& network) {
  if (const Program* program = network.program())
    return {{"kind", "program"},
            {"parameters", program->parameters},
            {"layers", program->steps.size()}};
  return {{"kind", "model"},
          {"parameters", count(*network.model(), 1).parameters},
          {"layers", network.model()->layers().size()}};
}

HttpResponse upload(Desk& desk, const HttpRequest& request, std::string_view) {
  std::string name = plain_text(query_value(request.query, "name").value_or("upload"));
  if (name.empty() || name.size() > kLongestName)
    throw Error(ErrorCode::usage, fmt::format("name: must have 1 to {} letters", kLongestName));
  const std::string id = desk.uploads.add(request.body, name);
  Json answer{{"upload", id}, {"name", name}};
  answer.update(size_json(*desk.uploads.find(id)));
  return json_response(answer, 201);
}

HttpResponse widths(Desk& desk, const HttpRequest& request, std::string_view) {
  const Json body = parse_body(request);
  const JsonField json(body, kRequestOrigin + ": ");
  const SharedNetwork network = read_network(json.at("network"), desk.uploads);
  Json list = Json::array();
  if (network->model() != nullptr)
    for (const ChannelGroup& group : free_widths(*network->model()))
      list.push_back({{"name", group.name},
                      {"value", group.value},
                      {"least", group.multiple_of},
                      {"most", group.value},
                      {"step", group.multiple_of}});
  Json answer{{"name", network->name}, {"widths", std::move(list)}};
  answer.update(size_json(*network));
  return json_response(answer);
}

}  // namespace

std::vector<Route> network_routes() {
  return {{"models", "GET", "/v1/models", 0, models},
          {"methods", "GET", "/v1/methods", 0, methods},
          {"uploads", "POST", "/v1/uploads", kLargestUpload, upload},
          {"widths", "POST", "/v1/widths", kLargestJsonBody, widths}};
}

}  // namespace ampere
