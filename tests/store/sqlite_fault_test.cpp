// Disks that fail at the n-th write, for every n: the error says so, nothing that was stored is
// lost, what was not acknowledged is there whole or not at all, and it goes on after the repair.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "faulty_vfs.h"
#include "samples.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;

constexpr int kMost = 2000;  // operations; more than any change here takes

class SqliteFault : public ::testing::TestWithParam<DiskFault> {
 protected:
  static void expect_whole(const std::string& path) {
    EXPECT_EQ(run_sql(path, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
  }

  // Does `change` with a fault at every operation in turn, each time on a new store that `prepare`
  // has filled. Returns how many faults were tried.
  template <class Prepare, class Change, class Check>
  int fail_everywhere(const Prepare& prepare, const Change& change, const Check& check) {
    for (int nth = 1; nth < kMost; ++nth) {
      SCOPED_TRACE(nth);
      const std::string path = folder_ / (std::to_string(nth) + ".db");
      prepare(path);
      bool refused = false;
      {
        vfs_.fail_from(nth, GetParam());
        try {
          change(path);
        } catch (const Error& error) {
          refused = true;
          EXPECT_THAT(error.what(), HasSubstr(path));
          EXPECT_TRUE(error.code() == ErrorCode::failed || error.code() == ErrorCode::permission)
              << error.what();
          EXPECT_THAT(error.what(),
                      ::testing::AnyOf(HasSubstr("full"), HasSubstr("I/O"), HasSubstr("readonly")));
        }
      }
      const bool failed = vfs_.has_failed();
      vfs_.repair();
      expect_whole(path);
      check(path, refused);
      if (!failed) return nth - 1;
    }
    ADD_FAILURE() << "no end";
    return kMost;
  }

  const TempFolder folder_;
  FaultyVfs vfs_;
};

TEST_P(SqliteFault, AtAnyWriteOfAnObservationLosesNothing) {
  const int tried = fail_everywhere(
      [](const std::string& path) {
        const auto store = open_store("sqlite:" + path);
        store->add(open_sample_profile(*store), sample_observation("conv", 1));
      },
      [](const std::string& path) {
        const auto store = open_store("sqlite:" + path);
        store->add(open_sample_profile(*store), sample_observation("conv", 2));
      },
      [](const std::string& path, bool refused) {
        const auto store = open_store("sqlite:" + path);
        const std::int64_t profile = open_sample_profile(*store);
        std::vector<Observation> found = store->find(all_of(profile));
        ASSERT_GE(found.size(), 1U);
        EXPECT_EQ(text_of(found[0]), text_of(sample_observation("conv", 1)));
        if (found.size() == 1) {
          EXPECT_TRUE(refused) << "acknowledged, and lost";
        } else {
          EXPECT_EQ(text_of(found.at(1)), text_of(sample_observation("conv", 2)));
        }
        store->add(profile, sample_observation("conv", 3));
        EXPECT_EQ(store->find(all_of(profile)).size(), found.size() + 1);
      });
  EXPECT_GT(tried, 1);
}

// The same process, which still has the store open when there is space again.
TEST_P(SqliteFault, GoesOnInTheSameProcessAfterTheRepair) {
  for (int nth = 1; nth < kMost; ++nth) {
    SCOPED_TRACE(nth);
    const std::string path = folder_ / ("same" + std::to_string(nth) + ".db");
    const auto store = open_store("sqlite:" + path);
    const std::int64_t profile = open_sample_profile(*store);
    std::size_t acknowledged = 0;
    vfs_.fail_from(nth, GetParam());
    for (int i = 0; i < 3; ++i) {
      try {
        store->add(profile, sample_observation("conv", 1 + i));
        ++acknowledged;
      } catch (const Error&) {
      }
    }
    const bool failed = vfs_.has_failed();
    vfs_.repair();
    const std::size_t kept = store->find(all_of(profile)).size();
    EXPECT_GE(kept, acknowledged);
    store->add(profile, sample_observation("conv", 9));
    EXPECT_EQ(store->find(all_of(profile)).size(), kept + 1);
    expect_whole(path);
    if (!failed) return;
  }
  ADD_FAILURE() << "no end";
}

TEST_P(SqliteFault, AtAnyWriteOfANewStoreCanBeginAgain) {
  fail_everywhere([](const std::string&) {},
                  [](const std::string& path) {
                    const auto store = open_store("sqlite:" + path);
                    store->add(open_sample_profile(*store), sample_observation());
                  },
                  [](const std::string& path, bool) {
                    const auto store = open_store("sqlite:" + path);
                    const std::int64_t profile = open_sample_profile(*store);
                    const std::size_t kept = store->find(all_of(profile)).size();
                    EXPECT_LE(kept, 1U);
                    store->add(profile, sample_observation());
                    EXPECT_EQ(store->find(all_of(profile)).size(), kept + 1);
                  });
}

TEST_P(SqliteFault, AtAnyWriteOfSeveralChangesTogetherKeepsAllOrNone) {
  fail_everywhere(
      [](const std::string& path) {
        const auto store = open_store("sqlite:" + path);
        open_sample_profile(*store);
      },
      [](const std::string& path) {
        const auto store = open_store("sqlite:" + path);
        const std::int64_t profile = open_sample_profile(*store);
        store->atomically([&] {
          store->add(profile, sample_observation());
          store->add(profile, {sample_timing("conv", 4), sample_timing("conv", 5)});
          store->put_fit(profile, {"conv", "a fit"});
        });
      },
      [](const std::string& path, bool) {
        const auto store = open_store("sqlite:" + path);
        const std::int64_t profile = open_sample_profile(*store);
        const std::size_t kept = store->find(all_of(profile)).size();
        EXPECT_EQ(store->timings(profile).size(), 2 * kept);
        EXPECT_EQ(store->fits(profile).size(), kept);
      });
}

std::string name_of_fault(const ::testing::TestParamInfo<DiskFault>& fault) {
  constexpr const char* kNames[] = {"Full", "Write", "Sync", "ReadOnly"};
  return kNames[static_cast<int>(fault.param)];
}

INSTANTIATE_TEST_SUITE_P(Store, SqliteFault,
                         ::testing::Values(DiskFault::full, DiskFault::write, DiskFault::sync,
                                           DiskFault::read_only),
                         name_of_fault);

}  // namespace
}  // namespace ampere
