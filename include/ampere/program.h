// One iteration as a framework executes it: operations in order, with the shapes and formats of
// their tensors. Traced from a user's own code, or lowered from a model.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ampere/train.h"

namespace ampere {

enum class ElementType {
  fp64,
  fp32,
  fp16,
  bf16,
  fp8,
  int64,
  int32,
  int16,
  int8,
  uint8,
  boolean,
  complex64,
  complex128
};
const char* to_string(ElementType type);  // "fp32", "bf16", "int64", "bool" …
int bytes_of(ElementType type);           // of one element

// What a tensor is apart from its numbers.
struct TensorType {
  ElementType element = ElementType::fp32;
  std::vector<std::int64_t> sizes;    // slowest axis first; empty for a single number
  std::vector<std::int64_t> strides;  // in elements, as many as sizes
  friend bool operator==(const TensorType&, const TensorType&) = default;
};

// A tensor by its place in Program::tensors.
struct TensorIndex {
  int index = 0;
  friend bool operator==(const TensorIndex&, const TensorIndex&) = default;
};

// What is passed to an operation or returned by it. An absent optional argument is std::monostate.
struct Value;
using ValueList = std::vector<Value>;
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, TensorIndex, ValueList> is;
  friend bool operator==(const Value&, const Value&) = default;
};

// One distinct call: what it does, with arguments of which types. A program contains it as often as
// its steps say.
struct Operation {
  std::string name;  // as docs/program-format.md spells it: "convolution", "add.Tensor"
  ValueList arguments;
  std::vector<std::pair<std::string, Value>> keywords;  // sorted by name
  ValueList results;
  bool launches = true;  // gives the device work; a view does not
  bool waits = false;    // the host waits here until the device has nothing left to do
  // Whether fp32 numbers may be multiplied in TF32. Absent: as PyTorch does it unless told
  // otherwise, which is in convolutions and recurrent layers, but not in products of matrices.
  std::optional<bool> tf32 = {};
  friend bool operator==(const Operation&, const Operation&) = default;
};

enum class ProgramPhase { forward, loss, backward, update };
const char* to_string(ProgramPhase phase);

struct ProgramStep {
  int operation = 0;  // in Program::operations
  ProgramPhase phase = ProgramPhase::forward;
  int module = 0;  // in Program::modules
  friend bool operator==(const ProgramStep&, const ProgramStep&) = default;
};

// Memory that tensors of the program share. Steps are counted from 0.
enum class StorageKind { weight, gradient, state, input, activation };  // state: of the optimizer
const char* to_string(StorageKind kind);  // "weights", "optimizer state" …
struct Storage {
  std::int64_t bytes = 0;
  int born = -1;             // the step that allocates it; -1: it was there before the iteration
  std::optional<int> freed;  // no longer there when this step runs; absent: it stays
  StorageKind kind = StorageKind::activation;
  friend bool operator==(const Storage&, const Storage&) = default;
};

// How the operations became known.
enum class TraceWay {
  fake,     // the user's code ran with tensors that have no numbers
  run,      // … with real tensors, once
  lowered,  // from a model, by rules
  kernels   // what a compiled step launched on its device
};
const char* to_string(TraceWay way);

struct ProgramOrigin {
  TraceWay way = TraceWay::lowered;
  std::string framework;  // "torch 2.11.0+cu130"; empty when no framework was asked
  std::string device;     // the kind it was traced for: "cuda", "cpu"
  friend bool operator==(const ProgramOrigin&, const ProgramOrigin&) = default;
};

// A call of a language model while it generates text. A prefill reads whole prompts, fills the
// cache and gives the first new token; a decode reads one token per sequence and gives the next.
enum class GenerationStage { prefill, decode };
const char* to_string(GenerationStage stage);
struct GenerationStep {
  GenerationStage stage = GenerationStage::prefill;
  std::int64_t batch = 1;    // sequences
  std::int64_t tokens = 1;   // read per sequence: the prompt, or 1
  std::int64_t context = 0;  // tokens per sequence that are in the cache before; 0 for a prefill
  std::optional<std::int64_t> cache_bytes = {};  // that the cache holds afterwards, where known
  friend bool operator==(const GenerationStep&, const GenerationStep&) = default;
};
std::string to_string(const GenerationStep& step);  // "decode, batch 8, context 512"

// How long a compiled step took when it was looked at on a device.
struct SeenTimes {
  std::string device;                // its name
  double host_s = 0;                 // of an iteration, while the device was not in the way
  std::vector<double> operations_s;  // of one call, on the device, by Program::operations
  friend bool operator==(const SeenTimes&, const SeenTimes&) = default;
};

struct Program {
  std::string name;
  ProgramOrigin origin;
  std::optional<Setup> setup;           // absent when the user's own code decides
  std::optional<std::int64_t> samples;  // per iteration, of all micro-batches together
  std::int64_t parameters = 0;          // numbers that are trained
  std::int64_t module_calls = 0;        // how often modules were called, which takes host time
  std::vector<std::string> modules;     // paths such as "layer1.0.conv1"; the first is ""
  std::vector<TensorType> tensors;      // distinct
  std::vector<Operation> operations;    // distinct
  std::vector<ProgramStep> steps;       // in order
  std::vector<Storage> storages;
  std::optional<GenerationStep> generation = {};  // where it is that, and no training iteration
  std::optional<SeenTimes> seen = {};             // where the way of the trace is `kernels`
  friend bool operator==(const Program&, const Program&) = default;
};

// How many samples one iteration takes. Throws Error(usage) when the program does not say.
std::int64_t samples_of(const Program& program);

// A program as plain JSON (docs/program-format.md); a file of it is compressed with gzip. Parsing
// takes both, and throws Error(usage) that names the origin and the field; an index that points
// nowhere, sizes that overflow and an empty program are such errors.
std::string to_json(const Program& program);
Program parse_program(std::string_view text, const std::string& origin);
// Loading throws Error(unknown) when there is no such file. Saving throws as save_training does.
Program load_program(const std::string& path);
void save_program(const std::string& path, const Program& program);

// What versions of PyTorch and devices do differently where they execute one network. The defaults
// are those of PyTorch 2.11 on a GPU.
struct Dialect {
  std::string framework = "torch 2.11";
  bool is_cuda = true;
  bool updates_in_lists = true;          // optimizers change all weights in one call, else in turn
  bool fused_attention = true;           // there is one operation for it
  bool recurrent_in_one_call = true;     // else by single operations per time step
  bool drops_in_one_call = true;         // dropout
  bool folds_transposed_batches = true;  // a batch times one matrix is always one product
  bool names_strides_of_views = false;   // a reshape is recorded with its strides
  bool spreads_slopes = true;            // PReLU's slopes are spread over the axes first
  bool resizes_by_vectors = false;       // upsampling is recorded with lists of scales
  bool slices_every_axis = false;        // x[:, a:b] also reads the first axis by a call
  bool zeros_in_two_calls = false;       // memory first, then zeros
  bool names_format_of_ones = false;     // the gradient of the loss is recorded with its format
  int detaches_per_gradient = 1;         // views that are made when a weight takes its gradient
};
Dialect cpu_dialect();  // PyTorch 1.13 on a CPU

// One iteration of the model, or the phase that the setup asks for, by the rules of the framework
// and without running it. Throws Error(usage) that says why when a setup or a layer cannot be
// lowered: compiled networks, channels last on CUDA, 16 bits and fused optimizers on a CPU.
Program lower(const Model& model, const Setup& setup, const Dialect& dialect = {});

// What one operation of a program costs on paper.
struct OperationCounts {
  double flops = 0;  // 2 per multiply-add of products, convolutions and attention; else 0
  double bytes = 0;  // that must at least be read and written
};
// `tensors` are those of its program. Nothing for a view. Throws Error(usage) that names the
// operation and the argument when one that is known has other arguments; reading a program has
// checked that.
OperationCounts count(const Operation& operation, std::span<const TensorType> tensors);

// Operations that cost in the same way. A backward pass is in the group of its forward pass.
enum class OperationGroup {
  product,  // of matrices
  convolution,
  attention,
  recurrent,
  norm,
  reduction,  // with softmax, pooling and losses
  pointwise,  // with copies, constants and random numbers
  index,      // rows and elements that are picked or placed
  update,     // of all weights in one call
  view,       // and whatever else gives the device nothing to do
  other       // everything whose name is not known
};
const char* to_string(OperationGroup group);
OperationGroup group_of(const Operation& operation);

struct PeakMemory {
  std::int64_t bytes = 0;             // at the worst step
  int step = 0;                       // which one
  std::vector<std::int64_t> by_kind;  // of these bytes, by StorageKind
};
// Replays all allocations of a program that was read. Nothing when it has no storages.
std::optional<PeakMemory> peak_memory(const Program& program);

// The same for programs that call equal operations equally often, in whatever order. Phases,
// modules, storages and names do not matter. 16 hex digits.
std::string program_hash(const Program& program);

}  // namespace ampere
