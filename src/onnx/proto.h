// An ONNX file as plain values. Names and raw data are views into the file's bytes, which must
// outlive them. Sub-graphs of control flow are noted, not read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ampere::onnx {

using Dims = std::vector<std::int64_t>;

// As numbered in the format; those not named here are kept as they are.
enum class ElementType : int {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  text = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  bfloat16 = 16,
};
bool is_floating(ElementType type);

struct TensorData {
  std::string_view name;
  Dims dims;
  ElementType type = ElementType::undefined;
  std::optional<std::string_view> raw;                   // little-endian elements
  std::vector<std::pair<int, std::string_view>> packed;  // typed lists, by field number
  std::vector<double> loose;                             // typed numbers, one field each
  bool external = false;                                 // in another file
  std::vector<std::pair<std::string_view, std::string_view>> external_keys;
};

struct Attribute {
  std::string_view name;
  std::string_view reference;  // inside a function: the attribute of the call it stands for
  float real = 0;
  std::int64_t integer = 0;
  std::string_view text;
  std::optional<TensorData> tensor;
  std::vector<float> reals;
  std::vector<std::int64_t> integers;
};

struct Node {
  std::string_view op, domain, name;
  std::vector<std::string_view> inputs, outputs;  // "" where an optional one is left out
  std::vector<Attribute> attributes;
};

struct Dim {
  std::int64_t length = -1;  // -1: not a number
  std::string_view symbol;
};

struct ValueInfo {
  std::string_view name;
  ElementType type = ElementType::undefined;
  std::optional<std::vector<Dim>> dims;  // nothing when the rank is not given
  std::string_view kind;  // what PyTorch's newer exporter says it is: "PARAMETER", "BUFFER", …
};

struct Graph {
  std::string_view name;
  std::vector<Node> nodes;
  std::vector<TensorData> initializers;
  std::vector<ValueInfo> inputs, outputs, values;
  bool sparse = false;  // has sparse initializers
};

struct LocalFunction {
  std::string_view domain, name;
  std::vector<std::string_view> inputs, outputs;
  std::vector<Attribute> defaults;
  std::vector<Node> nodes;
};

struct File {
  std::int64_t ir_version = 0;
  std::int64_t opset = 0;  // of the standard operators
  Graph graph;
  std::vector<LocalFunction> functions;
};

// Throws Error(usage) when the bytes are not an ONNX file.
File parse_file(std::string_view bytes);

}  // namespace ampere::onnx
