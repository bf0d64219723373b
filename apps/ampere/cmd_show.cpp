#include <fmt/format.h>

#include <set>

#include "ampere/block.h"
#include "ampere/error.h"
#include "ampere/model.h"
#include "ampere/widths.h"
#include "base/json_text.h"
#include "base/text.h"
#include "commands.h"
#include "model/model_json.h"
#include "options.h"
#include "print.h"
#include "program_output.h"
#include "ranges.h"
#include "remedies.h"

namespace ampere {
namespace {

struct ShowArguments {
  std::string model;
  ModelSource source;
  std::int64_t batch = 1;
  bool json = false;
};

Json flops_json(const Counts& counts) {
  return {{"forward", counts.forward_flops}, {"training", counts.training_flops}};
}

Json block_json(const Block& block, const Model& model) {
  Json features = Json::object();
  for (std::size_t i = 0; i < block.features.size(); ++i)
    features[block.kind->features[i].name] = block.features[i];
  Json layers = Json::array();
  for (const int layer : block.layers) layers.push_back(model.layers()[layer].name);
  return {{"kind", block.kind->title},
          {"key", block.kind->key},
          {"role", to_string(block.kind->role)},
          {"features", std::move(features)},
          {"layers", std::move(layers)}};
}

Json problem_json(const OnnxProblem& problem) {
  return {{"node", problem.node},
          {"op", problem.op},
          {"reason", with_remedy(problem.reason, problem.remedy)}};
}

// Everything that keeps a network from being trained, instead of its layers.
[[noreturn]] void show_problems(const OnnxImport& imported, const ShowArguments& options) {
  if (options.json) {
    Json document{{"name", options.model}, {"trainable", false}, {"unsupported", Json::array()}};
    for (const OnnxProblem& problem : imported.unsupported)
      document["unsupported"].push_back(problem_json(problem));
    fmt::print("{}\n", json_text(document, 2));
  } else {
    std::vector<std::vector<std::string>> rows{{"op", "node", "why it cannot be trained"}};
    for (const OnnxProblem& problem : imported.unsupported)
      rows.push_back({problem.op, problem.node, with_remedy(problem.reason, problem.remedy)});
    print_table(rows);
  }
  throw Error(ErrorCode::usage, fmt::format("{}: cannot be trained for {} reason{}", options.model,
                                            imported.unsupported.size(),
                                            imported.unsupported.size() == 1 ? "" : "s"));
}

// The network with the notes of its import.
struct Opened {
  Model model;
  std::vector<std::string> notes;
};

Opened open(const ShowArguments& options) {
  if (!options.model.ends_with(".onnx")) return {open_model(options.model), {}};
  OnnxImport imported = import_onnx(options.model, options.source.onnx());
  if (!imported.model) show_problems(imported, options);
  Opened opened{std::move(*imported.model), {}};
  for (const OnnxNote& note : imported.notes)
    opened.notes.push_back(with_remedy(note.text, note.remedy));
  return opened;
}

// A model file that loads again, with derived values beside it.
void show_json(const Opened& opened, std::int64_t batch) {
  const Model& model = opened.model;
  const Counts whole = count(model, batch);
  Json document = model_json(model);
  document["batch"] = batch;
  document["parameters"] = whole.parameters;
  document["flops"] = flops_json(whole);
  document["bytes"] = whole.bytes;
  document["activations"] = whole.activations;
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    const Layer& layer = model.layers()[i];
    const Counts counts = count(layer, model, batch);
    document["layers"][i]["output"] = to_string(layer.output);
    document["layers"][i]["parameters"] = counts.parameters;
    document["layers"][i]["flops"] = flops_json(counts);
  }
  document["blocks"] = Json::array();
  for (const Block& block : parse_blocks(model))
    document["blocks"].push_back(block_json(block, model));
  document["trainable"] = true;
  document["unsupported"] = Json::array();
  document["notes"] = opened.notes;
  fmt::print("{}\n", json_text(document, 2));
}

void print_layers(const Model& model, std::int64_t batch) {
  std::vector<std::vector<std::string>> rows{
      {"layer", "op", "output", "parameters", "forward FLOPs"}};
  for (const Layer& layer : model.layers()) {
    const Counts counts = count(layer, model, batch);
    rows.push_back({layer.name, op_name(layer.op), to_string(layer.output),
                    std::to_string(counts.parameters),
                    large_count(static_cast<double>(counts.forward_flops))});
  }
  print_table(rows);
}

void print_blocks(const Model& model) {
  std::set<std::string> kinds, hidden;
  std::vector<std::vector<std::string>> rows{{"role", "kind", "features", "layers"}};
  for (const Block& block : parse_blocks(model)) {
    std::string layers;
    for (const int layer : block.layers)
      layers += (layers.empty() ? "" : " ") + model.layers()[layer].name;
    kinds.insert(block.kind->key);
    if (block.kind->role == Role::hidden) hidden.insert(block.kind->key);
    rows.push_back({to_string(block.kind->role), block.kind->title,
                    feature_text(feature_names(block.kind->features), block.features), layers});
  }
  print_table(rows);
  fmt::print("{} of {}, {} of them hidden\n", counted(std::ssize(rows) - 1, "block"),
             counted(std::ssize(kinds), "kind"), hidden.size());
}

void show_program(const ShowArguments& options, const CLI::App& command) {
  for (const char* option : {"--batch", "--shape", "--onnx-output"})
    if (command.count(option) > 0)
      throw Error(ErrorCode::usage, fmt::format("{}: {} is a program, in which all sizes are fixed",
                                                option, options.model));
  const Program program = load_program(options.model);
  (options.json ? print_program_json : print_program)(program);
}

void show(const ShowArguments& options, const CLI::App& command) {
  if (options.model.ends_with(".program")) return show_program(options, command);
  if (options.batch < 1)
    throw Error(ErrorCode::usage,
                fmt::format("--batch: {} is not a positive number", options.batch));
  const Opened opened = open(options);
  if (options.json) return show_json(opened, options.batch);
  const Model& model = opened.model;
  const Counts whole = count(model, options.batch);
  fmt::print("{}\n", model.name());
  print_wrapped(
      fmt::format(
          "{} parameters, {} multiply-adds per sample; batch {}: {} forward and {} training FLOPs",
          whole.parameters, large_count(static_cast<double>(multiply_adds(model))), options.batch,
          large_count(static_cast<double>(whole.forward_flops)),
          large_count(static_cast<double>(whole.training_flops))),
      2);
  fmt::print("\n");
  print_layers(model, options.batch);
  fmt::print("\n");
  print_blocks(model);
  std::string widths = "free widths:";
  for (const ChannelGroup& width : free_widths(model))
    widths += fmt::format(" {}={}", width.name, width.value);
  fmt::print("\n");
  print_wrapped(widths, 2);
  for (const std::string& note : opened.notes) fmt::print("note: {}\n", note);
}

}  // namespace

void add_show(CLI::App& app) {
  auto options = std::make_shared<ShowArguments>();
  CLI::App* command = app.add_subcommand(
      "show",
      "Shows a network's layers, shapes, parameters, FLOPs, blocks and kinds, or a program's "
      "operations, FLOPs, bytes and memory");
  command
      ->add_option("MODEL", options->model,
                   std::string(model_help()) + ", or a .program that ampere trace wrote")
      ->required();
  add_onnx_options(*command, options->source);
  command->add_option("--batch", options->batch, "Samples per batch, for which FLOPs are counted")
      ->check(whole_from_to(1, kLargestBatch))
      ->capture_default_str();
  add_json_flag(*command, options->json);
  add_wide_flag(*command);
  add_example(*command, "ampere show cnn5:8,16,32,64 --json > narrow.json");
  command->callback([options, command] { show(*options, *command); });
}

}  // namespace ampere
