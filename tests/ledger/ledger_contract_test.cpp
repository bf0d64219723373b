// What the ledger promises, whatever database it is in.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "../support/each_database.h"
#include "../support/error_of.h"
#include "base/utc.h"
#include "ledger/ledger.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing_support::error_of;

const char* kVision = "project:vision";
const char* kAna = "user:ana";

class LedgerContract : public testing_support::EachDatabase {
 protected:
  void SetUp() override {
    EachDatabase::SetUp();
    if (!database_) return;
    ledger_.emplace(database_);
    ledger_->grant(kVision, {100});
    ledger_->grant(kAna, {50});
  }

  // Every test ends with books that add up.
  void TearDown() override {
    if (!ledger_) return;
    EXPECT_THAT(ledger_->audit().differences, IsEmpty());
    EXPECT_THAT(ledger_->audit().overdrawn, IsEmpty());
  }

  void expect_account(const char* name, double granted, double reserved, double spent) {
    const Account account = ledger_->account(name);
    EXPECT_DOUBLE_EQ(account.granted.value, granted) << name;
    EXPECT_DOUBLE_EQ(account.reserved.value, reserved) << name;
    EXPECT_DOUBLE_EQ(account.spent.value, spent) << name;
  }

  std::optional<Ledger> ledger_;
};
INSTANTIATE_FOR_EACH_DATABASE(LedgerContract);

TEST_P(LedgerContract, GrantsAddUp) {
  ledger_->grant(kVision, {0.0014});
  expect_account(kVision, 100.001, 0, 0);
  ledger_->grant(kVision, {-100.001});
  expect_account(kVision, 0, 0, 0);
  ASSERT_THAT(ledger_->accounts(), SizeIs(2));
  EXPECT_EQ(ledger_->accounts()[0].name, kVision);
}

TEST_P(LedgerContract, TakesBackOnlyWhatIsFree) {
  ledger_->reserve("a", {70}, {kVision});
  const Error error = error_of([&] { ledger_->grant(kVision, {-30.001}); });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("30.001 J cannot be taken back, because only 30 J is free"));
  ledger_->grant(kVision, {-30});
  expect_account(kVision, 70, 70, 0);
  EXPECT_EQ(error_of([&] { ledger_->grant("user:nobody", {-1}); }).code(), ErrorCode::unknown);
}

TEST_P(LedgerContract, ReservesFromAllAccountsOrNone) {
  ledger_->reserve("a", {40}, {kVision, kAna});
  expect_account(kVision, 100, 40, 0);
  expect_account(kAna, 50, 40, 0);
  const Error error = error_of([&] { ledger_->reserve("b", {40}, {kVision, kAna}); });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("b cannot be reserved: user:ana lacks 30 J: 40 J is "
                                            "asked for, and 10 J is free of a grant of 50 J")));
  EXPECT_FALSE(ledger_->find("b"));
  expect_account(kVision, 100, 40, 0);
  ledger_->reserve("b", {10}, {kVision, kAna});
  expect_account(kAna, 50, 50, 0);
}

TEST_P(LedgerContract, NamesEveryAccountThatLacksEnergy) {
  const Error error = error_of([&] { ledger_->reserve("a", {120}, {kVision, kAna}); });
  EXPECT_THAT(error.what(),
              AllOf(HasSubstr("project:vision lacks 20 J"), HasSubstr("user:ana lacks 70 J")));
}

TEST_P(LedgerContract, ReservesManyAtOnceOrNone) {
  std::vector<Reservation> many;
  for (int i = 0; i < 700; ++i) many.push_back({"job" + std::to_string(i), {0.1}, {kVision}});
  ledger_->reserve(many);
  expect_account(kVision, 100, 70, 0);
  for (Reservation& each : many) each.job += "-again";
  const Error error = error_of([&] { ledger_->reserve(many); });
  EXPECT_THAT(error.what(),
              AllOf(HasSubstr("700 jobs cannot be reserved: project:vision lacks 40 J"),
                    HasSubstr("(the first 300 of its jobs would fit)")));
  expect_account(kVision, 100, 70, 0);
  EXPECT_FALSE(ledger_->find("job0-again"));
}

TEST_P(LedgerContract, ReservingTwiceIsReservingOnce) {
  ledger_->reserve("a", {40}, {kVision, kAna});
  ledger_->reserve("a", {40}, {kAna, kVision});
  ledger_->reserve({{"a", {40}, {kAna, kVision}}, {"b", {5}, {kAna}}});
  expect_account(kAna, 50, 45, 0);
  const Error other = error_of([&] { ledger_->reserve("a", {41}, {kVision, kAna}); });
  EXPECT_EQ(other.code(), ErrorCode::failed);
  EXPECT_THAT(other.what(), HasSubstr("a has a reservation already, of 40 J"));
  EXPECT_EQ(error_of([&] { ledger_->reserve("a", {40}, {kVision}); }).code(), ErrorCode::failed);
  ledger_->settle("a", {3}, Settled::measured);
  ledger_->reserve("a", {40}, {kVision, kAna});
  expect_account(kAna, 50, 5, 3);
}

TEST_P(LedgerContract, DrawsNeverMoreThanWasReserved) {
  ledger_->reserve("a", {40}, {kVision});
  EXPECT_EQ(ledger_->draw("a", {10}).value, 10);
  EXPECT_EQ(ledger_->draw("a", {25.0001}).value, 25.001) << "rounded up";
  EXPECT_EQ(ledger_->draw("a", {5}).value, 25.001) << "never lowered";
  EXPECT_EQ(ledger_->draw("a", {1000}).value, 40);
  expect_account(kVision, 100, 40, 0);
}

TEST_P(LedgerContract, GivesBackWhatWasDrawnAndNotUsed) {
  ledger_->reserve("a", {40}, {kVision});
  ledger_->draw("a", {30});
  ledger_->return_drawn("a", {12.5});
  EXPECT_EQ(ledger_->find("a")->drawn.value, 12.5);
  const Error error = error_of([&] { ledger_->return_drawn("a", {12.6}); });
  EXPECT_THAT(error.what(), HasSubstr("a has used 12.6 J, and it had drawn only 12.5 J"));
  ledger_->settle_assumed("a");
  expect_account(kVision, 100, 0, 12.5);
}

TEST_P(LedgerContract, SettlesOnceAndFreesTheRest) {
  ledger_->reserve("a", {40}, {kVision, kAna});
  ledger_->draw("a", {20});
  ledger_->settle("a", {17.25}, Settled::simulated);
  expect_account(kVision, 100, 0, 17.25);
  expect_account(kAna, 50, 0, 17.25);
  ledger_->settle("a", {17.25}, Settled::simulated);
  expect_account(kAna, 50, 0, 17.25);
  const auto status = ledger_->find("a");
  EXPECT_EQ(status->state, ReservationState::settled);
  EXPECT_EQ(status->how, Settled::simulated);
  for (const auto& late : std::vector<std::function<void()>>{
           [&] { ledger_->settle("a", {17}, Settled::simulated); },
           [&] { ledger_->settle("a", {17.25}, Settled::assumed); },
           [&] { ledger_->settle_assumed("a"); }, [&] { ledger_->draw("a", {30}); },
           [&] { ledger_->return_drawn("a", {1}); }, [&] { ledger_->release("a"); }}) {
    const Error error = error_of(late);
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_THAT(error.what(), HasSubstr("was settled already with 17.25 J (simulated)"));
  }
}

TEST_P(LedgerContract, ALostJobHasSpentAllThatItDrew) {
  ledger_->reserve("a", {40}, {kVision});
  ledger_->draw("a", {13});
  ledger_->settle_assumed("a");
  ledger_->settle_assumed("a");
  expect_account(kVision, 100, 0, 13);
  EXPECT_EQ(ledger_->find("a")->how, Settled::assumed);
}

TEST_P(LedgerContract, ReleasesOnlyWhatNeverDrew) {
  ledger_->reserve({{"a", {40}, {kVision}}, {"b", {40}, {kVision}}});
  ledger_->draw("b", {1});
  ledger_->release("a");
  ledger_->release("a");
  expect_account(kVision, 100, 40, 0);
  EXPECT_THAT(error_of([&] { ledger_->release("b"); }).what(),
              HasSubstr("b cannot be released, because it has drawn 1 J"));
  EXPECT_EQ(ledger_->find("b")->state, ReservationState::open);
}

TEST_P(LedgerContract, BooksWhatWasReallyUsedAndNamesWhoUsedTooMuch) {
  ledger_->reserve("greedy", {10}, {kVision});
  ledger_->draw("greedy", {10});
  ledger_->settle("greedy", {12}, Settled::measured);
  expect_account(kVision, 100, 0, 12);
  EXPECT_THAT(ledger_->audit().overspent,
              ElementsAre("greedy: spent 12 J, drawn 10 J, reserved 10 J"));
}

TEST_P(LedgerContract, AnAuditFindsWhatWasChangedBehindItsBack) {
  ledger_->reserve("a", {40}, {kVision});
  ledger_->draw("a", {4});
  EXPECT_TRUE(ledger_->audit().adds_up());
  EXPECT_EQ(ledger_->audit().entries, 4);
  EXPECT_EQ(ledger_->audit().accounts, 2);
  EXPECT_EQ(ledger_->audit().reservations, 1);
  const auto change = [&](const char* sql) {
    database_->atomically([&] { run(*database_, sql); });
    return ledger_->audit().differences;
  };
  EXPECT_THAT(change("UPDATE ledger_account SET granted_mj = granted_mj + 1 WHERE name LIKE 'p%'"),
              ElementsAre("project:vision: 100.001 J granted, and 100 J by the journal"));
  change("UPDATE ledger_account SET granted_mj = granted_mj - 1 WHERE name LIKE 'p%'");
  EXPECT_THAT(change("UPDATE ledger_reservation SET drawn_mj = 5000"),
              ElementsAre("a: 5 J drawn, and 4 J by the journal"));
  change("UPDATE ledger_reservation SET drawn_mj = 4000");
  EXPECT_THAT(change("UPDATE ledger_reservation SET most_mj = 39000"), SizeIs(2));
  change("UPDATE ledger_reservation SET most_mj = 40000");
  EXPECT_THAT(change("UPDATE ledger_journal SET reserved_mj = 41000 WHERE what = 'reserve'"),
              SizeIs(2));
  change("UPDATE ledger_journal SET reserved_mj = 40000 WHERE what = 'reserve'");
}

TEST_P(LedgerContract, WritesAJournal) {
  ledger_->reserve("a", {40}, {kVision, kAna});
  ledger_->draw("a", {4});
  ledger_->settle("a", {3}, Settled::measured);
  std::vector<std::string> lines;
  for (const JournalEntry& entry : ledger_->journal())
    lines.push_back(entry.what + " " + entry.account + " " + entry.job + " " + entry.how);
  EXPECT_THAT(lines, ElementsAre("grant project:vision  ", "grant user:ana  ",
                                 "reserve project:vision a ", "reserve user:ana a ", "draw  a ",
                                 "settle project:vision a measured", "settle user:ana a measured"));
  const std::vector<JournalEntry> two = ledger_->journal(ledger_->journal()[2].number, 2);
  ASSERT_THAT(two, SizeIs(2));
  EXPECT_EQ(two[0].what, "reserve");
  EXPECT_EQ(two[0].reserved.value, 40);
  EXPECT_EQ(two[1].amount.value, 4);
  EXPECT_TRUE(parse_utc(two[0].at)) << two[0].at;
  EXPECT_GT(two[0].at, "2024");
}

TEST_P(LedgerContract, RefusesAmountsThatAreNone) {
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity(), 1e13}) {
    EXPECT_EQ(error_of([&] { ledger_->reserve("a", {bad}, {kVision}); }).code(), ErrorCode::usage);
    EXPECT_EQ(error_of([&] { ledger_->draw("a", {bad}); }).code(), ErrorCode::usage);
    EXPECT_EQ(error_of([&] { ledger_->settle("a", {bad}, Settled::measured); }).code(),
              ErrorCode::usage);
    if (bad >= 0 || bad != bad) {
      EXPECT_EQ(error_of([&] { ledger_->grant(kVision, {bad}); }).code(), ErrorCode::usage);
    }
  }
  EXPECT_EQ(error_of([&] { ledger_->grant(kVision, {0}); }).code(), ErrorCode::usage);
  EXPECT_THAT(error_of([&] { ledger_->grant(kVision, {1e12}); }).what(),
              HasSubstr("it would exceed 1 TJ"));
}

TEST_P(LedgerContract, ManyHugeReservationsDoNotOverflow) {
  std::vector<Reservation> many;
  for (int i = 0; i < 12'000; ++i) many.push_back({"job" + std::to_string(i), {1e12}, {kVision}});
  EXPECT_EQ(error_of([&] { ledger_->reserve(many); }).code(), ErrorCode::failed);
  expect_account(kVision, 100, 0, 0);
}

TEST_P(LedgerContract, RefusesNamesThatAreNone) {
  for (const std::string bad : {"", "vision", ":vision", "project:", "project:a b", "a:b:c",
                                "project:\xff", "project:'; DROP TABLE ledger_account; --"}) {
    EXPECT_EQ(error_of([&] { ledger_->grant(bad, {1}); }).code(), ErrorCode::usage) << bad;
    EXPECT_EQ(error_of([&] { ledger_->reserve("a", {1}, {bad}); }).code(), ErrorCode::usage) << bad;
  }
  EXPECT_EQ(error_of([&] { ledger_->grant("user:" + std::string(300, 'x'), {1}); }).code(),
            ErrorCode::usage);
  for (const std::string& bad : {std::string(), std::string("a b"), std::string("a\nb"),
                                 std::string(300, 'x'), std::string("a\0b", 3)})
    EXPECT_EQ(error_of([&] { ledger_->reserve(bad, {1}, {kVision}); }).code(), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { ledger_->reserve("a", {1}, {}); }).code(), ErrorCode::usage);
  EXPECT_THAT(error_of([&] {
                ledger_->reserve("a", {1}, {kAna, kAna});
              }).what(),
              HasSubstr("a: the account user:ana is named twice"));
  EXPECT_THAT(error_of([&] {
                ledger_->reserve({{"a", {1}, {kAna}}, {"a", {1}, {kAna}}});
              }).what(),
              HasSubstr("a: two reservations are asked for"));
}

TEST_P(LedgerContract, SaysWhatDoesNotExist) {
  const Error error = error_of([&] { ledger_->reserve("a", {1}, {"project:visoin"}); });
  EXPECT_EQ(error.code(), ErrorCode::unknown);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("there is no account project:visoin"),
                                  HasSubstr("did you mean 'project:vision'?")));
  EXPECT_EQ(error_of([&] { ledger_->account("user:bob"); }).code(), ErrorCode::unknown);
  EXPECT_EQ(error_of([&] { ledger_->draw("none", {1}); }).code(), ErrorCode::unknown);
  EXPECT_EQ(error_of([&] { ledger_->settle("none", {1}, Settled::measured); }).code(),
            ErrorCode::unknown);
  EXPECT_EQ(error_of([&] { ledger_->settle_assumed("none"); }).code(), ErrorCode::unknown);
  EXPECT_EQ(error_of([&] { ledger_->release("none"); }).code(), ErrorCode::unknown);
  EXPECT_FALSE(ledger_->find("none"));
}

TEST_P(LedgerContract, IsReadByOthersWhoMayNotWrite) {
  ledger_->reserve("a", {1}, {kVision});
  Ledger reader(open(Access::read));
  EXPECT_EQ(reader.account(kVision).reserved.value, 1);
  EXPECT_TRUE(reader.audit().adds_up());
  EXPECT_EQ(error_of([&] { reader.grant(kVision, {1}); }).code(), ErrorCode::permission);
}

TEST_P(LedgerContract, AReservationBelongsToTheTransactionAroundIt) {
  EXPECT_THROW(database_->atomically([&] {
    ledger_->reserve("a", {40}, {kVision});
    throw std::runtime_error("no");
  }),
               std::runtime_error);
  EXPECT_FALSE(ledger_->find("a"));
  expect_account(kVision, 100, 0, 0);
}

}  // namespace
}  // namespace ampere
