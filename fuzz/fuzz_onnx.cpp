// Any bytes as an ONNX file: imported, with weights, and cut into blocks.
#include <cstddef>
#include <cstdint>

#include "ampere/block.h"
#include "ampere/error.h"
#include "onnx/import.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ampere::OnnxOptions options;
  options.weights = true;
  options.shapes["length"] = {6};
  try {
    const ampere::OnnxImport imported = ampere::onnx::import_bytes(
        {reinterpret_cast<const char*>(data), size}, "/nonexistent", "fuzzed", options);
    if (imported.model) ampere::parse_blocks(*imported.model);
  } catch (const ampere::Error&) {
  }
  return 0;
}
