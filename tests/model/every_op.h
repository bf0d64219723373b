// Networks that have every operator at least once between them.
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

inline int add_tensor_part(ModelBuilder& builder) {
  builder.add(Input{tensor({2, 3, 4})});
  builder.add(Linear{6});
  builder.add(LayerNorm{1e-6, false});
  const int left = builder.add(Permute{{0, 2, 1}});
  const int bias = builder.add(Parameter{tensor({6, 1}), false});
  const int sum = builder.add(Add{}, {left, bias});
  builder.add(Expand{tensor({5, 2, 6, 3})}, {sum});
  builder.add(Slice{0, 1, 4, 2});
  const int right = builder.add(Permute{{0, 1, 3, 2}});
  builder.add(MatMul{}, {sum, right});
  builder.add(Softmax{-1});
  builder.add(Reduce{Reduction::max, {0, -1}});
  return builder.add(Reshape{flat(12)});
}

inline int add_upsampling_part(ModelBuilder& builder) {
  builder.add(Input{image(4, 6, 6)});
  builder.add(ConvTranspose{6, {3}, {2}, {1}, {1}, {}, 2, false});
  builder.add(GroupNorm{3});
  builder.add(PRelu{});
  builder.add(InstanceNorm{1e-3, false});
  builder.add(Scale{true});
  for (const Function function :
       {Function::gelu_tanh, Function::selu, Function::softplus, Function::softsign, Function::mish,
        Function::exp, Function::log, Function::abs, Function::erf, Function::leaky_relu,
        Function::elu, Function::clip, Function::affine, Function::power})
    builder.add(Activation{function});
  builder.add(Activation{Function::clip, {-0.5, 2}});
  builder.add(Activation{Function::affine, {3, -1}});
  builder.add(Upsample{{5, 9}, Interpolation::linear, true});
  const int padded = builder.add(Pad{{1, 0}, {2}, -1});
  const int mean = builder.add(Reduce{Reduction::mean, {1, 2}});
  const int sum = builder.add(Reduce{Reduction::sum, {0}}, {padded});
  builder.add(Subtract{}, {padded, mean});
  builder.add(Divide{}, {builder.last(), sum});
  builder.add(Pool{Pooling::average, {3}, {2}, {1}, false, false});
  builder.add(AdaptivePool{{3}, Pooling::max});
  builder.add(ToSequence{});
  builder.add(SelfAttention{2, false});
  builder.add(Recurrent{Cell::lstm, 4, true, false});
  builder.add(FromSequence{{9}});
  builder.add(Concat{1}, {builder.last(), builder.last()});
  builder.add(Softmax{{}, true});
  return builder.add(Flatten{});
}

// The operators that model files had no word for at first.
inline Model further_ops() {
  ModelBuilder builder("further ops");
  const int shaped = add_tensor_part(builder);
  const int spread = add_upsampling_part(builder);
  builder.add(Concat{}, {shaped, spread});
  builder.add(Linear{10});
  return std::move(builder).build();
}

// What language models need besides: tables longer than what is read of them, a weight that two
// layers share, samples that are dropped.
inline Model language_ops() {
  ModelBuilder builder("language ops");
  builder.add(Input{tokens(6, 20)});
  const int table = builder.add(Embedding{8});
  builder.add(PositionEmbedding{16});
  const int rows = builder.add(Parameter{sequence(6, 8), true, 5});
  const int sum = builder.add(Add{}, {rows - 1, rows});
  builder.add(Linear{12});
  builder.add(Activation{Function::silu});
  builder.add(Linear{8});
  builder.add(Dropout{0.2, true});
  builder.add(Add{}, {sum, builder.last()});
  builder.tie(builder.add(Linear{20, false}), table);
  return std::move(builder).build();
}

// What attention in windows of Swin v2 needs: layers that a table of places goes through once for
// all samples, rows picked from what they give, vectors divided by their lengths, and a learned
// scale within a limit. The shift is read by samples and by what is computed once.
inline Model table_ops() {
  ModelBuilder builder("table ops");
  builder.add(Input{sequence(6, 5)});
  const int x = builder.add(Linear{8});
  const int length = builder.add(Reduce{Reduction::l2, {1}});
  const int unit = builder.add(Divide{}, {x, length});
  const int shift = builder.add(Parameter{tensor({1, 8})});
  builder.add(Activation{Function::clip, {-1, 4.6}});
  const int scale = builder.add(Activation{Function::exp});
  const int scaled = builder.add(Multiply{}, {unit, scale});
  builder.add(Parameter{tensor({3, 3, 2}), false});
  builder.add(Linear{12});
  builder.add(Activation{Function::relu});
  builder.add(Linear{8, false});
  builder.add(Reshape{sequence(9, 8)});
  const int rows = builder.add(Gather{0, 6});
  builder.add(Add{}, {scaled, rows, shift});
  builder.add(Gather{{}, 7});
  builder.add(Linear{4});
  return std::move(builder).build();
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
