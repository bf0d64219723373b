// From a tensor as it stands in the file to a constant, wherever its numbers are.
#pragma once

#include <filesystem>
#include <map>
#include <memory>

#include "onnx/constant.h"
#include "onnx/mapped_file.h"

namespace ampere::onnx {

// The folder of the model, in which the files of external data lie; without one, none of them is
// there.
class DataFolder {
 public:
  explicit DataFolder(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

  // The bytes of an external tensor; nothing when the file is not there. Throws Unsupported when
  // the location lies outside the folder, or offset and length outside the file.
  struct Part {
    std::shared_ptr<const MappedFile> file;
    std::string_view bytes;
  };
  std::optional<Part> find(const TensorData& tensor);

 private:
  std::optional<std::filesystem::path> folder_;
  std::map<std::filesystem::path, std::shared_ptr<const MappedFile>> files_;
};

// Throws Unsupported for element types without numbers, and where bytes and dims do not agree.
// Unknown when the tensor's file is not there. `bytes` of the model must outlive the constant.
Constant read_tensor(const TensorData& tensor, DataFolder& folder);

}  // namespace ampere::onnx
