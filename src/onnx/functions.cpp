#include "onnx/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ampere/error.h"

namespace ampere::onnx {
namespace {

constexpr int kMaxCallDepth = 16;
constexpr std::size_t kMaxNodes = std::size_t{1} << 20;

class Inliner {
 public:
  Inliner(const File& file, std::deque<std::string>& names) : names_(names) {
    for (const LocalFunction& function : file.functions)
      functions_[{function.domain, function.name}] = &function;
    for (const Node& node : file.graph.nodes) add(node, 0);
  }

  std::vector<Node> nodes;

 private:
  void add(const Node& node, int depth) {
    const auto found = functions_.find({node.domain, node.op});
    if (found != functions_.end()) return call(*found->second, node, depth + 1);
    if (nodes.size() >= kMaxNodes)
      throw Error(ErrorCode::usage, fmt::format("more than {} nodes", kMaxNodes));
    nodes.push_back(node);
  }

  void call(const LocalFunction& function, const Node& site, int depth) {
    if (depth > kMaxCallDepth)
      throw Error(ErrorCode::usage,
                  fmt::format("function '{}' calls itself, or others too deeply", function.name));
    std::unordered_map<std::string_view, std::string_view> known{{"", ""}};
    bind(function.inputs, site.inputs, known);
    bind(function.outputs, site.outputs, known);
    const std::size_t call = ++calls_;
    const auto renamed = [&](std::vector<std::string_view>& list) {
      for (std::string_view& name : list) {
        const auto [found, is_new] = known.try_emplace(name);
        if (is_new) found->second = names_.emplace_back(fmt::format("{}#{}", name, call));
        name = found->second;
      }
    };
    for (Node node : function.nodes) {
      renamed(node.inputs);
      renamed(node.outputs);
      if (node.name.empty()) node.name = site.name;
      resolve_attributes(node, function, site);
      add(node, depth);
    }
  }

  static void bind(const std::vector<std::string_view>& inner,
                   const std::vector<std::string_view>& outer,
                   std::unordered_map<std::string_view, std::string_view>& known) {
    for (std::size_t i = 0; i < inner.size(); ++i)
      if (i < outer.size() && !outer[i].empty())
        known[inner[i]] = outer[i];
      else if (i >= outer.size() || outer[i].empty())
        known.try_emplace(inner[i], "");
  }

  // An attribute that stands for one of the call's takes its value, or the function's default.
  static void resolve_attributes(Node& node, const LocalFunction& function, const Node& site) {
    std::vector<Attribute> resolved;
    for (Attribute attribute : node.attributes) {
      if (!attribute.reference.empty()) {
        auto given = std::ranges::find(site.attributes, attribute.reference, &Attribute::name);
        if (given == site.attributes.end()) {
          given = std::ranges::find(function.defaults, attribute.reference, &Attribute::name);
          if (given == function.defaults.end()) continue;
        }
        const std::string_view name = attribute.name;
        attribute = *given;
        attribute.name = name;
      }
      resolved.push_back(std::move(attribute));
    }
    node.attributes = std::move(resolved);
  }

  std::deque<std::string>& names_;
  std::map<std::pair<std::string_view, std::string_view>, const LocalFunction*> functions_;
  std::size_t calls_ = 0;
};

}  // namespace

std::vector<Node> inlined(const File& file, std::deque<std::string>& names) {
  return std::move(Inliner(file, names).nodes);
}

}  // namespace ampere::onnx
