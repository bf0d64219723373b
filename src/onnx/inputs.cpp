#include "onnx/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace ampere::onnx {
namespace {

constexpr std::int64_t kMaxLength = std::int64_t{1} << 24;

// How a value is used: as the data of a layer, as its weights, as ids that are looked up in a
// table, or in a way that tells none of these.
struct Use {
  bool data = false, weight = false, ids = false;
};

bool only_moves(std::string_view op) {
  static const std::unordered_set<std::string_view> table = {
      "Identity", "Transpose", "Reshape", "Unsqueeze", "Squeeze",
      "Slice",    "Split",     "Cast",    "Expand",    "Concat"};
  return table.contains(op);
}

// `picks`: the node's indices are constant, so that it picks from data instead of looking up ids.
std::optional<Use> use_of(const Node& node, std::size_t input, bool picks) {
  const std::string_view op = node.op;
  const Use data{.data = true}, weight{.weight = true}, ids{.data = true, .ids = true};
  if (op == "Gather" && input == 1) return ids;
  if (op == "Gather") return picks ? data : weight;
  if (op == "Conv" || op == "ConvTranspose" || op == "Gemm" || op == "LSTM" || op == "GRU" ||
      op == "PRelu" || op.ends_with("Normalization"))
    return input == 0 ? data : weight;
  if (op == "MatMul" && input == 1) return weight;
  if (op == "MatMul" || op.ends_with("Pool") || op == "Pad" || op == "Resize") return data;
  return std::nullopt;
}

std::unordered_map<std::string_view, Use> uses(const Graph& graph,
                                               const std::vector<const Node*>& nodes) {
  std::unordered_map<std::string_view, Use> all;
  std::unordered_set<std::string_view> constants;
  for (const TensorData& initializer : graph.initializers) constants.insert(initializer.name);
  for (const Node* node : nodes)
    if (node->op == "Constant") constants.insert(node->outputs.begin(), node->outputs.end());
  for (std::size_t n = nodes.size(); n-- > 0;) {
    const Node& node = *nodes[n];
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      Use& use = all[node.inputs[i]];
      if (only_moves(node.op) && (i == 0 || node.op == "Concat")) {
        for (const std::string_view output : node.outputs) {
          const Use after = all[output];
          all[node.inputs[i]].data |= after.data;
          all[node.inputs[i]].weight |= after.weight;
          all[node.inputs[i]].ids |= after.ids;
        }
      } else if (const std::optional<Use> known = use_of(
                     node, i, node.inputs.size() > 1 && constants.contains(node.inputs[1]))) {
        use.data |= known->data;
        use.weight |= known->weight;
        use.ids |= known->ids;
      }
    }
  }
  return all;
}

class Binder {
 public:
  Binder(const Graph& graph, const OnnxOptions& options, std::int64_t open_batch,
         BoundInputs& result)
      : graph_(graph), options_(options), open_batch_(open_batch), result_(result) {}

  void bind(const std::vector<const Node*>& nodes) {
    std::unordered_set<std::string_view> given, read;
    for (const TensorData& initializer : graph_.initializers) given.insert(initializer.name);
    for (const Node* node : nodes) read.insert(node->inputs.begin(), node->inputs.end());
    std::unordered_map<std::string_view, Use> all = uses(graph_, nodes);
    std::vector<const ValueInfo*> open;
    for (const ValueInfo& input : graph_.inputs)
      if (!given.contains(input.name) && read.contains(input.name)) open.push_back(&input);
    const bool any_weight =
        std::ranges::any_of(open, [&](const ValueInfo* input) { return all[input->name].weight; });
    const bool any_ids = std::ranges::any_of(open, [&](const ValueInfo* input) {
      return all[input->name].ids && !is_part_of_module(*input);
    });
    for (const ValueInfo* input : open) {
      const Use use = all[input->name];
      const bool first = result_.data.empty() && result_.parameters.empty();
      const bool parameter = use.weight || (!first && is_part_of_module(*input)) ||
                             (!use.data && any_weight && !first && !has_open(*input));
      const bool mask = any_ids && !use.ids && !use.weight && !is_floating(input->type);
      parameter ? add_parameter(*input) : add_data(*input, mask ? result_.masks : result_.data);
    }
  }

 private:
  // "encoder.embeddings.position_ids", but not "input.1", which is how an exporter numbers inputs.
  static bool is_part_of_module(const ValueInfo& input) {
    const std::size_t dot = input.name.rfind('.');
    if (dot == std::string_view::npos || has_open(input)) return false;
    const std::string_view last = input.name.substr(dot + 1);
    return !last.empty() && !std::ranges::all_of(last, [](char c) { return c >= '0' && c <= '9'; });
  }

  static bool has_open(const ValueInfo& input) {
    return !input.dims ||
           std::ranges::any_of(*input.dims, [](const Dim& d) { return d.length < 0; });
  }

  void problem(const ValueInfo& input, std::string reason, Remedy remedy = Remedy::none) {
    result_.problems.push_back(
        {std::string(input.name.substr(0, 200)), "input", std::move(reason), remedy});
  }

  const std::vector<std::int64_t>* option(std::string_view name) const {
    const auto found = options_.shapes.find(std::string(name));
    return found == options_.shapes.end() ? nullptr : &found->second;
  }

  void add_parameter(const ValueInfo& input) {
    Dims dims;
    for (const Dim& dim : input.dims.value_or(std::vector<Dim>{})) dims.push_back(dim.length);
    if (has_open(input)) return result_.shapeless.push_back(input.name);
    result_.parameters.emplace_back(&input, dims);
  }

  void add_data(const ValueInfo& input, std::vector<DataInput>& list) {
    std::optional<Dims> dims = data_dims(input);
    if (!dims) return;
    if (dims->empty()) return problem(input, "has no batch axis");
    for (const std::int64_t length : *dims)
      if (length < 1 || length > kMaxLength)
        return problem(input, fmt::format("has the shape {}", fmt::join(*dims, "x")));
    if (result_.data.empty() && result_.masks.empty()) result_.batch = dims->front();
    if (dims->front() != result_.batch)
      return problem(
          input, fmt::format("has {} samples where '{}' has {}", dims->front(),
                             (result_.data.empty() ? result_.masks : result_.data)[0].info->name,
                             result_.batch));
    list.push_back({&input, *dims});
  }

  std::optional<Dims> data_dims(const ValueInfo& input) {
    if (const auto* whole = option(input.name)) return *whole;
    if (!input.dims) {
      problem(input, fmt::format("has no shape: give one, as in {}=1x3x224x224", input.name),
              Remedy::input_shape);
      return std::nullopt;
    }
    Dims dims;
    bool known = true;
    for (std::size_t i = 0; i < input.dims->size(); ++i) {
      const std::optional<std::int64_t> length = bound_length(input, i);
      known = known && length;
      dims.push_back(length.value_or(1));
    }
    return known ? std::optional(dims) : std::nullopt;
  }

  std::optional<std::int64_t> bound_length(const ValueInfo& input, std::size_t axis) {
    const Dim& dim = (*input.dims)[axis];
    if (dim.length >= 0) return dim.length;
    const auto* given = dim.symbol.empty() ? nullptr : option(dim.symbol);
    if (given && given->size() == 1) return given->front();
    if (axis == 0) {
      result_.batch_is_open = true;
      return open_batch_;
    }
    if (dim.symbol.empty())
      problem(input,
              fmt::format("axis {} has no length: give all lengths, as in {}=1x3x224x224", axis,
                          input.name),
              Remedy::input_shape);
    else
      problem(input, fmt::format("axis {} has no length: give it, as in {}=64", axis, dim.symbol),
              Remedy::input_shape);
    return std::nullopt;
  }

  const Graph& graph_;
  const OnnxOptions& options_;
  std::int64_t open_batch_;
  BoundInputs& result_;
};

}  // namespace

BoundInputs bind_inputs(const Graph& graph, const std::vector<const Node*>& nodes,
                        const OnnxOptions& options, std::int64_t open_batch) {
  BoundInputs result;
  Binder(graph, options, open_batch, result).bind(nodes);
  return result;
}

}  // namespace ampere::onnx
