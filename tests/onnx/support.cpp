#include "support.h"

#include "../support/gunzip.h"
#include "onnx/import.h"

namespace ampere::testing_support {

std::string fixture(const std::string& name) {
  return gunzip(std::string(AMPERE_TEST_DATA) + "/onnx/" + name);
}

OnnxImport import_fixture(const std::string& name, const OnnxOptions& options) {
  const std::string folder = std::string(AMPERE_TEST_DATA) + "/onnx/small";
  return onnx::import_bytes(fixture(name), folder, name, options);
}

OnnxImport import_text(const std::string& bytes, const OnnxOptions& options) {
  return onnx::import_bytes(bytes, AMPERE_TEST_DATA "/onnx/small", "network", options);
}

std::string problems(const OnnxImport& imported) {
  std::string text;
  for (const OnnxProblem& problem : imported.unsupported)
    text += problem.op + " " + problem.node + ": " + problem.reason + "\n";
  return text;
}

std::string ops(const OnnxImport& imported) {
  std::string text;
  if (!imported.model) return "no model: " + problems(imported);
  for (const Layer& layer : imported.model->layers())
    text += (text.empty() ? "" : " ") + std::string(op_name(layer.op));
  return text;
}

}  // namespace ampere::testing_support
