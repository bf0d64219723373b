// Short ways to say things about small networks.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ampere/error.h"
#include "ampere/model.h"

namespace ampere {

// What the error says, with its code checked; fails when there is none.
template <class Action>
std::string message_of(Action action, ErrorCode code = ErrorCode::usage) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

// The output shape of `op` reading these shapes.
inline TensorShape output_of(const Op& op, const std::vector<TensorShape>& inputs) {
  ModelBuilder builder("one");
  std::vector<int> read;
  for (const TensorShape& shape : inputs) read.push_back(builder.add(Input{shape}));
  return builder.shape(builder.add(op, read));
}

inline Conv conv(std::int64_t out, std::int64_t kernel, std::int64_t padding = 0,
                 std::int64_t stride = 1) {
  Conv op;
  op.out_channels = out;
  op.kernel = {kernel};
  op.stride = {stride};
  op.padding = {padding};
  return op;
}

inline Conv grouped(std::int64_t out, std::int64_t kernel, std::int64_t groups) {
  Conv op = conv(out, kernel);
  op.groups = groups;
  return op;
}

inline Conv depthwise(std::int64_t kernel, std::int64_t padding) {
  Conv op = conv(0, kernel, padding);
  op.depthwise = true;
  return op;
}

inline Pool max_pool(std::int64_t kernel) { return {Pooling::max, {kernel}, {}, {}, false}; }

}  // namespace ampere
