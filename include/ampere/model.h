// A network as a value: layers in topological order, shapes checked; and the numbers in its layers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/layer.h"

namespace ampere {

class Model {
 public:
  const std::string& name() const { return name_; }
  const std::vector<Layer>& layers() const { return layers_; }
  const Layer& output() const { return layers_.back(); }

 private:
  friend class ModelBuilder;
  std::string name_;
  std::vector<Layer> layers_;
};

// Adds layers one by one; every shape error throws Error(usage) naming the layer.
class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name) { model_.name_ = std::move(name); }

  int add(Op op, std::vector<int> inputs, std::string name = "");  // returns the layer's index
  int add(Op op, std::initializer_list<int> inputs, std::string name = "") {
    return add(std::move(op), std::vector<int>(inputs), std::move(name));
  }
  int add(Op op, std::string name = "");  // reads the last layer
  // `layer` uses the weight of the earlier layer `with` instead of its own, as an output layer does
  // that is tied to the embedding. Throws Error(usage) unless both are convolutions, linear layers
  // or embeddings whose weights have equal sizes.
  void tie(int layer, int with);
  const TensorShape& shape(int layer) const { return model_.layers_.at(layer).output; }
  const std::string& name(int layer) const { return model_.layers_.at(layer).name; }
  int last() const { return static_cast<int>(model_.layers_.size()) - 1; }
  void module(std::string tag) { module_ = std::move(tag); }  // for the layers added from now on

  Model build() &&;  // throws Error(usage) on an empty network

 private:
  std::string unique_name(const Op& op, std::string name);

  Model model_;
  std::set<std::string> names_;
  std::map<std::string, int> numbers_;  // the last one given out, by operator
  std::string module_;
};

struct Counts {
  std::int64_t parameters = 0;
  std::int64_t forward_flops = 0;   // 2 per multiply-add, 1 per other operation counted
  std::int64_t training_flops = 0;  // forward, input and weight gradients, optimizer update
  std::int64_t activations = 0;     // numbers written by all layers
  std::int64_t bytes = 0;           // moved by one forward pass: inputs, outputs, weights, fp32
};
Counts count(const Layer& layer, const Model& model, std::int64_t batch);
Counts count(const Model& model, std::int64_t batch);
std::int64_t multiply_adds(const Model& model);  // one forward pass of one sample, as papers count

// The model as text that `parse_model` reads back; `show --json` adds derived keys beside.
std::string to_json(const Model& model, int indent = -1);
Model parse_model(std::string_view json,
                  const std::string& origin);  // origin names the file in errors

// Equal for models that cost the same: layers and shapes, not names. 16 hex digits.
std::string model_hash(const Model& model);

// MODEL of the command line: a zoo name with optional widths or options, or a path to a .onnx or
// .json file; onnx.h has the same with options for ONNX files. Throws Error(unknown) with the
// nearest name, Error(usage) for bad widths or a bad file.
Model open_model(const std::string& spec);

// The same for a zoo name alone: it opens no file, whatever the text is.
Model open_zoo_model(const std::string& spec);

struct ZooOption {
  std::string key;  // "layers", "size", "classes", "d" …
  std::int64_t default_value;
  std::string help;
};

struct ZooEntry {
  std::string name;
  std::string description;
  std::vector<ZooOption> options;
};

const std::vector<ZooEntry>& zoo();

// At original widths. Throws Error(unknown) for a name (with the nearest one), Error(usage) for an
// option.
Model make_zoo_model(const std::string& name,
                     const std::map<std::string, std::int64_t>& options = {});

// A tensor that a layer holds, laid out as PyTorch's own modules keep it.
struct WeightShape {
  std::string name;  // within the layer: "weight", "bias", "running_mean"
  std::vector<std::int64_t> sizes;
  bool learned = true;  // else a running statistic or a constant
};

// The tensors of one layer, in order (docs/model-format.md lists them by operator).
std::vector<WeightShape> weight_shapes(const Layer& layer, const Model& model);

struct FloatTensor {
  std::vector<std::int64_t> sizes;  // slowest axis first
  std::vector<float> values;
};

// By layer and tensor, joined with a dot: "conv1.weight".
using Weights = std::map<std::string, FloatTensor>;

// Throws Error(usage) naming all tensors that are missing, are not the model's, or have other sizes
// or another number of values than they should.
void check_weights(const Model& model, const Weights& weights);

}  // namespace ampere
