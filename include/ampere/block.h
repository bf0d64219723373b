// Networks cut into blocks, blocks deduplicated into kinds, and the small variant networks that
// expose the cost of one kind.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {

enum class Role { input, hidden, output };
const char* to_string(Role role);

// A channel count that varies within a kind.
struct Feature {
  std::string name;  // "c_in", "c_out" ("c" when they are tied), "c_mid", "c_side"; numbered when
                     // there are several
  std::int64_t multiple_of = 1;
};

// What is fixed: structure, extents, kernel sizes, strides. Two blocks are of one kind when their
// keys are equal. The setup (batch, optimizer, precision) belongs to the profile, not to the kind.
struct BlockKind {
  std::string key;    // canonical text, stable across versions of the program
  std::string title;  // short, for people: "conv5x5+relu+max_pool2 @14x14"
  Role role = Role::hidden;
  std::vector<Feature> features;  // may be empty: then the kind is a constant
  Model pattern;  // the block alone, its inputs as Input layers; the last layer is its output
};

struct Block {
  std::shared_ptr<const BlockKind> kind;
  std::vector<std::int64_t> features;  // one value per kind->features
  std::vector<int> layers;             // indices into the model, ascending
};

// Every layer in exactly one block, in the order of their first parametric layers.
std::vector<Block> parse_blocks(const Model& model);

// The keys of the kinds that the network's blocks are of, each once, in alphabetical order.
std::vector<std::string> kinds_of(const Model& model);
std::vector<std::string> kinds_of(std::span<const Block> blocks);

// A block of this kind at other features, as a model.
Model instantiate(const BlockKind& kind, std::span<const std::int64_t> features);

// The kinds a variant for `kind` puts before and after it: the output block that takes what it
// produces (for an input or hidden kind), the input block that feeds it (for a hidden kind).
// The network's own blocks are used where they fit; `own` is parse_blocks of the asked network.
struct Companions {
  std::shared_ptr<const BlockKind> input;   // null unless kind is hidden
  std::shared_ptr<const BlockKind> output;  // null when kind is an output kind
};
Companions companions(const BlockKind& kind, std::span<const Block> own);

// The variant network: [input] + block + [output], with `kind` at these features and the companions
// at the channels it takes and gives. parse_blocks(variant) finds these same kinds again.
Model make_variant(const BlockKind& kind, std::span<const std::int64_t> features,
                   const Companions& companions);

}  // namespace ampere
