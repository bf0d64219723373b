#include "file_writer.h"

#include <bit>
#include <cstring>

namespace ampere::testing_support {

void Message::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) text_ += static_cast<char>((value & 0x7F) | 0x80);
  text_ += static_cast<char>(value);
}

Message& Message::number(int field, std::int64_t value) {
  varint(static_cast<std::uint64_t>(field) << 3);
  varint(static_cast<std::uint64_t>(value));
  return *this;
}

Message& Message::bytes(int field, std::string_view value) {
  varint(static_cast<std::uint64_t>(field) << 3 | 2);
  varint(value.size());
  text_ += value;
  return *this;
}

Message& Message::real(int field, float value) {
  varint(static_cast<std::uint64_t>(field) << 3 | 5);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) text_ += static_cast<char>(bits >> shift);
  return *this;
}

std::string integers_attribute(std::string_view name, const Dims& values) {
  Message message;
  message.bytes(1, name).number(20, 7);
  for (const std::int64_t value : values) message.number(8, value);
  return message.text();
}

std::string integer_attribute(std::string_view name, std::int64_t value) {
  return Message().bytes(1, name).number(3, value).number(20, 2).text();
}

std::string real_attribute(std::string_view name, float value) {
  return Message().bytes(1, name).real(2, value).number(20, 1).text();
}

std::string text_attribute(std::string_view name, std::string_view value) {
  return Message().bytes(1, name).bytes(4, value).number(20, 3).text();
}

std::string node(std::string_view op, const std::vector<std::string>& inputs,
                 const std::vector<std::string>& outputs,
                 const std::vector<std::string>& attributes, std::string_view domain) {
  Message message;
  for (const std::string& input : inputs) message.bytes(1, input);
  for (const std::string& output : outputs) message.bytes(2, output);
  message.bytes(3, "node_" + (outputs.empty() ? "" : outputs[0])).bytes(4, op);
  for (const std::string& attribute : attributes) message.bytes(5, attribute);
  if (!domain.empty()) message.bytes(7, domain);
  return message.text();
}

std::string float_tensor(std::string_view name, const Dims& dims,
                         const std::vector<float>& values) {
  Message message;
  for (const std::int64_t length : dims) message.number(1, length);
  std::string raw(values.size() * sizeof(float), '\0');
  if (!values.empty()) std::memcpy(raw.data(), values.data(), raw.size());
  return message.number(2, 1).bytes(8, name).bytes(9, raw).text();
}

std::string float_tensor(std::string_view name, const Dims& dims, float value) {
  std::int64_t count = 1;
  for (const std::int64_t length : dims) count *= length;
  return float_tensor(name, dims, std::vector<float>(static_cast<std::size_t>(count), value));
}

std::string integer_tensor(std::string_view name, const std::vector<std::int64_t>& values) {
  return integer_matrix(name, {static_cast<std::int64_t>(values.size())}, values);
}

std::string integer_matrix(std::string_view name, const Dims& dims,
                           const std::vector<std::int64_t>& values) {
  Message message;
  for (const std::int64_t length : dims) message.number(1, length);
  message.number(2, 7).bytes(8, name);
  for (const std::int64_t value : values) message.number(7, value);
  return message.text();
}

std::string integer_scalar(std::string_view name, std::int64_t value) {
  return integer_matrix(name, {}, {value});
}

std::string described_value(std::string_view name, std::string_view kind) {
  const std::string entry =
      Message().bytes(1, "pkg.torch.export.graph_signature.InputSpec.kind").bytes(2, kind).text();
  return Message().bytes(1, name).bytes(4, entry).text();
}

std::string external_tensor(std::string_view name, const Dims& dims, std::string_view location,
                            std::int64_t offset, std::int64_t length) {
  Message message;
  for (const std::int64_t size : dims) message.number(1, size);
  message.number(2, 1).bytes(8, name).number(14, 1);
  const auto entry = [](std::string_view key, std::string_view text) {
    return Message().bytes(1, key).bytes(2, text).text();
  };
  message.bytes(13, entry("location", location));
  message.bytes(13, entry("offset", std::to_string(offset)));
  message.bytes(13, entry("length", std::to_string(length)));
  return message.text();
}

std::string value(std::string_view name, const Dims& dims, int type) {
  Message shape;
  for (std::size_t i = 0; i < dims.size(); ++i)
    shape.bytes(1, dims[i] >= 0 ? Message().number(1, dims[i]).text()
                                : Message().bytes(2, "axis" + std::to_string(i)).text());
  const std::string tensor = Message().number(1, type).bytes(2, shape.text()).text();
  return Message().bytes(1, name).bytes(2, Message().bytes(1, tensor).text()).text();
}

std::string file(const FileParts& parts) {
  Message graph;
  for (const std::string& each : parts.nodes) graph.bytes(1, each);
  graph.bytes(2, "graph");
  for (const std::string& each : parts.initializers) graph.bytes(5, each);
  for (const std::string& each : parts.inputs) graph.bytes(11, each);
  for (const std::string& each : parts.outputs) graph.bytes(12, each);
  for (const std::string& each : parts.values) graph.bytes(13, each);
  Message model;
  model.number(1, 8).bytes(7, graph.text()).bytes(8, Message().number(2, parts.opset).text());
  for (const std::string& function : parts.functions) model.bytes(25, function);
  return model.text();
}

}  // namespace ampere::testing_support
