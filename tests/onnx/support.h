// Fixtures by name, and imports of bytes.
#pragma once

#include <string>

#include "ampere/onnx.h"

namespace ampere::testing_support {

// The bytes of tests/data/onnx/<name>, unpacked when it ends in .gz.
std::string fixture(const std::string& name);

OnnxImport import_fixture(const std::string& name, const OnnxOptions& options = {});
OnnxImport import_text(const std::string& bytes, const OnnxOptions& options = {});

// "op node: reason" of each problem, one a line.
std::string problems(const OnnxImport& imported);

// The operators of the layers, in order: "input conv relu".
std::string ops(const OnnxImport& imported);

}  // namespace ampere::testing_support
