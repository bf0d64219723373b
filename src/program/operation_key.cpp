#include "program/operation_key.h"

#include "base/hash.h"
#include "program/operation_text.h"

namespace ampere {

std::vector<OperationKey> operation_keys(const std::vector<Operation>& operations,
                                         const std::vector<TensorType>& tensors) {
  OperationTexts texts(tensors);
  std::vector<OperationKey> keys;
  keys.reserve(operations.size());
  for (const Operation& operation : operations) keys.push_back(hash_number(texts.of(operation)));
  return keys;
}

OperationKey operation_key(const Operation& operation, const std::vector<TensorType>& tensors) {
  return hash_number(OperationTexts(tensors).of(operation));
}

}  // namespace ampere
