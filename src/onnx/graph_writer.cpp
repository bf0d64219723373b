#include "onnx/graph_writer.h"

#include <fmt/format.h>

#include <bit>

namespace ampere::onnx {
namespace {

constexpr std::int64_t kIrVersion = 8, kOpset = 17;
// How the format numbers kinds of attributes.
constexpr std::int64_t kReal = 1, kInteger = 2, kText = 3, kTensor = 4, kIntegers = 7;

static_assert(std::endian::native == std::endian::little, "raw data are written as they lie");

// How many bytes of the text are one character; 0 when they are none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const unsigned char second = byte(1);  // no long forms, no surrogates, nothing past U+10FFFF
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return wrong ? 0 : length;
}

std::string in_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0)
      result += '?';
    else
      result += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result.empty() ? "unnamed" : result;
}

WireWriter attribute(std::string_view name, std::int64_t kind) {
  WireWriter writer;
  writer.bytes(1, name).integer(20, kind);
  return writer;
}

template <class Number>
std::string_view raw(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

// All of a tensor's message but its numbers, which follow.
WireWriter tensor_head(std::string_view name, const Dims& dims, ElementType type,
                       std::size_t length) {
  WireWriter writer;
  for (const std::int64_t size : dims) writer.integer(1, size);
  writer.integer(2, static_cast<std::int64_t>(type));
  if (!name.empty()) writer.bytes(8, name);
  writer.begin_bytes(9, length);
  return writer;
}

std::string value_info(const std::string& name, const Dims& sample, ElementType type) {
  WireWriter shape;
  shape.bytes(1, WireWriter().bytes(2, "batch").text());
  for (const std::int64_t length : sample) shape.bytes(1, WireWriter().integer(1, length).text());
  const std::string tensor =
      WireWriter().integer(1, static_cast<std::int64_t>(type)).bytes(2, shape.text()).text();
  return WireWriter().bytes(1, name).bytes(2, WireWriter().bytes(1, tensor).text()).text();
}

void append_tensor(WireWriter& graph, const WireWriter& head, std::string_view numbers) {
  graph.begin_bytes(5, head.text().size() + numbers.size()).append(head.text()).append(numbers);
}

}  // namespace

WrittenAttribute integer_attribute(std::string_view name, std::int64_t value) {
  return attribute(name, kInteger).integer(3, value).text();
}
WrittenAttribute real_attribute(std::string_view name, double value) {
  return attribute(name, kReal).real(2, static_cast<float>(value)).text();
}
WrittenAttribute text_attribute(std::string_view name, std::string_view value) {
  return attribute(name, kText).bytes(4, value).text();
}
WrittenAttribute integers_attribute(std::string_view name, const Dims& values) {
  WireWriter writer = attribute(name, kIntegers);
  for (const std::int64_t value : values) writer.integer(8, value);
  return std::move(writer).text();
}
WrittenAttribute tensor_attribute(std::string_view name, const FloatTensor& value) {
  WireWriter tensor = tensor_head("", value.sizes, ElementType::float32, raw(value.values).size());
  tensor.append(raw(value.values));
  return attribute(name, kTensor).bytes(5, tensor.text()).text();
}

GraphWriter::GraphWriter(std::string_view name) { graph_.bytes(2, in_utf8(name)); }

std::string GraphWriter::unique_name(std::string_view wanted) {
  const std::string stem = in_utf8(wanted);
  std::string name = stem;
  for (int number = 2; !names_.insert(name).second; ++number)
    name = fmt::format("{}#{}", stem, number);
  return name;
}

void GraphWriter::input(const std::string& name, const Dims& sample, ElementType type) {
  graph_.bytes(11, value_info(name, sample, type));
}

void GraphWriter::output(const std::string& name, const Dims& sample) {
  graph_.bytes(12, value_info(name, sample, ElementType::float32));
}

void GraphWriter::node(std::string_view op, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs,
                       const std::vector<WrittenAttribute>& attributes) {
  WireWriter node;
  for (const std::string& input : inputs) node.bytes(1, input);
  for (const std::string& output : outputs) node.bytes(2, output);
  node.bytes(3, outputs.at(0)).bytes(4, op);
  for (const WrittenAttribute& each : attributes) node.bytes(5, each);
  graph_.bytes(1, node.text());
}

void GraphWriter::initializer(const std::string& name, const FloatTensor& tensor) {
  const std::string_view numbers = raw(tensor.values);
  append_tensor(graph_, tensor_head(name, tensor.sizes, ElementType::float32, numbers.size()),
                numbers);
}

void GraphWriter::initializer(const std::string& name, const Dims& dims, const Dims& integers) {
  const std::string_view numbers = raw(integers);
  append_tensor(graph_, tensor_head(name, dims, ElementType::int64, numbers.size()), numbers);
}

GraphWriter::File GraphWriter::finish() && {
  File file;
  file.graph = std::move(graph_).text();
  WireWriter head;
  head.integer(1, kIrVersion).bytes(2, "ampere").begin_bytes(7, file.graph.size());
  file.head = std::move(head).text();
  WireWriter opset;
  opset.bytes(1, "").integer(2, kOpset);
  file.tail = WireWriter().bytes(8, opset.text()).text();
  return file;
}

}  // namespace ampere::onnx
