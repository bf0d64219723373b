// What the fuzzers start from and what they have found, at every boundary, and the same with bytes
// changed, cut off and repeated.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "base/text.h"
#include "fuzz/boundaries.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> seeds_of(const std::string& boundary) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(AMPERE_FUZZ_CORPORA) / boundary))
    paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> seeds;
  for (const fs::path& path : paths) seeds.push_back(read_text_file(path.string()));
  return seeds;
}

std::string changed(std::string bytes, std::mt19937& random) {
  if (bytes.empty()) return bytes;
  const std::size_t at = random() % bytes.size();
  switch (random() % 4) {
    case 0:
      bytes[at] = static_cast<char>(random());
      break;
    case 1:
      bytes[at] = static_cast<char>('0' + random() % 10);
      break;
    case 2:
      bytes.resize(at);
      break;
    default:
      bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 40));
  }
  return bytes;
}

class Boundary : public ::testing::TestWithParam<fuzz::Boundary> {};

TEST_P(Boundary, TakesAnyBytes) {
  const std::vector<std::string> seeds = seeds_of(GetParam().name);
  ASSERT_FALSE(seeds.empty());
  const bool starts_processes = std::string(GetParam().name) == "worker";
  std::mt19937 random(7);
  for (const std::string& seed : seeds) {
    GetParam().feed(seed);
    for (int i = 0; i < (starts_processes ? 5 : 100); ++i) GetParam().feed(changed(seed, random));
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Boundary, ::testing::ValuesIn(fuzz::boundaries()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Boundaries, HaveACorpusEach) {
  std::size_t folders = 0;
  for (const auto& entry : fs::directory_iterator(AMPERE_FUZZ_CORPORA)) {
    ++folders;
    EXPECT_TRUE(std::ranges::any_of(fuzz::boundaries(), [&](const fuzz::Boundary& each) {
      return entry.path().filename() == each.name;
    })) << entry.path();
  }
  EXPECT_EQ(folders, fuzz::boundaries().size());
}

}  // namespace
}  // namespace ampere
