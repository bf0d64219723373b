#include "random_network.h"

#include <algorithm>
#include <random>

#include "ampere/error.h"

namespace ampere {
namespace {

constexpr int kLayers = 16, kTries = 200;

class Drawing {
 public:
  explicit Drawing(unsigned seed) : random_(seed), net_("random") {}

  Model draw() && {
    net_.add(Input{image(3, 4, 4)});
    net_.add(conv(1));
    for (int tries = 0; net_.last() < kLayers && tries < kTries; ++tries) try {
        net_.module(below(4) == 0 ? "unit" + std::to_string(net_.last() / 4) : "");
        add();
      } catch (const Error&) {  // it does not fit there
      }
    net_.module("");
    net_.add(AdaptivePool{{1, 1}});
    net_.add(Flatten{});
    net_.add(Linear{10});
    return std::move(net_).build();
  }

 private:
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(count));
  }

  int recent() { return std::max<int>(1, net_.last() - static_cast<int>(below(5))); }

  Conv conv(std::int64_t groups) {
    return {4 * (1 + below(3)), {1, 1}, {1, 1}, {0, 0}, {1, 1}, groups};
  }

  Op one_input() {
    switch (below(10)) {
      case 0:
        return Chunk{2, below(2)};
      case 1:
        return ChannelShuffle{2};
      case 2:
        return GroupNorm{2};
      case 3:
        return Activation{Function::relu};
      case 4:
        return Conv{.kernel = {1, 1},
                    .stride = {1, 1},
                    .padding = {0, 0},
                    .dilation = {1, 1},
                    .depthwise = true};
      case 5:
        return Slice{below(4) == 0 ? 0 : 1, 0, 2};
      case 6:
        return Reduce{Reduction::mean, {below(4) == 0 ? 0 : 1}};
      case 7:
        return conv(2);
      default:
        return conv(1);
    }
  }

  void add() {
    switch (below(6)) {
      case 0:
        net_.add(Add{}, {recent(), recent()});
        break;
      case 1:
        net_.add(Multiply{}, {recent(), recent()});
        break;
      case 2:
        net_.add(Concat{}, {recent(), recent()});
        break;
      case 3:
        net_.add(Concat{below(3) == 0 ? std::optional<std::int64_t>(1) : std::nullopt},
                 {recent(), recent(), recent()});
        break;
      default:
        net_.add(one_input(), {recent()});
    }
  }

  std::mt19937_64 random_;
  ModelBuilder net_;
};

}  // namespace

Model random_network(unsigned seed) { return Drawing(seed).draw(); }

}  // namespace ampere
