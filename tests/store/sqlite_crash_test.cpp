// Several writers at once, writers that die, and disks that fill up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include <thread>

#include "child.h"
#include "samples.h"
#include "store/sql_store.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

// The observation number `i`, to be recognised again.
Observation crash_sample(int i) { return sample_observation("conv", 1 + i); }

// Adds observations for ever, and writes a byte for each one that add() has acknowledged.
void add_forever(const std::string& url, int out) {
  const auto store = open_store(url);
  const std::int64_t profile = open_sample_profile(*store);
  for (int i = 0;; ++i) {
    store->add(profile, crash_sample(i));
    if (write(out, ".", 1) != 1) return;
  }
}

TEST(SqliteCrash, LosesNothingThatWasAcknowledgedBeforeAKill) {
  const TempFolder folder;
  for (int round = 0; round < 3; ++round) {
    const std::string path = folder / (std::to_string(round) + ".db");
    Worker writer([&](int out) { add_forever("sqlite:" + path, out); });
    std::size_t acknowledged = writer.read(20 + 7 * round).size();
    writer.kill();
    acknowledged += writer.rest().size();

    const auto store = open_store("sqlite:" + path);
    const std::vector<Observation> found = store->find(all_of(open_sample_profile(*store)));
    ASSERT_GE(found.size(), acknowledged);
    ASSERT_LE(found.size(), acknowledged + 1);
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(text_of(found[i]), text_of(crash_sample(static_cast<int>(i))));
    EXPECT_EQ(store->profiles().at(0).observations, static_cast<std::int64_t>(found.size()));
    EXPECT_EQ(run_sql(path, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
  }
}

TEST(SqliteCrash, IsReadableWhileTheLogOfADeadWriterIsThere) {
  const TempFolder folder;
  const std::string url = "sqlite:" + (folder / "store.db");
  Worker writer([&](int out) { add_forever(url, out); });
  const std::size_t acknowledged = writer.read(10).size();
  writer.kill();
  ASSERT_EQ(acknowledged, 10U);
  const auto store = open_store(url, Access::read);
  EXPECT_GE(store->find(all_of(store->profiles().at(0).id)).size(), acknowledged);
}

TEST(SqliteCrash, IsReadableAfterAWriterDiedWithoutWal) {
  const TempFolder folder;
  const std::string path = folder / "store.db";
  std::vector<Observation> added;
  {
    const auto store = open_store("sqlite:" + path);
    const std::int64_t profile = open_sample_profile(*store);
    for (int i = 0; i < 20; ++i) store->add(profile, added.emplace_back(crash_sample(i)));
  }
  run_sql(path, "PRAGMA journal_mode = DELETE");
  Worker writer([&](int out) {
    sqlite3* handle = nullptr;
    sqlite3_open(path.c_str(), &handle);
    // So small a cache spills into the file before the commit.
    sqlite3_exec(handle, "PRAGMA cache_size = 1; BEGIN; UPDATE observation SET body = body || 'x'",
                 nullptr, nullptr, nullptr);
    if (write(out, ".", 1) == 1) pause();
  });
  ASSERT_EQ(writer.read(1), ".");
  writer.kill();
  ASSERT_TRUE(std::filesystem::exists(path + "-journal"));
  const auto store = open_store("sqlite:" + path, Access::read);
  EXPECT_EQ(texts_of(store->find(all_of(store->profiles().at(0).id))), texts_of(added));
}

TEST(SqliteConcurrency, TakesTwoProcessesThatCreateAndWriteAtOnce) {
  const TempFolder folder;
  const std::string url = "sqlite:" + (folder / "store.db");
  constexpr int kEach = 40, kWriters = 3;
  {
    const auto write_some = [&](int out) {
      std::string outcome = "done";
      try {
        const auto store = open_store(url);
        const std::int64_t profile = open_sample_profile(*store);
        for (int i = 0; i < kEach; ++i) store->add(profile, crash_sample(i));
      } catch (const std::exception& error) {
        outcome = error.what();
      }
      if (write(out, outcome.data(), outcome.size()) < 0) _exit(1);
    };
    Worker first(write_some), second(write_some), third(write_some);
    EXPECT_EQ(first.rest(), "done");
    EXPECT_EQ(second.rest(), "done");
    EXPECT_EQ(third.rest(), "done");
  }
  const auto store = open_store(url, Access::read);
  ASSERT_THAT(store->profiles(), SizeIs(1));
  EXPECT_EQ(store->profiles()[0].observations, kWriters * kEach);
  EXPECT_THAT(store->find(all_of(store->profiles()[0].id)), SizeIs(kWriters * kEach));
}

TEST(SqliteConcurrency, ShowsAReaderWhatAnotherConnectionWrites) {
  const TempFolder folder;
  const std::string url = "sqlite:" + (folder / "store.db");
  const auto writer = open_store(url);
  const std::int64_t profile = open_sample_profile(*writer);
  const auto reader = open_store(url, Access::read);
  std::thread thread([&] {
    for (int i = 0; i < 20; ++i) writer->add(profile, crash_sample(i));
  });
  std::size_t last = 0;
  for (int i = 0; i < 20; ++i) {
    const std::size_t now = reader->find(all_of(profile)).size();
    EXPECT_GE(now, last);
    last = now;
  }
  thread.join();
  EXPECT_THAT(reader->find(all_of(profile)), SizeIs(20));
}

// Opening a store reads the file's header: done carelessly, that drops the locks which the same
// process already holds on the file, and the next process to close the store takes away the log
// this one still writes to.
TEST(SqliteConcurrency, KeepsItsLocksWhenTheSameProcessOpensTheStoreAgain) {
  const TempFolder folder;
  const std::string url = "sqlite:" + (folder / "store.db"), go = folder / "go";
  Worker other([&](int out) {
    while (!std::filesystem::exists(go)) usleep(1000);
    { open_store(url)->add(1, crash_sample(1)); }
    if (write(out, ".", 1) != 1) _exit(1);
  });
  const auto store = open_store(url);
  ASSERT_EQ(open_sample_profile(*store), 1);
  store->add(1, crash_sample(0));
  open_store(url, Access::read);
  write_bytes(go, "");
  ASSERT_EQ(other.read(1), ".");
  store->add(1, crash_sample(2));
  EXPECT_TRUE(std::filesystem::exists(folder / "store.db-wal"));
  EXPECT_THAT(open_store(url)->find(all_of(1)), SizeIs(3));
}

TEST(SqliteConcurrency, SaysWhenAnotherProcessKeepsWriting) {
  const TempFolder folder;
  const std::string path = folder / "store.db";
  const auto busy = open_store("sqlite:" + path);
  const std::int64_t profile = open_sample_profile(*busy);
  SqlStoreOptions options;
  options.wait.patience = std::chrono::milliseconds{20};
  const auto waiting = open_sql_store("sqlite:" + path, Access::write, options);
  busy->atomically([&] {
    busy->add(profile, crash_sample(0));
    const Thrown thrown = thrown_by([&] { waiting->add(profile, crash_sample(1)); });
    EXPECT_EQ(thrown.code, ErrorCode::failed);
    EXPECT_THAT(thrown.message, HasSubstr(path));
  });
  waiting->add(profile, crash_sample(1));
  EXPECT_THAT(waiting->find(all_of(profile)), SizeIs(2));
}

// A limit on file sizes stands for a full disk: the write fails in the same place.
TEST(SqliteCrash, SaysThatTheDiskIsFullAndKeepsWhatIsStored) {
  const TempFolder folder;
  const std::string path = folder / "store.db";
  const std::string outcome = in_child([&]() -> std::string {
    const auto store = open_store("sqlite:" + path);
    const std::int64_t profile = open_sample_profile(*store);
    store->add(profile, crash_sample(0));
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, 200'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 1; i < 1000; ++i) store->add(profile, crash_sample(i));
    return "never full";
  });
  EXPECT_THAT(outcome, StartsWith("failed: "));
  EXPECT_THAT(outcome, HasSubstr(path));
  EXPECT_THAT(outcome, HasSubstr("free some space"));

  const auto store = open_store("sqlite:" + path);
  const std::int64_t profile = open_sample_profile(*store);
  const std::vector<Observation> found = store->find(all_of(profile));
  ASSERT_GE(found.size(), 1U);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(text_of(found[i]), text_of(crash_sample(static_cast<int>(i))));
  store->add(profile, crash_sample(static_cast<int>(found.size())));
  EXPECT_THAT(store->find(all_of(profile)), SizeIs(found.size() + 1));
}

TEST(SqliteCrash, GoesOnInTheSameConnectionOnceThereIsSpaceAgain) {
  const TempFolder folder;
  const std::string outcome = in_child([&]() -> std::string {
    const auto store = open_store("sqlite:" + (folder / "store.db"));
    const std::int64_t profile = open_sample_profile(*store);
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{200'000, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::size_t stored = 0;
    try {
      for (;; ++stored) store->add(profile, crash_sample(static_cast<int>(stored)));
    } catch (const Error&) {
      limit.rlim_cur = RLIM_INFINITY;
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    store->add(profile, crash_sample(static_cast<int>(stored)));
    const std::size_t found = store->find(all_of(profile)).size();
    return found == stored + 1 ? "went on" : "lost some";
  });
  EXPECT_EQ(outcome, "went on");
}

}  // namespace
}  // namespace ampere
