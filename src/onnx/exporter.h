// The walk over the layers of a model, each written as one node or a few.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ampere/model.h"
#include "onnx/graph_writer.h"

namespace ampere::onnx {

class Exporter {
 public:
  Exporter(const Model& model, const Weights& weights);

  GraphWriter::File finish() &&;

  // The layer being written.
  const Layer& layer() const { return *layer_; }
  const TensorShape& output() const { return layer_->output; }
  const TensorShape& input(std::size_t which = 0) const;
  const std::string& value(std::size_t which = 0) const;  // what the layer reads
  bool batched(std::size_t which) const;                  // whether that differs between samples
  const FloatTensor& weight(const std::string& name) const;
  bool shares_weight() const;  // with an earlier or a later layer

  // A node on the way to the layer's output; returns what it gives. `give` is the last one.
  using Names = std::vector<std::string>;
  using Attributes = std::vector<WrittenAttribute>;
  std::string step(std::string_view op, const Names& inputs, const Attributes& attributes = {});
  void give(std::string_view op, const Names& inputs, const Attributes& attributes = {});

  // Constants: a tensor of the layer under its name, with other numbers or sizes where they differ
  // from the layer's; whole numbers; one number.
  std::string tensor(const std::string& name);
  std::string tensor(const std::string& name, const FloatTensor& numbers);
  std::string tensor(const std::string& name, const Dims& sizes);
  std::string integers(const Dims& list);
  std::string integer(std::int64_t value);
  std::string number(double value);

  // The value with the same numbers in these axes after the batch.
  std::string reshaped(const std::string& from, const Dims& sample);
  Dims reshape_sizes(const Dims& sample) const;  // as Reshape asks for them

  [[noreturn]] void refuse(const std::string& why) const;  // throws Error(usage) naming the layer

 private:
  void add_input();

  const Model& model_;
  const Weights& weights_;
  const Layer* layer_ = nullptr;
  GraphWriter graph_;
  std::vector<std::string> values_;     // of each layer
  std::string own_;                     // the value that the layer gives
  std::set<int> shared_;                // layers whose weight others use too
  std::map<int, std::string> written_;  // their weights
};

}  // namespace ampere::onnx
