#include "onnx/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "onnx/functions.h"
#include "onnx/importer.h"
#include "onnx/inputs.h"
#include "onnx/lower.h"
#include "onnx/order.h"
#include "onnx/passes.h"

namespace ampere {
namespace onnx {
namespace {

constexpr std::int64_t kOldestOpset = 7;
// A length that no other axis has, so that the batch is found again behind every reshape.
constexpr std::int64_t kOpenBatch = 1009;

const ValueInfo& chosen_output(const Graph& graph, const OnnxOptions& options,
                               std::vector<OnnxNote>& notes) {
  if (graph.outputs.empty()) throw Error(ErrorCode::usage, "the graph has no outputs");
  std::vector<std::string> names;
  for (const ValueInfo& output : graph.outputs) names.emplace_back(output.name.substr(0, 200));
  if (!options.output.empty()) {
    const auto found = std::ranges::find(graph.outputs, options.output, &ValueInfo::name);
    if (found != graph.outputs.end()) return *found;
    throw Error(ErrorCode::usage, fmt::format("no output '{}'; there are: {}", options.output,
                                              fmt::join(names, ", ")));
  }
  if (names.size() > 1)
    notes.push_back({fmt::format("of {} outputs the first, '{}', is trained; another can be named",
                                 names.size(), names[0]),
                     Remedy::model_output});
  return graph.outputs[0];
}

class Import {
 public:
  Import(const File& file, const std::vector<Node>& nodes, DataFolder& folder,
         const OnnxOptions& options, const std::string& name)
      : file_(file), nodes_(nodes), folder_(folder), options_(options), name_(name) {}

  OnnxImport run(std::int64_t open_batch, bool& batch_is_open) {
    OnnxImport result;
    const ValueInfo& output = chosen_output(file_.graph, options_, result.notes);
    const std::vector<const Node*> order = ordered_nodes(nodes_, output.name);
    const BoundInputs bound = bind_inputs(file_.graph, order, options_, open_batch);
    batch_is_open = bound.batch_is_open;
    Importer importer(file_, folder_, bound.batch, bound.batch_is_open);
    importer.problems() = bound.problems;
    if (file_.opset < kOldestOpset)
      importer.problems().push_back(
          {"", "opset",
           fmt::format("opset {} is older than {}; convert the file first", file_.opset,
                       kOldestOpset)});
    add_initializers(importer, order);
    if (options_.output.empty() && file_.graph.outputs.size() > 1) note_left_out(importer, order);
    for (const auto& [info, dims] : bound.parameters) add_parameter(importer, *info, dims);
    std::vector<std::string_view> shapeless = bound.shapeless;
    add_missing(importer, order, shapeless);
    if (!shapeless.empty()) importer.problems().push_back(missing_weights(shapeless));
    const bool ready = bound.problems.empty() && shapeless.empty();
    if (ready) {
      for (const DataInput& input : bound.data) add_input(importer, input);
      for (const DataInput& input : bound.masks) add_mask(importer, input);
      importer.run(order);
    } else {
      check_operators(importer, order);
    }
    if (importer.problems().empty()) finish(importer, output, result);
    result.unsupported = std::move(importer.problems());
    for (const std::string& note : importer.notes()) result.notes.push_back({note});
    return result;
  }

 private:
  // Without shapes nothing can be followed, but operators that no shape would help are told.
  static void check_operators(Importer& importer, const std::vector<const Node*>& order) {
    for (const Node* node : order)
      if (std::string reason = refusal(*node); !reason.empty())
        importer.problems().push_back({std::string(node->name.substr(0, 200)),
                                       std::string(node->op.substr(0, 200)), std::move(reason)});
  }

  void add_initializers(Importer& importer, const std::vector<const Node*>& order) {
    std::unordered_set<std::string_view> read, seen, buffers;
    for (const ValueInfo& value : file_.graph.values)
      if (value.kind == "BUFFER" || value.kind == "CONSTANT_TENSOR") buffers.insert(value.name);
    for (const Node* node : order) read.insert(node->inputs.begin(), node->inputs.end());
    for (const TensorData& tensor : file_.graph.initializers) {
      const std::string name(tensor.name.substr(0, 200));
      if (!seen.insert(tensor.name).second)
        throw Error(ErrorCode::usage, fmt::format("two initializers are named '{}'", name));
      if (!read.contains(tensor.name)) continue;
      try {
        Constant constant = read_tensor(tensor, folder_);
        if (buffers.contains(tensor.name)) constant.learned = false;
        importer.set(tensor.name, std::move(constant));
      } catch (const Unsupported& problem) {
        importer.problems().push_back({name, "initializer", problem.reason});
        importer.set_broken(tensor.name);
      }
    }
    if (file_.graph.sparse)
      importer.problems().push_back({"", "initializer", "sparse initializers are not read"});
  }

  // Weights that only the other outputs read are not trained.
  void note_left_out(Importer& importer, const std::vector<const Node*>& order) {
    std::unordered_set<std::string_view> read, everything;
    for (const Node* node : order) read.insert(node->inputs.begin(), node->inputs.end());
    for (const Node& node : nodes_) everything.insert(node.inputs.begin(), node.inputs.end());
    double numbers = 0;  // dims are not checked yet: a product may be anything
    for (const TensorData& tensor : file_.graph.initializers) {
      if (!is_floating(tensor.type) || !everything.contains(tensor.name) ||
          read.contains(tensor.name))
        continue;
      double count = 1;
      for (const std::int64_t length : tensor.dims) count *= static_cast<double>(length);
      numbers += count;
    }
    if (numbers > 0)
      importer.note(
          fmt::format("{:.0f} numbers that only other outputs need are left out", numbers));
  }

  static void add_parameter(Importer& importer, const ValueInfo& info, const Dims& dims) {
    try {
      Constant constant = Constant::unknown(dims, info.type);
      constant.name = info.name;
      constant.learned = is_floating(info.type);
      importer.set(info.name, std::move(constant));
    } catch (const Unsupported& problem) {
      importer.problems().push_back(
          {std::string(info.name.substr(0, 200)), "input", problem.reason});
      importer.set_broken(info.name);
    }
  }

  // What nodes read but nothing gives: weights that an exporter left out. Their shapes may be noted
  // all the same.
  void add_missing(Importer& importer, const std::vector<const Node*>& order,
                   std::vector<std::string_view>& shapeless) {
    std::unordered_set<std::string_view> given{""};
    for (const Node* node : order) given.insert(node->outputs.begin(), node->outputs.end());
    for (const TensorData& tensor : file_.graph.initializers) given.insert(tensor.name);
    for (const ValueInfo& input : file_.graph.inputs) given.insert(input.name);
    std::unordered_map<std::string_view, const ValueInfo*> noted;
    for (const ValueInfo& value : file_.graph.values) noted[value.name] = &value;
    for (const Node* node : order)
      for (const std::string_view name : node->inputs) {
        if (!given.insert(name).second) continue;
        const auto found = noted.find(name);
        const ValueInfo* info = found == noted.end() ? nullptr : found->second;
        if (!info || !info->dims ||
            std::ranges::any_of(*info->dims, [](const Dim& dim) { return dim.length < 0; })) {
          shapeless.push_back(name);
          continue;
        }
        Dims dims;
        for (const Dim& dim : *info->dims) dims.push_back(dim.length);
        add_parameter(importer, *info, dims);
      }
  }

  static OnnxProblem missing_weights(const std::vector<std::string_view>& names) {
    std::vector<std::string> readable;
    for (const std::string_view name : names) {
      readable.emplace_back(name.substr(0, 200));
      std::ranges::replace_if(
          readable.back(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
    }
    return {"", "weights",
            fmt::format(
                "{} no shape: {}; PyTorch's newer exporter writes none with "
                "export_params=False: export the weights too and delete their data file "
                "afterwards, or use the older exporter (dynamo=False)",
                names.size() == 1 ? "1 weight has" : fmt::format("{} weights have", names.size()),
                fmt::join(readable, ", "))};
  }

  // A mask of tokens that hides none: what is padded is computed all the same.
  static void add_mask(Importer& importer, const DataInput& input) {
    try {
      importer.set(input.info->name,
                   Constant::made(input.dims, input.info->type, {filled(input.dims, 1)},
                                  [](const auto& from) { return from[0].numbers(); }));
      importer.note(fmt::format("'{}' is taken to be all ones: no token is masked",
                                input.info->name.substr(0, 200)));
    } catch (const Unsupported& problem) {
      importer.problems().push_back(
          {std::string(input.info->name.substr(0, 200)), "input", problem.reason});
      importer.set_broken(input.info->name);
    }
  }

  static void add_input(Importer& importer, const DataInput& input) {
    const Dims sample(input.dims.begin() + 1, input.dims.end());
    TensorShape shape;
    const bool ids =
        input.info->type == ElementType::int64 || input.info->type == ElementType::int32;
    if (ids && sample.size() <= 1)
      shape = tokens(sample.empty() ? 1 : sample[0], 1);
    else if (ids || sample.empty())
      shape = tensor(sample.empty() ? Dims{1} : sample);
    else if (sample.size() == 1)
      shape = flat(sample[0]);
    else if (sample.size() == 2)
      shape = sequence(sample[0], sample[1]);
    else if (sample.size() == 3)
      shape = image(sample[0], sample[1], sample[2]);
    else
      shape = tensor(sample);
    Node node;
    node.op = "input";
    node.name = input.info->name;
    try {
      Value value = importer.native(importer.emit(node, Input{shape}, {}));
      value.view.axes.resize(input.dims.size());
      importer.set(input.info->name, std::move(value));
    } catch (const Unsupported& problem) {
      importer.problems().push_back({std::string(node.name), "input", problem.reason});
      importer.set_broken(input.info->name);
    }
  }

  void finish(Importer& importer, const ValueInfo& output, OnnxImport& result) {
    const Value* value = importer.find_value(output.name);
    Node node;
    node.op = "output";
    node.name = output.name;
    try {
      if (!value) throw Unsupported{"does not depend on the data"};
      Draft& draft = importer.draft();
      draft.output = importer.settled(node, *value).layer;
      join_biases(draft);
      join_positions(draft);
      join_layer_norms(draft);
      join_scales(draft);
      join_concats(draft);
      join_functions(draft);
      join_attention(draft);
      mark_encoders(draft);
      note_folded(importer);
      const std::map<int, Dims> turned = turn_inputs(draft);
      Lowered lowered = lower(draft, name_);
      if (!lowered.model) {
        importer.problems() = std::move(lowered.problems);
        return;
      }
      list_inputs(draft, lowered, turned, result);
      if (options_.weights) result.weights = read_weights(draft, lowered);
      result.model = std::move(lowered.model);
    } catch (const Unsupported& problem) {
      importer.problems().push_back({std::string(node.name), "output", problem.reason});
    }
  }

  static void list_inputs(const Draft& draft, const Lowered& lowered,
                          const std::map<int, Dims>& turned, OnnxImport& result) {
    for (const int layer : lowered.layer_of) {
      if (layer < 0 || !layer_as<Input>(draft, layer)) continue;
      const auto found = turned.find(layer);
      Dims order(draft[layer].shape.axes().size());
      std::iota(order.begin(), order.end(), 0);
      if (found != turned.end()) order = found->second;
      result.inputs.push_back({draft[layer].name, order});
    }
  }

  // Exporters for inference make one layer of a convolution and the normalisation after it, and
  // give its bias a name of their own.
  static void note_folded(Importer& importer) {
    const Draft& draft = importer.draft();
    const std::vector<int> read = readers(draft);
    int folded = 0;
    for (int i = 0; i < static_cast<int>(draft.layers.size()); ++i) {
      const auto bias = draft[i].weights.find("bias");
      if (read[i] == 0 || !layer_as<Conv>(draft, i) || bias == draft[i].weights.end()) continue;
      if (!bias->second.name.empty() && !bias->second.name.ends_with("bias")) ++folded;
      if (bias->second.name.ends_with("weight_bias")) ++folded;
    }
    if (folded > 0)
      importer.note(fmt::format(
          "the exporter seems to have folded batch normalisation into {} convolutions; they are "
          "trained as the convolutions with bias they now are (export with TrainingMode.PRESERVE, "
          "or with optimize=False, to keep it)",
          folded));
  }

  const File& file_;
  const std::vector<Node>& nodes_;
  DataFolder& folder_;
  const OnnxOptions& options_;
  const std::string& name_;
};

}  // namespace

OnnxImport import_bytes(std::string_view bytes, const std::optional<std::filesystem::path>& folder,
                        const std::string& name, const OnnxOptions& options) {
  const File file = parse_file(bytes);
  std::deque<std::string> names;
  const std::vector<Node> nodes = inlined(file, names);
  DataFolder data(folder);
  Import import(file, nodes, data, options, name);
  bool batch_is_open = false;
  OnnxImport result = import.run(kOpenBatch, batch_is_open);
  if (result.model || !batch_is_open) return result;
  // Some exporters leave the batch open but write shapes for a batch of one all the same.
  OnnxImport again = import.run(1, batch_is_open);
  return again.model ? again : result;
}

}  // namespace onnx

OnnxImport import_onnx(const std::string& path, const OnnxOptions& options) {
  try {
    const onnx::MappedFile file(path);
    const std::filesystem::path where(path);
    return onnx::import_bytes(file.bytes(), where.parent_path(), plain_text(where.stem().string()),
                              options);
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.starts_with(path)) throw;
    throw error.saying(fmt::format("{}: {}", path, message));
  }
}

OnnxImport import_onnx_bytes(std::string_view bytes, const std::string& name,
                             const OnnxOptions& options) {
  try {
    const std::string stem = std::filesystem::path(name).stem().string();
    return onnx::import_bytes(bytes, std::nullopt, plain_text(stem), options);
  } catch (const Error& error) {
    throw error.saying(fmt::format("{}: {}", name, error.what()));
  }
}

Model take_model(OnnxImport imported, const std::string& path) {
  if (imported.model) return std::move(*imported.model);
  std::string text = fmt::format("{}: cannot be trained:", path);
  Remedy remedy = Remedy::none;
  for (const OnnxProblem& problem : imported.unsupported) {
    text += fmt::format("\n  {}{}{}: {}", problem.op, problem.node.empty() ? "" : " ", problem.node,
                        problem.reason);
    if (problem.remedy != Remedy::none) remedy = problem.remedy;
  }
  throw Error(ErrorCode::usage, text, remedy);
}

}  // namespace ampere
