// The sizes of tensors. A type that was read fits 63 bits in every respect.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ampere/program.h"

namespace ampere {

// The strides of a tensor whose elements lie one behind the other, the last axis fastest. Throws
// nothing; strides that overflow are those of a type that is refused.
std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& sizes);

// Why there can be no such tensor: "has more bytes than 63 bits can count". Empty when there can.
std::string tensor_fault(const TensorType& type);

// The elements of memory from the first to the last, where no axis is empty.
double span_of(const TensorType& type);

double elements_of(const TensorType& type);  // by its sizes, expanded axes included

// Elements at different places in memory: an expanded axis counts once, and so do windows that
// overlap.
double distinct_elements(const TensorType& type);
double distinct_bytes(const TensorType& type);

}  // namespace ampere
