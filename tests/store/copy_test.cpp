// Copies of whole stores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "../support/postgres_server.h"
#include "child.h"
#include "samples.h"
#include "store/copy_store.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using testing_support::PostgresServer;

void fill(Store& store, int observations) {
  const std::int64_t profile = open_sample_profile(store);
  store.atomically([&] {
    for (int i = 0; i < observations; ++i)
      store.add(profile, sample_observation("conv", 1 + i % 7, 1.0 + i / 2));
  });
  store.add(profile, sample_failure());
  store.add(profile, {sample_timing(), sample_timing(), sample_failed_timing("too large")});
  store.put_fit(profile, {"conv", "a fit"});
  store.put_document(profile, {"evaluation", "{}"});
  const std::int64_t other = store.open_profile(sample_device("other"), sample_setup(), "cmd:x");
  store.put_document(other, {"laws", "[]"});
}

// Everything that can be seen of a store but its ids.
std::vector<std::string> contents(const std::string& url) {
  const auto store = open_store(url, Access::read);
  std::vector<std::string> all;
  for (const ProfileRow& row : store->profiles()) {
    all.push_back(row.device.name + row.rig + std::to_string(row.observations));
    for (const std::string& text : texts_of(store->find(all_of(row.id)))) all.push_back(text);
    for (const std::string& text : texts_of(store->timings(row.id))) all.push_back(text);
    for (const StoredFit& fit : store->fits(row.id)) all.push_back(fit.kind + fit.text);
    for (const StoredDocument& text : store->documents(row.id))
      all.push_back(text.name + text.text);
  }
  return all;
}

// Asserts that copying adds nothing, so that both are equal.
void expect_complete(const std::string& from, const std::string& to) {
  Listener quiet;
  for (const CopiedProfile& profile : copy_store(from, to, {}, quiet)) {
    EXPECT_EQ(profile.digest, profile.target_digest);
    EXPECT_EQ(profile.added.observations + profile.added.timings + profile.added.fits +
                  profile.added.documents,
              0);
  }
  EXPECT_EQ(contents(from), contents(to));
}

// To a file, and to a server.
class CopyStore : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    from_ = "sqlite:" + (folder_ / "from.db");
    to_ = "sqlite:" + (folder_ / "to.db");
    if (GetParam() != std::string("postgresql")) return;
    AMPERE_NEEDS_POSTGRES();
    to_ = PostgresServer::shared().new_schema();
  }

  TempFolder folder_;
  std::string from_, to_;
  Listener quiet_;
};

TEST_P(CopyStore, CopiesEverythingThereAndBack) {
  fill(*open_store(from_), 500);
  const std::vector<CopiedProfile> copied = copy_store(from_, to_, {}, quiet_);
  ASSERT_THAT(copied, SizeIs(2));
  EXPECT_EQ(copied[0].found.observations, 501);
  EXPECT_EQ(copied[0].added.observations, 501);
  EXPECT_EQ(copied[0].added.timings, 3);
  expect_complete(from_, to_);
  const std::string back = "sqlite:" + (folder_ / "back.db");
  copy_store(to_, back, {}, quiet_);
  expect_complete(from_, back);
}

TEST_P(CopyStore, AddsOnlyWhatIsMissing) {
  fill(*open_store(from_), 40);
  copy_store(from_, to_, {}, quiet_);
  {
    const auto store = open_store(from_);
    store->add(open_sample_profile(*store), sample_observation("linear", 3, 9));
    store->put_fit(open_sample_profile(*store), {"linear", "another fit"});
  }
  const std::vector<CopiedProfile> again = copy_store(from_, to_, {}, quiet_);
  std::int64_t observations = 0, fits = 0, timings = 0;
  for (const CopiedProfile& profile : again) {
    observations += profile.added.observations;
    fits += profile.added.fits;
    timings += profile.added.timings;
  }
  EXPECT_EQ(observations, 1);
  EXPECT_EQ(fits, 1);
  EXPECT_EQ(timings, 0);
}

TEST_P(CopyStore, KeepsWhatTheTargetHasBesides) {
  fill(*open_store(from_), 10);
  {
    const auto store = open_store(to_);
    const std::int64_t profile = open_sample_profile(*store);
    store->add(profile, sample_observation("linear", 3, 9));
    store->put_fit(profile, {"conv", "its own"});
  }
  const std::vector<CopiedProfile> copied = copy_store(from_, to_, {}, quiet_);
  EXPECT_EQ(copied.at(0).found.observations, 11);
  EXPECT_NE(copied[0].digest, copied[0].target_digest);
  const auto store = open_store(to_, Access::read);
  for (const ProfileRow& row : store->profiles())
    if (row.device.name == sample_device().name) {
      EXPECT_THAT(store->find(all_of(row.id)), SizeIs(12));
      EXPECT_EQ(store->fits(row.id, {"conv"}).at(0).text, "its own");
    }
}

// Killed again and again after a batch, until it is through.
TEST_P(CopyStore, GoesOnAfterKillsAndDoublesNothing) {
  fill(*open_store(from_), 900);
  struct Telling : Listener {
    int out;
    explicit Telling(int pipe) : out(pipe) {}
    void progress(const Progress&) override {
      if (write(out, ".", 1) != 1) _exit(1);
    }
  };
  for (int round = 0; round < 3; ++round) {
    Worker copier([&](int out) {
      Telling telling(out);
      copy_store(from_, to_, {}, telling);
    });
    copier.read(1);
    copier.kill();
  }
  copy_store(from_, to_, {}, quiet_);
  EXPECT_EQ(open_store(to_)->profiles().size(), 2U);
  expect_complete(from_, to_);
}

TEST_P(CopyStore, RefusesToCopyAStoreOntoItself) {
  fill(*open_store(from_), 3);
  copy_store(from_, to_, {}, quiet_);
  std::string same = to_;
  if (to_.starts_with("sqlite:")) {
    std::filesystem::create_symlink(folder_ / "to.db", folder_ / "same.db");
    same = "sqlite:" + (folder_ / "same.db");
  } else {
    same += "&application_name=other";
  }
  for (const std::string& other : {to_, same}) {
    const Thrown thrown = thrown_by([&] { copy_store(to_, other, {}, quiet_); });
    EXPECT_EQ(thrown.code, ErrorCode::usage);
    EXPECT_THAT(thrown.message, HasSubstr("the same store"));
  }
}

TEST_P(CopyStore, NeedsTwoStoresThatLast) {
  EXPECT_EQ(thrown_by([&] { copy_store("memory:", to_, {}, quiet_); }).code, ErrorCode::usage);
  EXPECT_EQ(thrown_by([&] { copy_store(to_, "memory:", {}, quiet_); }).code, ErrorCode::usage);
  EXPECT_EQ(thrown_by([&] { copy_store(from_, to_, {}, quiet_); }).code, ErrorCode::unknown);
}

std::string target_name(const ::testing::TestParamInfo<const char*>& param_info) {
  return param_info.param;
}
INSTANTIATE_TEST_SUITE_P(Stores, CopyStore, ::testing::Values("sqlite"), target_name);
INSTANTIATE_TEST_SUITE_P(Postgres, CopyStore, ::testing::Values("postgresql"), target_name);

}  // namespace
}  // namespace ampere
