// The walk over the nodes of a graph: what each value is, and the layers drafted so far.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "ampere/onnx.h"
#include "onnx/draft.h"
#include "onnx/tensor_data.h"

namespace ampere::onnx {

// A tensor of the file that depends on the data.
struct Value {
  int layer = -1;
  View view;
};

// A comparison: it has no gradient, and is only good for a choice that changes nothing in training.
struct Condition {
  Value of;
};

// Random numbers that no layer has seen yet: uniform at first, then, once they are compared with a
// number, a mask. What is multiplied with the mask is dropped out.
struct Noise {
  Dims dims;
  double shift = 0;            // added to numbers from 0 to 1
  std::optional<double> kept;  // of a mask: the share of ones
};

class Importer;
using Handler = void (*)(Importer&, const Node&);

// The handler of an operator, or null; and why an operator is refused, or "".
Handler find_handler(std::string_view op);
std::string refusal(const Node& node);

class Importer {
 public:
  // `batch_is_made_up`: the file leaves it open, and another one can be tried.
  Importer(const File& file, DataFolder& folder, std::int64_t batch, bool batch_is_made_up)
      : file_(file), folder_(folder), batch_(batch), batch_is_made_up_(batch_is_made_up) {}

  // What nodes read. Both throw when the input is missing, is of the other sort, or comes from a
  // node that could not be imported.
  bool has(const Node& node, std::size_t input) const;
  bool is_constant(const Node& node, std::size_t input) const;
  const Constant& constant(const Node& node, std::size_t input) const;
  Value value(const Node& node, std::size_t input);
  Dims dims(const Node& node, std::size_t input) const;

  void set(const Node& node, std::size_t output, Value value);
  void set(const Node& node, std::size_t output, Constant constant);
  void set(std::string_view name, Value value) { entries_[name] = std::move(value); }
  void set(std::string_view name, Constant constant) { entries_[name] = std::move(constant); }
  void set(const Node& node, std::size_t output, Condition condition);
  const Condition* condition(const Node& node, std::size_t input) const;
  void set(const Node& node, std::size_t output, Noise noise);
  const Noise* noise(const Node& node, std::size_t input) const;
  void set_broken(std::string_view name) { entries_[name] = std::monostate{}; }

  // Lists of tensors, which some exporters split into and pick from.
  std::vector<Value>& list(std::string_view name) { return lists_[name]; }

  // A new layer that reads these. Throws Unsupported when the shapes do not fit.
  int emit(const Node& node, Op op, std::vector<int> inputs,
           std::map<std::string, Constant> weights = {});
  Value native(int layer) const;  // its whole output
  // The same, with the batch leading an axis of several (batch × heads) where `like` has it so.
  Value native_like(int layer, const Value& like) const;
  // A constant as a layer of its own, whose axes are those of `like` where they have one length.
  int parameter(const Node& node, const Constant& constant, const TensorShape& shape);

  // The value as the output of a layer whose axes are these lists of its atoms: the same layer
  // where it lies so already, else a rearrangement.
  Value rebased(const Node& node, const Value& value, std::vector<Axis> axes, Layout layout);
  // One axis of the layer for each axis of the value after the batch.
  Value settled(const Node& node, const Value& value, Layout layout);
  // In the layout its axes suggest: named where the layer has it so, else by their number.
  Value settled(const Node& node, const Value& value);

  const File& file() const { return file_; }
  DataFolder& folder() { return folder_; }
  std::int64_t batch() const { return batch_; }
  Draft& draft() { return draft_; }
  const TensorShape& shape(const Value& value) const { return draft_[value.layer].shape; }
  void note(std::string text);

  void run(const std::vector<const Node*>& nodes);
  const Value* find_value(std::string_view name) const;
  std::vector<OnnxProblem>& problems() { return problems_; }
  std::vector<std::string>& notes() { return notes_; }

 private:
  using Entry = std::variant<std::monostate, Constant, Value, Condition, Noise>;

  const Entry* find(const Node& node, std::size_t input) const;
  void import_node(const Node& node);
  bool all_constant(const Node& node) const;
  bool reads_noise(const Node& node) const;
  bool all_known(const Node& node) const;
  std::string layer_name(const Node& node, const std::map<std::string, Constant>& weights);

  const File& file_;
  DataFolder& folder_;
  std::int64_t batch_;
  bool batch_is_made_up_;
  Draft draft_;
  std::unordered_map<std::string_view, Entry> entries_;
  std::unordered_map<std::string_view, std::vector<Value>> lists_;
  std::map<std::pair<int, std::vector<Axis>>, int> arrangements_;
  std::unordered_set<std::string> named_;
  std::vector<OnnxProblem> problems_;
  std::vector<std::string> notes_;
};

// Attributes, with what stands in for them.
const Attribute* find_attribute(const Node& node, std::string_view name);
std::int64_t integer(const Node& node, std::string_view name, std::int64_t otherwise);
double real(const Node& node, std::string_view name, double otherwise);
std::string_view text(const Node& node, std::string_view name, std::string_view otherwise);
Dims integers(const Node& node, std::string_view name, Dims otherwise);

// Counted from the end when negative. Throws Unsupported when there is no such axis.
std::size_t axis_index(std::int64_t axis, std::size_t rank);

// A decimal number that was rounded to fp32 on its way into the file: 1e-05, not 9.99999974e-06.
double decimal(double number);

}  // namespace ampere::onnx
