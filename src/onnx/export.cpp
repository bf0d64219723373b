#include <fmt/format.h>

#include <array>

#include "ampere/error.h"
#include "ampere/onnx.h"
#include "base/whole_file.h"
#include "onnx/exporter.h"

namespace ampere {
namespace {

// Readers of protocol buffers take less than 2³¹ bytes.
constexpr std::size_t kLargest = (std::size_t{1} << 31) - 1;

void check_size(const Model& model, std::size_t bytes) {
  if (bytes > kLargest)
    throw Error(ErrorCode::usage,
                fmt::format("{}: would take {} MB, and an ONNX file holds 2 GB at most",
                            model.name(), bytes / 1000000));
}

onnx::GraphWriter::File written(const Model& model, const Weights& weights) {
  if (model.layers().empty())
    throw Error(ErrorCode::usage, "a network without layers cannot be written as ONNX");
  check_weights(model, weights);
  std::size_t bytes = 0;
  for (const auto& [name, tensor] : weights) bytes += tensor.values.size() * sizeof(float);
  check_size(model, bytes);
  onnx::GraphWriter::File file = onnx::Exporter(model, weights).finish();
  check_size(model, file.head.size() + file.graph.size() + file.tail.size());
  return file;
}

}  // namespace

void export_onnx(const Model& model, const Weights& weights, const std::string& path) {
  const onnx::GraphWriter::File file = written(model, weights);
  write_whole_file(path, std::array<std::string_view, 3>{file.head, file.graph, file.tail});
}

std::string onnx_bytes(const Model& model, const Weights& weights) {
  const onnx::GraphWriter::File file = written(model, weights);
  return file.head + file.graph + file.tail;
}

}  // namespace ampere
