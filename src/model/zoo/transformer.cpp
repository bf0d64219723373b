// Stacks of encoder layers, each of which is one module and so one block: over tokens, and over
// the patches of an image.
#include <fmt/format.h>

#include "ampere/error.h"
#include "model/zoo/families.h"
#include "model/zoo/layers.h"

namespace ampere::zoo_detail {
namespace {

int add_feed_forward(ModelBuilder& net, int from, std::int64_t width, Function function,
                     const std::string& name) {
  net.add(Linear{4 * width}, {from}, name + ".ffn1");
  net.add(Activation{function}, name + ".ffn1.act");
  return net.add(Linear{width}, name + ".ffn2");
}

// Vaswani et al. 2017: each sum is normalised after the addition.
void add_post_norm_encoder(ModelBuilder& net, std::int64_t heads, const std::string& name) {
  net.module(name);
  const int from = net.last();
  const int attended = net.add(SelfAttention{heads}, {from}, name + ".attention");
  net.add(Add{}, {from, attended}, name + ".add1");
  const int middle = net.add(LayerNorm{}, name + ".norm1");
  const int fed = add_feed_forward(net, middle, net.shape(middle).channels, Function::relu, name);
  net.add(Add{}, {middle, fed}, name + ".add2");
  net.add(LayerNorm{}, name + ".norm2");
  net.module("");
}

// Dosovitskiy et al. 2021: what enters attention and feed-forward is normalised, the sums are not.
void add_pre_norm_encoder(ModelBuilder& net, std::int64_t heads, const std::string& name) {
  net.module(name);
  const int from = net.last();
  net.add(LayerNorm{}, {from}, name + ".norm1");
  const int attended = net.add(SelfAttention{heads}, name + ".attention");
  const int middle = net.add(Add{}, {from, attended}, name + ".add1");
  const int normed = net.add(LayerNorm{}, name + ".norm2");
  const int fed = add_feed_forward(net, normed, net.shape(normed).channels, Function::gelu, name);
  net.add(Add{}, {middle, fed}, name + ".add2");
  net.module("");
}

void build_transformer(ModelBuilder& net, const Options& options) {
  net.add(Input{tokens(options.at("length"), options.at("vocabulary"))}, {}, "input");
  net.add(Embedding{options.at("d")}, "embedding");
  for (std::int64_t layer = 0; layer < options.at("layers"); ++layer) {
    add_post_norm_encoder(net, 4, "encoder" + std::to_string(layer));
  }
  net.add(TokenMean{}, "mean");
  net.add(Linear{options.at("classes")}, "fc");
}

void build_vit_tiny(ModelBuilder& net, const Options& options) {
  const std::int64_t size = options.at("size"), patch = options.at("patch");
  if (size % patch != 0) {
    throw Error(ErrorCode::usage,
                fmt::format("vit_tiny: size={} is not a multiple of patch={}: choose a size that "
                            "patches tile exactly",
                            size, patch));
  }
  const int input = square_input(net, 3, size);
  conv(net, input, {.out = options.at("d"), .kernel = patch, .stride = patch, .padding = 0},
       "patches");
  net.add(ToSequence{}, "sequence");
  net.add(ClassToken{}, "class_token");
  net.add(PositionEmbedding{}, "positions");
  for (std::int64_t layer = 0; layer < options.at("layers"); ++layer) {
    add_pre_norm_encoder(net, 3, "encoder" + std::to_string(layer));
  }
  net.add(LayerNorm{}, "norm");
  net.add(TokenSelect{0}, "select");
  net.add(Linear{options.at("classes")}, "fc");
}

std::vector<ZooOption> vit_options() {
  std::vector<ZooOption> options = {{"d", 192, "width of a token, a multiple of the 3 heads"},
                                    {"layers", 12, "encoder layers"},
                                    {"patch", 16, "height and width of a patch"}};
  for (const ZooOption& option : image_options()) options.push_back(option);
  return options;
}

}  // namespace

std::vector<Family> transformer_networks() {
  return {
      {{"transformer",
        "encoder layers (post-norm, 4 heads) over tokens, mean, linear",
        {{"d", 256, "width of a token, a multiple of the 4 heads"},
         {"layers", 4, "encoder layers"},
         {"length", 64, "tokens in a sequence"},
         {"vocabulary", 1000, "different tokens"},
         {"classes", 10, "classes"}}},
       build_transformer},
      {{"vit_tiny", "Vision Transformer, tiny (pre-norm, 3 heads)", vit_options()}, build_vit_tiny},
  };
}

}  // namespace ampere::zoo_detail
