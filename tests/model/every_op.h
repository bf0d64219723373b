// A network that has every operator at least once.
#pragma once

#include "ampere/model.h"
#include "support.h"

namespace ampere {

inline int add_image_part(ModelBuilder& builder) {
  builder.add(Input{image(3, 16, 16)});
  const int stem = builder.add(conv(8, 3, 1));
  builder.add(BatchNorm{});
  builder.add(depthwise(3, 1));
  for (const Function function :
       {Function::relu, Function::relu6, Function::gelu, Function::silu, Function::hard_swish,
        Function::hard_sigmoid, Function::sigmoid, Function::tanh})
    builder.add(Activation{function});
  const int side = builder.add(grouped(8, 1, 2));
  const int added = builder.add(Add{}, {stem, side});
  builder.add(AdaptivePool{{1, 1}});
  const int scaled = builder.add(Multiply{}, {added, builder.last()});
  builder.add(Concat{}, {scaled, side});
  builder.add(ChannelShuffle{2});
  const int half = builder.add(Chunk{2, 1});
  builder.add(Pool{Pooling::max, {3}, {2}, {1}, true}, {half});
  builder.add(Pool{Pooling::average, {2}, {}, {}, false});
  builder.add(ToSequence{});
  builder.module("encoder0");
  builder.add(SelfAttention{2});
  builder.add(LayerNorm{});
  builder.module("");
  return builder.add(TokenMean{});
}

inline int add_token_part(ModelBuilder& builder) {
  builder.add(Input{tokens(12, 50)});
  builder.add(Embedding{8});
  builder.add(ClassToken{});
  builder.add(PositionEmbedding{});
  builder.add(Recurrent{Cell::lstm, 6});
  builder.add(Recurrent{Cell::gru, 5});
  return builder.add(TokenSelect{-1});
}

inline Model every_op() {
  ModelBuilder builder("every op");
  const int seen = add_image_part(builder);
  const int read = add_token_part(builder);
  const int boundary = builder.add(Input{line(2, 4), true});
  builder.add(Flatten{}, {boundary});
  builder.add(Concat{}, {seen, read, builder.last()});
  builder.add(Dropout{0.25});
  builder.add(Linear{10, false});
  return std::move(builder).build();
}

}  // namespace ampere
