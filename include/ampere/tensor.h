// The shape of what flows between layers, without the batch axis.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ampere {

enum class Layout {
  tokens,    // T integer ids below `channels` (the vocabulary)
  flat,      // C
  sequence,  // T × C
  line,      // C × L
  image,     // C × H × W
  tensor,    // axes without a meaning of their own; `channels` is 1
};

struct TensorShape {
  Layout layout = Layout::flat;
  std::int64_t channels = 0;
  std::vector<std::int64_t> extent;  // {} flat, {T} tokens and sequence, {L} line, {H, W} image,
                                     // all axes of a tensor

  std::int64_t positions() const;  // product of the extent; 1 when flat
  std::int64_t elements() const;  // numbers in one sample: T for tokens, channels × positions else
  std::vector<std::int64_t> axes() const;  // lengths in the order of memory: C, H, W; T, C; …
  friend bool operator==(const TensorShape&, const TensorShape&) = default;
};

TensorShape flat(std::int64_t channels);
TensorShape tokens(std::int64_t length, std::int64_t vocabulary);
TensorShape sequence(std::int64_t length, std::int64_t channels);
TensorShape line(std::int64_t channels, std::int64_t length);
TensorShape image(std::int64_t channels, std::int64_t height, std::int64_t width);
TensorShape tensor(std::vector<std::int64_t> axes);

const char* to_string(Layout layout);
std::string to_string(const TensorShape& shape);  // "16x14x14", "64 tokens", "64x128 sequence",
                                                  // "4x64x64 tensor"

}  // namespace ampere
