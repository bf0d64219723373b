#include "onnx/proto.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "onnx/wire.h"

namespace ampere::onnx {
namespace {

// The format asks for UTF-8, and names are printed: a terminal must not obey them.
std::string_view name_in(const WireReader& reader) {
  const std::string_view name = reader.bytes();
  if (const std::string fault = text_fault(name); !fault.empty())
    throw Error(ErrorCode::usage,
                fmt::format("the name '{}' {}", plain_text(name.substr(0, 200)), fault));
  return name;
}

// Each reader names the fields of its message by their numbers in the format.

std::pair<std::string_view, std::string_view> parse_entry(std::string_view bytes) {
  std::pair<std::string_view, std::string_view> entry;
  for (WireReader reader(bytes); reader.next();) {
    if (reader.field() == 1) entry.first = reader.bytes();
    if (reader.field() == 2) entry.second = reader.bytes();
  }
  return entry;
}

void read_typed(const WireReader& reader, TensorData& tensor) {
  if (reader.is_bytes()) return tensor.packed.emplace_back(reader.field(), reader.bytes()), void();
  tensor.loose.push_back(reader.is_varint() ? static_cast<double>(reader.integer())
                                            : static_cast<double>(reader.real()));
}

TensorData parse_tensor(std::string_view bytes) {
  TensorData tensor;
  for (WireReader reader(bytes); reader.next();) {
    switch (reader.field()) {
      case 1:
        read_integers(reader, tensor.dims);
        break;
      case 2:
        tensor.type = static_cast<ElementType>(reader.integer());
        break;
      case 4:
      case 5:
      case 7:
      case 10:
      case 11:
        read_typed(reader, tensor);
        break;
      case 8:
        tensor.name = name_in(reader);
        break;
      case 9:
        tensor.raw = reader.bytes();
        break;
      case 13:
        tensor.external_keys.push_back(parse_entry(reader.bytes()));
        break;
      case 14:
        tensor.external = reader.integer() == 1;
        break;
      default:
        break;
    }
  }
  return tensor;
}

Attribute parse_attribute(std::string_view bytes) {
  Attribute attribute;
  for (WireReader reader(bytes); reader.next();) {
    switch (reader.field()) {
      case 1:
        attribute.name = name_in(reader);
        break;
      case 2:
        attribute.real = reader.real();
        break;
      case 3:
        attribute.integer = reader.integer();
        break;
      case 4:
        attribute.text = reader.bytes();
        break;
      case 5:
        attribute.tensor = parse_tensor(reader.bytes());
        break;
      case 7:
        read_reals(reader, attribute.reals);
        break;
      case 8:
        read_integers(reader, attribute.integers);
        break;
      case 21:
        attribute.reference = name_in(reader);
        break;
      default:
        break;
    }
  }
  return attribute;
}

Node parse_node(std::string_view bytes) {
  Node node;
  for (WireReader reader(bytes); reader.next();) {
    switch (reader.field()) {
      case 1:
        node.inputs.push_back(name_in(reader));
        break;
      case 2:
        node.outputs.push_back(name_in(reader));
        break;
      case 3:
        node.name = name_in(reader);
        break;
      case 4:
        node.op = name_in(reader);
        break;
      case 5:
        node.attributes.push_back(parse_attribute(reader.bytes()));
        break;
      case 7:
        node.domain = name_in(reader);
        break;
      default:
        break;
    }
  }
  return node;
}

Dim parse_dim(std::string_view bytes) {
  Dim dim;
  for (WireReader reader(bytes); reader.next();) {
    if (reader.field() == 1) dim.length = reader.integer();
    if (reader.field() == 2) dim.symbol = name_in(reader);
  }
  return dim;
}

void parse_tensor_type(std::string_view bytes, ValueInfo& value) {
  for (WireReader reader(bytes); reader.next();) {
    if (reader.field() == 1) value.type = static_cast<ElementType>(reader.integer());
    if (reader.field() != 2) continue;
    value.dims.emplace();
    for (WireReader shape(reader.bytes()); shape.next();)
      if (shape.field() == 1) value.dims->push_back(parse_dim(shape.bytes()));
  }
}

// One entry of the metadata: the kind, when it says one.
void parse_kind(std::string_view bytes, ValueInfo& value) {
  std::string_view key, text;
  for (WireReader reader(bytes); reader.next();) {
    if (reader.field() == 1) key = reader.bytes();
    if (reader.field() == 2) text = reader.bytes();
  }
  if (key == "pkg.torch.export.graph_signature.InputSpec.kind") value.kind = text;
}

ValueInfo parse_value(std::string_view bytes) {
  ValueInfo value;
  for (WireReader reader(bytes); reader.next();) {
    if (reader.field() == 1) value.name = name_in(reader);
    if (reader.field() == 4) parse_kind(reader.bytes(), value);
    if (reader.field() != 2) continue;
    for (WireReader type(reader.bytes()); type.next();)
      if (type.field() == 1) parse_tensor_type(type.bytes(), value);
  }
  return value;
}

Graph parse_graph(std::string_view bytes) {
  Graph graph;
  for (WireReader reader(bytes); reader.next();) {
    switch (reader.field()) {
      case 1:
        graph.nodes.push_back(parse_node(reader.bytes()));
        break;
      case 2:
        graph.name = name_in(reader);
        break;
      case 5:
        graph.initializers.push_back(parse_tensor(reader.bytes()));
        break;
      case 11:
        graph.inputs.push_back(parse_value(reader.bytes()));
        break;
      case 12:
        graph.outputs.push_back(parse_value(reader.bytes()));
        break;
      case 13:
        graph.values.push_back(parse_value(reader.bytes()));
        break;
      case 15:
        graph.sparse = true;
        break;
      default:
        break;
    }
  }
  return graph;
}

LocalFunction parse_function(std::string_view bytes) {
  LocalFunction function;
  for (WireReader reader(bytes); reader.next();) {
    switch (reader.field()) {
      case 1:
        function.name = name_in(reader);
        break;
      case 4:
        function.inputs.push_back(name_in(reader));
        break;
      case 5:
        function.outputs.push_back(name_in(reader));
        break;
      case 7:
        function.nodes.push_back(parse_node(reader.bytes()));
        break;
      case 10:
        function.domain = name_in(reader);
        break;
      case 11:
        function.defaults.push_back(parse_attribute(reader.bytes()));
        break;
      default:
        break;
    }
  }
  return function;
}

void parse_opset(std::string_view bytes, File& file) {
  std::string_view domain;
  std::int64_t version = 0;
  for (WireReader reader(bytes); reader.next();) {
    if (reader.field() == 1) domain = reader.bytes();
    if (reader.field() == 2) version = reader.integer();
  }
  if (domain.empty() || domain == "ai.onnx") file.opset = version;
}

}  // namespace

bool is_floating(ElementType type) {
  return type == ElementType::float32 || type == ElementType::float64 ||
         type == ElementType::float16 || type == ElementType::bfloat16;
}

File parse_file(std::string_view bytes) {
  File file;
  bool has_graph = false;
  for (WireReader reader(bytes); reader.next();) {
    switch (reader.field()) {
      case 1:
        file.ir_version = reader.integer();
        break;
      case 7:
        file.graph = parse_graph(reader.bytes());
        has_graph = true;
        break;
      case 8:
        parse_opset(reader.bytes(), file);
        break;
      case 25:
        file.functions.push_back(parse_function(reader.bytes()));
        break;
      default:
        break;
    }
  }
  if (!has_graph) throw Error(ErrorCode::usage, "no ONNX file: it holds no graph");
  return file;
}

}  // namespace ampere::onnx
