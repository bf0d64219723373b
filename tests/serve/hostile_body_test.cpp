#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "base/text.h"
#include "serve/feed_api.h"

namespace ampere {
namespace {

TEST(HostileBody, IsRefusedOrAnsweredAndNeverTheServersFault) {
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(AMPERE_FUZZ_CORPUS))
    seeds.push_back(read_text_file(entry.path().string()));
  ASSERT_GT(seeds.size(), 5u);
  std::ranges::sort(seeds);
  std::mt19937 random(7);
  for (const std::string& seed : seeds) {
    EXPECT_EQ(feed_api(seed), "");
    for (int i = 0; i < 40; ++i) {
      std::string bytes = seed;
      for (int change = 0; change < 2; ++change)
        bytes[random() % bytes.size()] =
            static_cast<char>(i % 2 == 0 ? '0' + random() % 10 : random());
      EXPECT_EQ(feed_api(bytes), "") << bytes;
    }
  }
}

}  // namespace
}  // namespace ampere
