// ONNX files made in memory, for tests of what no exporter would write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ampere::testing_support {

// A message of the wire format, field by field.
class Message {
 public:
  Message& number(int field, std::int64_t value);
  Message& bytes(int field, std::string_view value);
  Message& real(int field, float value);
  const std::string& text() const { return text_; }

 private:
  void varint(std::uint64_t value);
  std::string text_;
};

using Dims = std::vector<std::int64_t>;

std::string integers_attribute(std::string_view name, const Dims& values);
std::string integer_attribute(std::string_view name, std::int64_t value);
std::string real_attribute(std::string_view name, float value);
std::string text_attribute(std::string_view name, std::string_view value);

std::string node(std::string_view op, const std::vector<std::string>& inputs,
                 const std::vector<std::string>& outputs,
                 const std::vector<std::string>& attributes = {}, std::string_view domain = "");

std::string float_tensor(std::string_view name, const Dims& dims, const std::vector<float>& values);
std::string float_tensor(std::string_view name, const Dims& dims, float value);  // all the same
std::string integer_tensor(std::string_view name, const std::vector<std::int64_t>& values);
std::string integer_matrix(std::string_view name, const Dims& dims,
                           const std::vector<std::int64_t>& values);
std::string integer_scalar(std::string_view name, std::int64_t value);
std::string external_tensor(std::string_view name, const Dims& dims, std::string_view location,
                            std::int64_t offset, std::int64_t length);

// Lengths below 0 are left open, under the name "axis<number>".
std::string value(std::string_view name, const Dims& dims, int type = 1);

// A value of which only its kind is said, as PyTorch's newer exporter does: "PARAMETER", "BUFFER".
std::string described_value(std::string_view name, std::string_view kind);

struct FileParts {
  std::vector<std::string> nodes, initializers, inputs, outputs, values, functions;
  std::int64_t opset = 17;
};
std::string file(const FileParts& parts);

}  // namespace ampere::testing_support
