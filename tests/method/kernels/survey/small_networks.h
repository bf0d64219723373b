// Networks with a kernel of most sorts that a survey is done with in no time.
#pragma once

#include <vector>

#include "ampere/model.h"

namespace ampere::testing_support {

// A convolution, a depthwise one, a residual and a linear layer, all large enough to be told from
// what an inference costs beside them.
inline Model small_network(std::int64_t width = 32, std::int64_t extent = 56) {
  ModelBuilder net("small");
  net.add(Input{image(3, extent, extent)}, std::initializer_list<int>{});
  net.add(Conv{width, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  net.add(BatchNorm{});
  const int trunk = net.add(Activation{Function::relu});
  net.add(Conv{0, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, true});
  net.add(BatchNorm{});
  net.add(Activation{Function::relu});
  net.add(Conv{width, {1, 1}, {1, 1}, {0, 0}, {1, 1}});
  const int branch = net.add(BatchNorm{});
  net.add(Add{}, {trunk, branch});
  net.add(Activation{Function::relu});
  net.add(Pool{Pooling::max, {2, 2}, {2, 2}, {0, 0}});
  net.add(Conv{2 * width, {1, 1}, {1, 1}, {0, 0}, {1, 1}});
  net.add(Activation{Function::sigmoid});
  net.add(AdaptivePool{{1, 1}});
  net.add(Flatten{});
  net.add(Linear{10});
  return std::move(net).build();
}

}  // namespace ampere::testing_support
