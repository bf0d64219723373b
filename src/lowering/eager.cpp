#include "lowering/eager.h"

#include <limits>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace ampere::lowering {

Node::~Node() {
  std::vector<std::shared_ptr<Node>> open;
  const auto take = [&open](std::vector<Edge>& edges) {
    for (Edge& edge : edges)
      if (edge.node) open.push_back(std::move(edge.node));
  };
  take(next);
  while (!open.empty()) {
    const std::shared_ptr<Node> node = std::move(open.back());
    open.pop_back();
    if (node.use_count() == 1) take(node->next);
  }
}

Tensors Eager::run(const char* name, Arguments arguments, const std::vector<TensorType>& results,
                   Keywords keywords) {
  recorder.record({.name = name,
                   .arguments = std::move(arguments),
                   .keywords = std::move(keywords),
                   .results = Arguments(results.begin(), results.end())});
  Tensors made;
  for (const TensorType& type : results)
    made.push_back({type, recorder.allocate(type, false, StorageKind::activation), {}});
  return made;
}

Tensor Eager::reserve(const char* name, Arguments arguments, const TensorType& result,
                      Keywords keywords) {
  recorder.record({.name = name,
                   .arguments = std::move(arguments),
                   .keywords = std::move(keywords),
                   .results = {result},
                   .launches = false});
  return {result, recorder.allocate(result, false, StorageKind::activation), {}};
}

Tensor Eager::run(const char* name, Arguments arguments, const TensorType& result,
                  Keywords keywords) {
  return run(name, std::move(arguments), std::vector{result}, std::move(keywords)).front();
}

Tensor Eager::view(const char* name, const Tensor& from, Arguments arguments, TensorType result) {
  Tensor seen{std::move(result), from.memory, {}};
  recorder.record(
      {.name = name, .arguments = std::move(arguments), .results = {seen}, .launches = false});
  return seen;
}

void Eager::change(const char* name, const Tensor& changed, Arguments arguments,
                   Keywords keywords) {
  recorder.record({.name = name,
                   .arguments = std::move(arguments),
                   .keywords = std::move(keywords),
                   .results = {changed}});
}

bool Eager::connect(Tensors& results, const Tensors& inputs, Backward backward) {
  if (!keeps_graph) return false;
  auto node = std::make_shared<Node>();
  bool needed = false;
  for (const Tensor& input : inputs) {
    node->next.push_back(input.edge);
    node->inputs.push_back({input.type.element, input.sizes()});
    needed = needed || input.needs_gradient();
  }
  if (!needed) return false;
  node->backward = std::move(backward);
  node->results = static_cast<int>(results.size());
  node->sequence = sequence_++;
  node->module = recorder.module;
  for (int slot = 0; slot < node->results; ++slot) results[slot].edge = {node, slot};
  return true;
}

Tensor Eager::connected(Tensor result, const Tensors& inputs, Backward backward) {
  Tensors results{std::move(result)};
  connect(results, inputs, std::move(backward));
  return results.front();
}

Tensor Eager::make(const TensorType& type, StorageKind kind) {
  return {type, recorder.allocate(type, true, kind), {}};
}

void Eager::make_leaf(Tensor& tensor) {
  auto node = std::make_shared<Node>();
  node->sequence = std::numeric_limits<std::int64_t>::max();  // gradients are collected at once
  node->module = recorder.module;
  const Tensor leaf = detached(tensor);
  node->backward = [this, leaf, self = node.get()](const Tensors& gradients) -> Tensors {
    accumulate(leaf, self, gradients.front());
    return {};
  };
  tensor.edge = {std::move(node), 0};
}

Tensor Eager::gradient_of(const Tensor& leaf) const {
  const auto place = gradients_.find(leaf.edge.node.get());
  return place == gradients_.end() ? Tensor{} : place->second;
}

// The first gradient is taken as it is if it lies in memory as the leaf does, else it is copied.
void Eager::accumulate(const Tensor& leaf, const Node* node, Tensor gradient) {
  Tensor& sum = gradients_[node];
  if (!sum.defined()) {
    const bool fits = canonical(gradient.type).strides == canonical(leaf.type).strides;
    if (fits) {
      for (int i = 0; i < dialect.detaches_per_gradient; ++i)
        gradient = view("detach", gradient, {gradient}, gradient.type);
    } else {
      TensorType type = leaf.type;
      type.element = gradient.type.element;
      const Tensor copy = reserve("new_empty_strided", {gradient, leaf.sizes(), leaf.strides()},
                                  type, {{"dtype", type.element}, {"layout", "strided"}});
      change("copy_", copy, {copy, gradient});
      gradient = copy;
    }
    sum = std::move(gradient);
    sum.memory->mark(StorageKind::gradient);
    return;
  }
  change("add_.Tensor", sum, {sum, gradient});
}

void Eager::claim(int module) {
  if (!recorder.paused)
    for (; unclaimed_ < recorder.step(); ++unclaimed_) recorder.assign_module(unclaimed_, module);
}

// One walk through the graph: nodes whose gradients are complete, the latest first.
class Eager::Walk {
 public:
  Walk(Eager& eager, bool keep_graph) : eager_(eager), keep_graph_(keep_graph) {}

  void from(const Edge& root, Tensor gradient) {
    count_users(root.node.get());
    waiting_[root.node.get()] = Tensors(root.node->results);
    waiting_[root.node.get()][root.slot] = std::move(gradient);
    ready_.push(root.node);
    while (!ready_.empty()) {
      const std::shared_ptr<Node> node = ready_.top();
      ready_.pop();
      visit(*node);
    }
  }

 private:
  struct Earlier {
    bool operator()(const std::shared_ptr<Node>& a, const std::shared_ptr<Node>& b) const {
      return a->sequence < b->sequence;
    }
  };

  void count_users(const Node* root) {
    std::vector<const Node*> open{root};
    std::unordered_set<const Node*> seen{root};
    while (!open.empty()) {
      const Node* node = open.back();
      open.pop_back();
      for (const Edge& edge : node->next) {
        if (!edge.node) continue;
        ++users_[edge.node.get()];
        if (seen.insert(edge.node.get()).second) open.push_back(edge.node.get());
      }
    }
  }

  void visit(Node& node) {
    Tensors gradients = std::move(waiting_[&node]);
    waiting_.erase(&node);
    bool any = false;
    for (const Tensor& each : gradients) any = any || each.defined();
    Tensors outputs(node.next.size());
    if (any) outputs = node.backward(gradients);
    gradients.clear();
    for (std::size_t i = 0; i < node.next.size(); ++i)
      if (outputs[i].defined() && node.next[i].node) fit(outputs[i], node.inputs[i]);
    eager_.claim(node.module);
    if (!keep_graph_ && !node.next.empty()) node.backward = nullptr;  // lets go of what it kept
    for (std::size_t i = 0; i < node.next.size(); ++i)
      if (node.next[i].node) deliver(node.next[i], std::move(outputs[i]));
    if (!keep_graph_) node.next.clear();
  }

  // A gradient has the sizes and the format of what it belongs to.
  void fit(Tensor& gradient, const Node::Input& input) {
    gradient = sum_to(eager_, gradient, input.sizes);
    if (gradient.type.element == input.format) return;
    TensorType type = elementwise(std::vector{gradient.type});
    type.element = input.format;
    gradient = eager_.run("_to_copy", {gradient}, type, {{"dtype", type.element}});
  }

  void deliver(const Edge& edge, Tensor gradient) {
    Node* node = edge.node.get();
    Tensors& slots = waiting_.try_emplace(node, Tensors(node->results)).first->second;
    Tensor& slot = slots[edge.slot];
    if (gradient.defined() && slot.defined())
      slot = eager_.run("add.Tensor", {slot, gradient},
                        elementwise(std::vector{slot.type, gradient.type}));
    else if (gradient.defined())
      slot = std::move(gradient);
    if (--users_[node] == 0) ready_.push(edge.node);
  }

  Eager& eager_;
  const bool keep_graph_;
  std::unordered_map<const Node*, int> users_;
  std::unordered_map<const Node*, Tensors> waiting_;
  std::priority_queue<std::shared_ptr<Node>, std::vector<std::shared_ptr<Node>>, Earlier> ready_;
};

void Eager::walk_back(const Tensor& root, Tensor gradient, bool keep_graph) {
  const bool kept = std::exchange(keeps_graph, false);
  unclaimed_ = recorder.step();
  Walk(*this, keep_graph).from(root.edge, std::move(gradient));
  claim(0);
  keeps_graph = kept;
}

Tensor sum_to(Eager& eager, const Tensor& gradient, const Sizes& sizes) {
  const std::size_t added = gradient.sizes().size() - sizes.size();
  Sizes axes, kept = gradient.sizes();
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (i < added || (sizes[i - added] == 1 && kept[i] != 1)) {
      axes.push_back(static_cast<std::int64_t>(i));
      kept[i] = 1;
    }
  if (axes.empty()) return gradient;
  const Tensor sum =
      eager.run("sum.dim_IntList", {gradient, axes, true}, dense(gradient.type.element, kept));
  if (added == 0) return sum;
  return eager.view("view", sum, {sum, sizes}, dense(sum.type.element, sizes));
}

}  // namespace ampere::lowering
