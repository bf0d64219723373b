// How a tensor lies in memory, as far as the time of an operation depends on it.
#pragma once

#include <cstdint>

#include "ampere/program.h"

namespace ampere {

// Axes of size 1 may have any stride.
bool is_contiguous(const TensorType& type);
// Four axes, of which the second (the channels) is the fastest.
bool is_channels_last(const TensorType& type);
// An axis with more than one element has stride 0.
bool is_expanded(const TensorType& type);
// The last axis with more than one element whose stride is 1; -1 when there is none.
int fastest_axis(const TensorType& type);
// Elements that lie one behind the other before the first gap.
double dense_run(const TensorType& type);
// The product of the sizes from `axis` on; 1 when there is no such axis.
double elements_from(const TensorType& type, std::size_t axis);
// The last size, or 1 for a single number.
std::int64_t last_size(const TensorType& type);
// All elements, expanded ones included, in bytes.
double expanded_bytes(const TensorType& type);

bool is_floating(ElementType type);
bool is_half(ElementType type);   // two bytes or fewer per floating number
bool is_index(ElementType type);  // int64 or int32

}  // namespace ampere
