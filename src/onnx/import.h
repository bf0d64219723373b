// The import of bytes that are already in memory, as tests and the fuzzer need it.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "ampere/onnx.h"

namespace ampere::onnx {

// `folder` holds external data; without one, none is there. Throws Error(usage) when the bytes are no ONNX file.
OnnxImport import_bytes(std::string_view bytes, const std::optional<std::filesystem::path>& folder,
                        const std::string& name, const OnnxOptions& options);

}  // namespace ampere::onnx
