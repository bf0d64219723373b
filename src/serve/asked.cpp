#include "serve/asked.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/amounts.h"
#include "base/known_keys.h"
#include "base/read_number.h"
#include "setup/asked_setup.h"

namespace ampere {
namespace {

constexpr std::int64_t kMostNetworks = 1'000'000;  // of a search, which takes seconds then
const std::vector<std::string> kEstimateKeys{
    "network", "setup",      "mode",    "workload",         "profile",      "device",
    "method",  "confidence", "battery", "carbon_g_per_kwh", "price_per_kwh"};

std::vector<std::string> with_keys(std::vector<std::string> keys,
                                   std::initializer_list<const char*> more) {
  std::ranges::copy(more, std::back_inserter(keys));
  return keys;
}

double read_share(const JsonField& json) {
  const double value = json.number();
  if (!(value > 0 && value < 1)) json.fail(fmt::format("{} is not between 0 and 1", value));
  return value;
}

bool asks_for_inference(const JsonField& json) {
  const std::string mode = json.text_or("mode", "training");
  if (mode != "training" && mode != "inference")
    json.at("mode").fail(fmt::format("'{}' is neither training nor inference", mode));
  return mode == "inference";
}

// Inference has no optimizer; where no batch is asked for, that of the profile is taken.
void read_query(const JsonField& json, const AskedDefaults& defaults, ProfileQuery& query) {
  static const Json kNothing = Json::object();
  const JsonField setup =
      json.has("setup") ? json.at("setup") : JsonField(kNothing, json.path() + "setup");
  refuse_unknown_keys(setup, setup_keys());
  query.setup = read_asked_setup(setup, defaults.setup);
  if (asks_for_inference(json)) {
    const Setup training = query.setup;
    query.setup = inference_setup(training.batch);
    query.setup.precision = training.precision;
    query.setup.options.plain_attention = training.options.plain_attention;
    query.setup.options.compiled = training.options.compiled;
    query.setup.options.channels_last = training.options.channels_last;
    query.any_batch = !setup.has("batch");
  }
  query.profile = json.text_or("profile", "");
  query.device = json.text_or("device", "");
  query.method = json.text_or("method", "");
  if (!query.profile.empty() && !query.device.empty())
    json.fail("profile and device both choose a profile; give only one of them");
  if (!query.method.empty())
    read_word(json.at("method"), [&](const std::string& method) {
      require_method(method, query.setup.phase);
      return true;
    });
}

Conversions read_conversions(const JsonField& json) {
  Conversions conversions;
  if (json.has("battery"))
    conversions.battery_j =
        parse_battery(json.at("battery").text(), json.at("battery").path()).value;
  if (json.has("carbon_g_per_kwh"))
    conversions.carbon_g_per_kwh = read_at_least_zero(json.at("carbon_g_per_kwh"));
  if (json.has("price_per_kwh"))
    conversions.price_per_kwh = read_at_least_zero(json.at("price_per_kwh"));
  return conversions;
}

void read_workload(const JsonField& json, AskedEstimate& asked) {
  static const std::vector<std::string> kKeys{"iterations", "epochs", "samples"};
  refuse_unknown_keys(json, kKeys);
  asked.iterations = read_asked_iterations(json, asked.query.setup.batch);
  if (!json.has("epochs")) return;
  asked.epochs = json.at("epochs").integer();
  asked.samples = json.at("samples").integer();
}

AskedEstimate read_known_estimate(const JsonField& json, Uploads& uploads,
                                  const AskedDefaults& defaults,
                                  const SharedNetwork& otherwise = nullptr) {
  AskedEstimate asked;
  asked.network =
      otherwise && !json.has("network") ? otherwise : read_network(json.at("network"), uploads);
  read_query(json, defaults, asked.query);
  if (json.has("workload")) read_workload(json.at("workload"), asked);
  asked.confidence =
      json.has("confidence") ? read_share(json.at("confidence")) : defaults.confidence;
  asked.conversions = read_conversions(json);
  if (asked.network->program() == nullptr) return asked;
  if (json.has("setup")) json.at("setup").fail("a program has a setup of its own");
  if (asked.query.setup.phase == Phase::inference)
    json.at("mode").fail("a program is one iteration of training");
  return asked;
}

}  // namespace

AskedEstimate read_estimate(const JsonField& json, Uploads& uploads, const AskedDefaults& defaults,
                            const SharedNetwork& otherwise) {
  refuse_unknown_keys(json, kEstimateKeys);
  return read_known_estimate(json, uploads, defaults, otherwise);
}

AskedComparison read_comparison(const JsonField& json, Uploads& uploads,
                                const AskedDefaults& defaults) {
  static const std::vector<std::string> kKeys = with_keys(kEstimateKeys, {"profiles"});
  refuse_unknown_keys(json, kKeys);
  return {read_known_estimate(json, uploads, defaults), texts_or_none(json, "profiles")};
}

AskedPrune read_prune(const JsonField& json, Uploads& uploads, const AskedDefaults& defaults) {
  static const std::vector<std::string> kKeys{
      "network",    "budget",  "setup",  "profile",  "device", "method",    "confidence",
      "iterations", "battery", "search", "networks", "seed",   "min_width", "align"};
  refuse_unknown_keys(json, kKeys);
  AskedPrune asked;
  const SharedNetwork network = read_network(json.at("network"), uploads);
  if (network->model() == nullptr)
    json.at("network").fail("a program has no widths to prune; give the network");
  asked.name = network->name;
  read_query(json, defaults, asked.query);
  PruneTask& task = asked.task;
  task.original = *network->model();
  task.setup = asked.query.setup;
  task.method = asked.query.method;
  task.budget =
      read_word(json.at("budget"), [](const std::string& text) { return parse_budget(text); });
  if (json.has("confidence")) task.confidence = read_share(json.at("confidence"));
  if (json.has("iterations"))
    task.iterations = read_whole_up_to(json.at("iterations"), kMostIterations);
  task.battery_j = read_conversions(json).battery_j;
  if (json.has("search")) task.search.kind = read_word(json.at("search"), parse_search);
  if (json.has("networks"))
    task.search.draws = read_whole_up_to(json.at("networks"), kMostNetworks);
  if (json.has("seed")) task.search.seed = static_cast<unsigned>(read_count(json.at("seed"), 0));
  if (json.has("min_width"))
    task.space.min_width = read_whole_up_to(json.at("min_width"), kLargestBatch);
  if (json.has("align")) task.space.align = read_whole_up_to(json.at("align"), kLargestBatch);
  task.verify = task.learn = false;  // nothing is measured here
  return asked;
}

Workload workload_of(const AskedEstimate& asked) {
  std::int64_t iterations = asked.iterations.value_or(1);
  if (const Program* program = asked.network->program(); program != nullptr && asked.epochs) {
    const std::int64_t samples = samples_of(*program);
    iterations = *asked.epochs * ((*asked.samples + samples - 1) / samples);
  }
  return {iterations, asked.confidence};
}

}  // namespace ampere
