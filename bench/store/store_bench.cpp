// How long a store takes to answer when it is large. AMPERE_BENCH_OBSERVATIONS says how large: a
// million unless told otherwise, which takes minutes to fill.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "ampere/store.h"
#include "base/text.h"

namespace ampere {
namespace {

constexpr int kKinds = 60, kModels = 2000, kBatch = 10'000;

std::string kind_key(int i) {
  return fmt::format("kind {} of a network with a rather long key", i);
}

DeviceInfo device() {
  DeviceInfo device;
  device.name = "bench";
  device.source = Source::simulated;
  return device;
}

Observation observation(int i) {
  ModelBuilder builder("bench");
  builder.add(Input{flat(8), false});
  builder.add(Linear{1 + i % kModels, true});
  Observation result;
  result.device = device();
  result.model = std::move(builder).build();
  result.purpose = Purpose::variant;
  result.kind = kind_key(i % kKinds);
  result.features = {8, 1 + i % kModels};
  result.taken_at = "2026-01-31T12:00:00Z";
  Measurement measurement;
  measurement.source = Source::simulated;
  measurement.windows.resize(3);
  for (Window& window : measurement.windows) {
    window.iterations = 10 + i;
    window.time = Seconds{0.25};
    window.energy = Joules{1.5 / (1 + i)};
  }
  summarize(measurement);
  result.measurement = measurement;
  return result;
}

// Filled once and removed at the end of the program.
class LargeStore {
 public:
  LargeStore() {
    std::filesystem::remove_all(folder_);
    const auto store = open_store(url());
    profile = store->open_profile(device(), Setup{}, "sim:bench");
    const char* asked = std::getenv("AMPERE_BENCH_OBSERVATIONS");
    size = asked ? parse_integer(asked, "AMPERE_BENCH_OBSERVATIONS") : 1'000'000;
    for (std::int64_t i = 0; i < size; i += kBatch)
      store->atomically([&] {
        for (std::int64_t j = i; j < std::min(i + kBatch, size); ++j)
          store->add(profile, observation(static_cast<int>(j)));
      });
    for (int i = 0; i < kKinds; ++i) store->put_fit(profile, {kind_key(i), std::string(4000, 'f')});
  }
  ~LargeStore() { std::filesystem::remove_all(folder_); }

  std::string url() const { return "sqlite:" + (folder_ / "store.db").string(); }
  std::int64_t profile = 0, size = 0;

 private:
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "ampere-store-bench";
};

const LargeStore& large() {
  static const LargeStore store;
  return store;
}

void open_and_list(benchmark::State& state) {
  const std::string url = large().url();
  for (auto _ : state) benchmark::DoNotOptimize(open_store(url, Access::read)->profiles());
}
BENCHMARK(open_and_list)->Unit(benchmark::kMillisecond);

void open_and_read_fits(benchmark::State& state) {
  const std::string url = large().url();
  std::vector<std::string> kinds;
  for (int i = 0; i < kKinds; ++i) kinds.push_back(kind_key(i));
  for (auto _ : state)
    benchmark::DoNotOptimize(open_store(url, Access::read)->fits(large().profile, kinds));
}
BENCHMARK(open_and_read_fits)->Unit(benchmark::kMillisecond);

void find_by_model(benchmark::State& state) {
  const auto store = open_store(large().url(), Access::read);
  const std::string hash = model_hash(observation(1).model);
  for (auto _ : state)
    benchmark::DoNotOptimize(store->find({.profile = large().profile, .model_hash = hash}));
}
BENCHMARK(find_by_model)->Unit(benchmark::kMillisecond);

void find_by_kind(benchmark::State& state) {
  const auto store = open_store(large().url(), Access::read);
  for (auto _ : state)
    benchmark::DoNotOptimize(store->find(
        {.profile = large().profile, .purpose = Purpose::variant, .kind = kind_key(1)}));
}
BENCHMARK(find_by_kind)->Unit(benchmark::kMillisecond);

void add_one(benchmark::State& state) {
  const auto store = open_store(large().url());
  int i = 0;
  for (auto _ : state) store->add(large().profile, observation(i++));
}
BENCHMARK(add_one)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ampere

BENCHMARK_MAIN();
