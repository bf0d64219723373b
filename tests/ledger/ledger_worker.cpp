// Does random things to a ledger until it is killed or the time is over: URL SEED SECONDS. Errors
// that a user could make are expected; anything else ends it with status 1.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <random>

#include "ampere/error.h"
#include "base/stopwatch.h"
#include "ledger/ledger.h"
#include "sql/sql.h"

namespace {

using namespace ampere;

class Worker {
 public:
  Worker(const std::string& url, unsigned seed)
      : ledger_(open_database(url, Access::write)), random_(seed) {}

  void act() {
    switch (below(9)) {
      case 0:
        return ledger_.grant(account(), {amount() - 1});
      case 1:
      case 2:
        return ledger_.reserve(shared_job(), amount_of(), accounts());
      case 3:
        return reserve_many();
      case 4:
      case 5:
        ledger_.draw(shared_job(), amount_of());
        return;
      case 6:
        return below(2) == 0 ? ledger_.release(shared_job())
                             : ledger_.return_drawn(shared_job(), amount_of());
      case 7:
        return ledger_.settle_assumed(shared_job());
      default:
        return run_job();
    }
  }

 private:
  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }
  double amount() { return std::uniform_real_distribution<>(0, 3)(random_); }
  Joules amount_of() { return {amount()}; }
  std::string account() { return "project:p" + std::to_string(below(4)); }
  std::vector<std::string> accounts() {
    const int first = below(4);
    std::vector<std::string> names{"project:p" + std::to_string(first)};
    if (below(2) == 0) names.push_back("project:p" + std::to_string((first + 1 + below(3)) % 4));
    return names;
  }
  std::string shared_job() { return "shared-" + std::to_string(below(3000)); }
  std::string own_job() { return "own-" + std::to_string(getpid()) + "-" + std::to_string(++own_); }

  void reserve_many() {
    std::vector<Reservation> many;
    for (int i = below(20); i >= 0; --i) many.push_back({own_job(), amount_of(), accounts()});
    ledger_.reserve(many);
  }

  // From its reservation to its end, without ever using more than it drew.
  void run_job() {
    const std::string job = own_job();
    ledger_.reserve(job, amount_of(), accounts());
    Joules drawn;
    for (int i = below(4); i >= 0; --i) drawn = ledger_.draw(job, {drawn.value + amount()});
    const double share = std::uniform_real_distribution<>(0, 0.999)(random_);
    ledger_.settle(job, {share * drawn.value}, Settled::simulated);
  }

  Ledger ledger_;
  std::mt19937 random_;
  int own_ = 0;
};

}  // namespace

int main(int, char** argv) try {
  Worker worker(argv[1], static_cast<unsigned>(std::atoi(argv[2])));
  const Stopwatch watch;
  const Seconds time(std::atof(argv[3]));
  while (watch.elapsed() < time) {
    try {
      worker.act();
    } catch (const Error& error) {
      const bool expected = error.code() == ErrorCode::usage ||
                            error.code() == ErrorCode::unknown || error.code() == ErrorCode::failed;
      if (!expected) throw;
    }
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
