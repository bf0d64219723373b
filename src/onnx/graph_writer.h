// An ONNX file as it grows: nodes, initializers, inputs and outputs, with names that are unique.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ampere/model.h"
#include "onnx/proto.h"
#include "onnx/wire_writer.h"

namespace ampere::onnx {

// One attribute of a node, already written.
using WrittenAttribute = std::string;
WrittenAttribute integer_attribute(std::string_view name, std::int64_t value);
WrittenAttribute real_attribute(std::string_view name, double value);
WrittenAttribute text_attribute(std::string_view name, std::string_view value);
WrittenAttribute integers_attribute(std::string_view name, const Dims& values);
WrittenAttribute tensor_attribute(std::string_view name, const FloatTensor& value);

class GraphWriter {
 public:
  explicit GraphWriter(std::string_view name);

  // A name that no value has yet: the one wanted, numbered when it is taken. Bytes that are no
  // UTF-8 or no characters are replaced, as the format has texts only.
  std::string unique_name(std::string_view wanted);

  void input(const std::string& name, const Dims& sample, ElementType type);
  void output(const std::string& name, const Dims& sample);
  void node(std::string_view op, const std::vector<std::string>& inputs,
            const std::vector<std::string>& outputs,
            const std::vector<WrittenAttribute>& attributes);
  void initializer(const std::string& name, const FloatTensor& tensor);
  void initializer(const std::string& name, const Dims& dims, const Dims& integers);

  // The whole file, of which only the first and last bytes are copied.
  struct File {
    std::string head, graph, tail;
  };
  File finish() &&;

 private:
  WireWriter graph_;
  std::unordered_set<std::string> names_;
};

}  // namespace ampere::onnx
