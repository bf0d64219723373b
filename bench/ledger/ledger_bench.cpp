// How many reservations per second a ledger takes, one by one and in batches as a submission makes
// them:
//
//   scripts/test-postgres /tmp/server start
//   build/bin/ledger_bench "$(scripts/test-postgres /tmp/server url)"
//
// The server has its default durability: every commit is on disk before it counts.
#include <fmt/format.h>

#include <atomic>
#include <thread>
#include <vector>

#include "ampere/error.h"
#include "base/stopwatch.h"
#include "ledger/ledger.h"
#include "sql/sql.h"

namespace {

using namespace ampere;

constexpr Seconds kTime{5};
constexpr const char *kProject = "project:bench", *kUser = "user:bench";

std::atomic<std::int64_t> next_job{0};

std::vector<Reservation> batch_of(const std::string& run, int size) {
  std::vector<Reservation> batch;
  for (int i = 0; i < size; ++i)
    batch.push_back({fmt::format("{}-{}", run, ++next_job), {1}, {kProject, kUser}});
  return batch;
}

// Reservations per second, by so many connections at once.
double rate(const std::string& url, const std::string& run, int connections, int batch) {
  std::atomic<std::int64_t> done{0};
  const Stopwatch watch;
  std::vector<std::thread> threads;
  for (int i = 0; i < connections; ++i)
    threads.emplace_back([&] {
      Ledger ledger(open_database(url, Access::write));
      while (watch.elapsed() < kTime) {
        ledger.reserve(batch_of(run, batch));
        done += batch;
      }
    });
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(done) / watch.elapsed().count();
}

int measure(const std::string& url) {
  Ledger ledger(open_database(url, Access::write));
  for (const char* account : {kProject, kUser}) ledger.grant(account, {1e10});
  const std::string run = fmt::format("bench{}", ledger.journal(0, 1'000'000'000).size());
  fmt::print("connections  jobs per transaction  reservations per second\n");
  for (const int connections : {1, 8})
    for (const int batch : {1, 10, 100, 1000})
      fmt::print("{:11}  {:20}  {:23.0f}\n", connections, batch,
                 rate(url, fmt::format("{}-{}-{}", run, connections, batch), connections, batch));
  const Audit audit = ledger.audit();
  fmt::print("audit of {} reservations: {}\n", audit.reservations,
             audit.adds_up() ? "adds up" : "DIFFERS");
  return audit.adds_up() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    fmt::print(stderr, "usage: ledger_bench URL\n");
    return 2;
  }
  return measure(argv[1]);
} catch (const ampere::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
