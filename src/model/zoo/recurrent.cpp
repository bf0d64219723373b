// Language models that predict the next token at every position.
#include "model/zoo/families.h"

namespace ampere::zoo_detail {
namespace {

void build_recurrent(ModelBuilder& net, const Options& options, Cell cell) {
  const std::int64_t vocabulary = options.at("vocabulary");
  net.add(Input{tokens(options.at("length"), vocabulary)}, {}, "input");
  net.add(Embedding{64}, "embedding");
  for (std::int64_t layer = 1; layer <= options.at("layers"); ++layer) {
    net.add(Recurrent{cell, 128}, (cell == Cell::lstm ? "lstm" : "gru") + std::to_string(layer));
  }
  net.add(Linear{vocabulary}, "fc");
}

Family recurrent(const std::string& name, const std::string& description, Cell cell) {
  const std::vector<ZooOption> options = {{"layers", 2, "recurrent layers"},
                                          {"length", 64, "tokens in a sequence"},
                                          {"vocabulary", 96, "different tokens"}};
  return {{name, description, options},
          [cell](ModelBuilder& net, const Options& chosen) { build_recurrent(net, chosen, cell); }};
}

}  // namespace

std::vector<Family> recurrent_networks() {
  return {recurrent("lstm", "LSTM language model over characters", Cell::lstm),
          recurrent("gru", "GRU language model over characters", Cell::gru)};
}

}  // namespace ampere::zoo_detail
