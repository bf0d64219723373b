// The weights of one layer at some of its channels.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {

// Which of the original's channels remain, in order.
struct LayerChannels {
  std::vector<std::int64_t> read;    // of the layer that is read; empty when it has no channels
  std::vector<std::int64_t> made;    // of its own output; empty when that has none
  std::vector<std::int64_t> inside;  // of an attention's queries, keys and values
};

// The tensor of this name within the layer. `layer` is the original's, `read` the shape it reads
// there.
FloatTensor gather_weight(const Layer& layer, const TensorShape& read, const std::string& name,
                          const FloatTensor& tensor, const LayerChannels& channels);

}  // namespace ampere
