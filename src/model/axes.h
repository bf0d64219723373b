// Axes of a sample as they lie in memory, and what becomes of a shape along one of them.
#pragma once

#include <cstdint>
#include <optional>

#include "ampere/layer.h"

namespace ampere {

// Where the channels are. A tensor has none; its last axis stands for them where numbers are
// combined along it (linear, layer norm).
std::size_t channel_axis(const TensorShape& shape);
std::int64_t features(const TensorShape& shape);  // the length of that axis

// The axis meant, from 0; negative ones count from the end, none is the channels. Throws
// Error(usage) where there is no such axis, or none is given for a tensor. Axes that are the
// channels become none, so that equal operators are written equally.
std::size_t resolve_axis(std::optional<std::int64_t>& axis, const TensorShape& shape);

// The shape with another length along one axis, in the same layout.
TensorShape with_length(TensorShape shape, std::size_t axis, std::int64_t length);

// Whether `part` is one number per channel of `whole`, to be spread over its positions.
bool spreads_over(const TensorShape& part, const TensorShape& whole);

// What two operands make, element by element: the one that the other equals or spreads over; else
// axes aligned at the last one, where length 1 becomes the other's, in the layout of the first that
// has all of them. Nothing when they do not fit.
std::optional<TensorShape> broadcast(const TensorShape& a, const TensorShape& b);

// Whether a tensor read as `before` and then, in the same order, as `after` has its channels in the
// same place.
bool keeps_channels(const TensorShape& before, const TensorShape& after);

}  // namespace ampere
