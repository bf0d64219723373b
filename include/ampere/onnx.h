// Networks from ONNX files, whichever exporter wrote them, and networks as ONNX files. Nodes become
// the operators of layer.h in the form in which the zoo would have written them, so that both cut
// into the same blocks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/error.h"
#include "ampere/model.h"

namespace ampere {

struct OnnxOptions {
  // Lengths that the file leaves open: of an axis by its name ({"length", {64}}), or all of an
  // input, batch included, by the input's ({"x", {1, 3, 224, 224}}).
  std::map<std::string, std::vector<std::int64_t>> shapes;
  std::string output;    // which of several outputs is trained; empty: the first
  bool weights = false;  // read the weights too
};

// What stands in the way: a node, or an input or initializer, then without an operator.
struct OnnxProblem {
  std::string node, op, reason;
  Remedy remedy = Remedy::none;
  friend bool operator==(const OnnxProblem&, const OnnxProblem&) = default;
};

// What the file no longer says, and what was taken instead.
struct OnnxNote {
  std::string text;
  Remedy remedy = Remedy::none;  // how to take something else
};

// Where a data input of the file went: axis i of the model's input is axis order[i] of the file's,
// the batch left out of both counts.
struct OnnxInput {
  std::string name;
  std::vector<std::int64_t> order;
};

struct OnnxImport {
  std::optional<Model> model;            // nothing when there are problems
  std::vector<OnnxProblem> unsupported;  // all that were found
  std::vector<OnnxNote> notes;
  std::vector<OnnxInput> inputs;   // in the order of the model's
  std::optional<Weights> weights;  // when asked for, and in the file
};

// Throws Error(usage) when the file cannot be read or is no ONNX file; what is in it but cannot be
// trained is listed in the result.
OnnxImport import_onnx(const std::string& path, const OnnxOptions& options = {});

// The same from memory, for files of people whom one does not trust: it opens no other file, so that
// weights in files beside it are unknown. `name` is what the file is called.
OnnxImport import_onnx_bytes(std::string_view bytes, const std::string& name,
                             const OnnxOptions& options = {});

// The model alone. Throws Error(usage) naming the file and all problems, one per line.
Model take_model(OnnxImport imported, const std::string& path);

// The network with its weights as an ONNX file that other programs run: opset 17, the batch open,
// inputs and output called as their layers. The file appears whole or not at all. Throws
// Error(usage) for weights that are not the model's, for a layer that ONNX has no operator for
// (naming it), above 2 GB and where there is no such folder, Error(permission) where the system
// refuses, and Error(failed) when the disk is full.
void export_onnx(const Model& model, const Weights& weights, const std::string& path);
std::string onnx_bytes(const Model& model, const Weights& weights);  // the same in memory

// MODEL of the command line (model.h), with these options where it is an ONNX file.
Model open_model(const std::string& spec, const OnnxOptions& options);

}  // namespace ampere
