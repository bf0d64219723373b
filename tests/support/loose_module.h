// The beginning of a network whose blocks are of other kinds at other widths.
#pragma once

#include "ampere/model.h"

namespace ampere::testing_support {

// The inner width of the module is a multiple of its input at some widths only.
inline void add_loose_module(ModelBuilder& builder) {
  builder.add(Input{image(3, 8, 8)});
  builder.add(Conv{12, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  builder.module("bottleneck");
  builder.add(Conv{7, {1, 1}, {1, 1}, {0, 0}, {1, 1}});
  builder.add(Conv{20, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  builder.module("");
}

}  // namespace ampere::testing_support
