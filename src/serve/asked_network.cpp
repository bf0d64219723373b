#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ampere/widths.h"
#include "base/json_text.h"
#include "base/known_keys.h"
#include "base/plain_text.h"
#include "model/model_json.h"
#include "model/widths.h"
#include "serve/asked.h"

namespace ampere {
namespace {

// Errors of files know where they stand; those of names do not.
template <class Open>
auto at_field(const JsonField& field, const Open& open) try {
  return open();
} catch (const Error& error) {
  throw error.saying(fmt::format("{}: {}", field.path(), error.what()));
}

SharedNetwork read_source(const JsonField& json, Uploads& uploads) {
  if (json.has("zoo")) {
    const std::string spec = json.at("zoo").text();
    return std::make_shared<const Network>(
        Network{plain_text(spec), at_field(json.at("zoo"), [&] { return open_zoo_model(spec); })});
  }
  if (json.has("model")) {
    Model model = read_model(json.at("model"));
    std::string name = plain_text(model.name());
    return std::make_shared<const Network>(Network{std::move(name), std::move(model)});
  }
  if (json.has("program")) {
    Program program =
        parse_program(json_text(json.at("program").json()), json.at("program").path());
    std::string name = plain_text(program.name);
    return std::make_shared<const Network>(Network{std::move(name), std::move(program)});
  }
  return uploads.find(json.at("upload").text());
}

}  // namespace

SharedNetwork read_network(const JsonField& json, Uploads& uploads) {
  static const std::vector<std::string> kKeys{"zoo", "model", "program", "upload", "widths"};
  refuse_unknown_keys(json, kKeys);
  const int sources =
      json.has("zoo") + json.has("model") + json.has("program") + json.has("upload");
  if (sources != 1) json.fail("needs exactly one of zoo, model, program and upload");
  SharedNetwork network = read_source(json, uploads);
  if (!json.has("widths")) return network;
  const JsonField widths = json.at("widths");
  if (network->model() == nullptr) widths.fail("a program has no widths that can be varied");
  const std::vector<std::int64_t> values = widths.integers();
  return at_field(widths, [&] {
    const std::string base = network->name.substr(0, network->name.find(':'));
    std::string name = fmt::format("{}:{}", base, fmt::join(values, ","));
    Model model = renamed_with_widths(*network->model(), values, OutputChannels::fixed, name);
    return std::make_shared<const Network>(Network{std::move(name), std::move(model)});
  });
}

}  // namespace ampere
