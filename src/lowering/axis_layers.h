// Operators of several layers, and those that move or gather numbers along axes. All of them are
// plain functions, no modules.
#pragma once

#include <type_traits>

#include "lowering/layers.h"

namespace ampere::lowering {

template <class Op>
inline constexpr bool is_along_axes = false;

#define AMPERE_ALONG_AXES(Kind)                     \
  template <>                                       \
  inline constexpr bool is_along_axes<Kind> = true; \
  Tensor call_along_axes(const LayerCall& call, const Kind& op)
AMPERE_ALONG_AXES(Add);
AMPERE_ALONG_AXES(Multiply);
AMPERE_ALONG_AXES(Subtract);
AMPERE_ALONG_AXES(Divide);
AMPERE_ALONG_AXES(Concat);
AMPERE_ALONG_AXES(Chunk);
AMPERE_ALONG_AXES(Slice);
AMPERE_ALONG_AXES(Softmax);
AMPERE_ALONG_AXES(Reduce);
AMPERE_ALONG_AXES(Pad);
AMPERE_ALONG_AXES(Flatten);
AMPERE_ALONG_AXES(ChannelShuffle);
AMPERE_ALONG_AXES(ToSequence);
AMPERE_ALONG_AXES(FromSequence);
AMPERE_ALONG_AXES(TokenMean);
AMPERE_ALONG_AXES(TokenSelect);
AMPERE_ALONG_AXES(Reshape);
AMPERE_ALONG_AXES(Permute);
AMPERE_ALONG_AXES(Expand);
AMPERE_ALONG_AXES(MatMul);
#undef AMPERE_ALONG_AXES
Tensor call_along_axes(const LayerCall& call, const Input& op);  // never called

}  // namespace ampere::lowering
