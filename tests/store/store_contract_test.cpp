// What every store promises, whatever it keeps its values in.
#include <gmock/gmock.h>

#include <limits>

#include "each_store.h"

namespace ampere {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class StoreContract : public EachStore {};

TEST_P(StoreContract, IsEmptyAtFirst) { EXPECT_THAT(store_->profiles(), IsEmpty()); }

TEST_P(StoreContract, OpensOneProfilePerDeviceAndSetup) {
  const std::int64_t first = store_->open_profile(sample_device(), sample_setup(), "local");
  EXPECT_EQ(store_->open_profile(sample_device(), sample_setup(), "cpu"), first);
  EXPECT_NE(store_->open_profile(sample_device("other"), sample_setup(), "local"), first);
  EXPECT_NE(store_->open_profile(sample_device(), sample_setup(20), "local"), first);
  EXPECT_THAT(store_->profiles(), SizeIs(3));
}

TEST_P(StoreContract, GivesBackDeviceSetupAndRig) {
  auto setup = sample_setup(32);
  setup.optimizer = Optimizer::adam;
  setup.precision = "bf16";
  store_->open_profile(sample_device("Gerät"), setup, "cmd:ssh jetson 'ampere-runner'");
  const std::vector<ProfileRow> rows = store_->profiles();
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].device.name, "Gerät");
  EXPECT_EQ(rows[0].device.fingerprint, sample_device("Gerät").fingerprint);
  EXPECT_EQ(rows[0].setup, setup);
  EXPECT_EQ(rows[0].rig, "cmd:ssh jetson 'ampere-runner'");
  EXPECT_EQ(rows[0].updated_at.size(), std::string("2026-01-31T12:00:00Z").size());
}

TEST_P(StoreContract, DoesNotBelieveAFingerprint) {
  DeviceInfo device = sample_device();
  device.fingerprint = "0000000000000000";
  const std::int64_t profile = store_->open_profile(device, sample_setup(), "local");
  EXPECT_EQ(profile, open_sample_profile(*store_));
  EXPECT_EQ(store_->profiles().at(0).device.fingerprint, sample_device().fingerprint);
}

TEST_P(StoreContract, GivesBackObservationsExactlyAndInOrder) {
  const std::int64_t profile = open_sample_profile(*store_);
  std::vector<Observation> added;
  for (int i = 0; i < 5; ++i)
    added.push_back(sample_observation(i % 2 ? "conv" : "linear", 4 + i, 1.0 / (3 + i)));
  added.push_back(sample_failure("the runner died: signal 9"));
  for (const Observation& observation : added) store_->add(profile, observation);
  EXPECT_EQ(texts_of(store_->find(all_of(profile))), texts_of(added));
}

TEST_P(StoreContract, KeepsEqualObservationsApart) {
  const std::int64_t profile = open_sample_profile(*store_);
  store_->add(profile, sample_observation());
  store_->add(profile, sample_observation());
  EXPECT_THAT(store_->find(all_of(profile)), SizeIs(2));
}

TEST_P(StoreContract, FindsByKindAndByModel) {
  const std::int64_t profile = open_sample_profile(*store_);
  const std::int64_t other = store_->open_profile(sample_device(), sample_setup(20), "local");
  store_->add(profile, sample_observation("conv", 4));
  store_->add(profile, sample_observation("conv", 5));
  store_->add(profile, sample_observation("linear", 5));
  store_->add(profile, sample_observation("", 5));
  Observation elsewhere = sample_observation("conv", 5);
  elsewhere.setup = sample_setup(20);
  store_->add(other, elsewhere);

  const std::string hash = model_hash(sample_model(5));
  EXPECT_THAT(store_->find({.profile = profile, .purpose = Purpose::variant, .kind = "conv"}),
              SizeIs(2));
  EXPECT_THAT(store_->find({.profile = profile, .purpose = Purpose::network}), SizeIs(1));
  EXPECT_THAT(store_->find({.profile = profile, .model_hash = hash}), SizeIs(3));
  EXPECT_THAT(
      store_->find(
          {.profile = profile, .purpose = Purpose::variant, .kind = "conv", .model_hash = hash}),
      SizeIs(1));
  EXPECT_THAT(store_->find({.profile = profile, .purpose = Purpose::network, .model_hash = hash}),
              SizeIs(1));
  EXPECT_THAT(store_->find({.profile = profile, .purpose = Purpose::variant, .kind = "con"}),
              IsEmpty());
  EXPECT_THAT(store_->find({.profile = profile, .model_hash = ""}), IsEmpty());
  EXPECT_THAT(store_->find({.profile = profile,
                            .purpose = Purpose::variant,
                            .kind = "linear",
                            .model_hash = model_hash(sample_model(4))}),
              IsEmpty());
  EXPECT_EQ(text_of(store_
                        ->find({.profile = profile,
                                .purpose = Purpose::variant,
                                .kind = "conv",
                                .model_hash = hash})
                        .at(0)),
            text_of(sample_observation("conv", 5)));
}

TEST_P(StoreContract, FindsWithoutReadingModels) {
  const std::int64_t profile = open_sample_profile(*store_);
  store_->add(profile, sample_observation("conv", 5));
  const Query query{
      .profile = profile, .model_hash = model_hash(sample_model(5)), .with_models = false};
  const std::vector<Observation> found = store_->find(query);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_TRUE(found[0].model.layers().empty());
  const Observation expected = sample_observation("conv", 5);
  EXPECT_EQ(found[0].measurement->energy_j.mean, expected.measurement->energy_j.mean);
  EXPECT_EQ(found[0].features, expected.features);
}

TEST_P(StoreContract, FindsByPurpose) {
  const std::int64_t profile = open_sample_profile(*store_);
  const std::vector<Purpose> all = {Purpose::network, Purpose::variant, Purpose::test,
                                    Purpose::check,   Purpose::kernel,  Purpose::fusion,
                                    Purpose::overhead};
  for (const Purpose purpose : all) {
    store_->add(profile, sample_of(purpose, "conv"));
    store_->add(profile, sample_of(purpose, "linear"));
  }
  const std::string hash = model_hash(sample_model(4));
  for (const Purpose purpose : all) {
    const std::vector<std::string> both =
        texts_of({sample_of(purpose, "conv"), sample_of(purpose, "linear")});
    EXPECT_EQ(texts_of(store_->find({.profile = profile, .purpose = purpose})), both);
    EXPECT_EQ(texts_of(store_->find({.profile = profile, .purpose = purpose, .model_hash = hash})),
              both);
    EXPECT_THAT(store_->find({.profile = profile, .purpose = purpose, .most = 1}), SizeIs(1));
    const std::size_t of_kind = has_kind(purpose) ? 1 : 0;
    EXPECT_THAT(store_->find({.profile = profile, .purpose = purpose, .kind = "linear"}),
                SizeIs(of_kind));
    EXPECT_THAT(store_->find({.profile = profile, .purpose = purpose, .kind = ""}),
                SizeIs(2 - 2 * of_kind));
  }
  EXPECT_THAT(store_->find({.profile = profile, .kind = "conv"}), SizeIs(3));
  EXPECT_THAT(store_->find({.profile = profile, .kind = "conv", .model_hash = hash}), SizeIs(3));
  EXPECT_THAT(store_->find({.profile = profile, .purpose = Purpose::test, .model_hash = "none"}),
              IsEmpty());
}

TEST_P(StoreContract, GivesSeveralKindsOfAPurposeInTheOrderTheyWereAdded) {
  const std::int64_t profile = open_sample_profile(*store_);
  const std::vector<Observation> kernels = {
      sample_of(Purpose::kernel, "conv"), sample_of(Purpose::kernel, "relu"),
      sample_of(Purpose::kernel, "conv"), sample_of(Purpose::kernel, "add")};
  for (const Observation& kernel : kernels) store_->add(profile, kernel);
  EXPECT_EQ(texts_of(store_->find({.profile = profile, .purpose = Purpose::kernel})),
            texts_of(kernels));
}

TEST_P(StoreContract, KeepsRoundWidths) {
  const std::int64_t profile = open_sample_profile(*store_);
  Observation round = sample_observation("");
  round.round_widths = true;
  store_->add(profile, sample_observation(""));
  store_->add(profile, round);
  EXPECT_EQ(texts_of(store_->find(all_of(profile))), texts_of({sample_observation(""), round}));
}

TEST_P(StoreContract, RefusesAKindThatDoesNotFitThePurpose) {
  const std::int64_t profile = open_sample_profile(*store_);
  Observation network = sample_observation("");
  network.kind = "conv";
  Observation variant = sample_observation("conv");
  variant.kind.clear();
  for (const Observation& wrong : {network, variant})
    EXPECT_EQ(thrown_by([&] { store_->add(profile, wrong); }).code, ErrorCode::usage);
  EXPECT_THAT(store_->find(all_of(profile)), IsEmpty());
}

TEST_P(StoreContract, FindsTheFirstSoMany) {
  const std::int64_t profile = open_sample_profile(*store_);
  for (const int width : {4, 5, 6}) store_->add(profile, sample_observation("conv", width));
  const auto found =
      store_->find({.profile = profile, .purpose = Purpose::variant, .kind = "conv", .most = 2});
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(text_of(found[1]), text_of(sample_observation("conv", 5)));
  EXPECT_THAT(
      store_->find({.profile = profile, .purpose = Purpose::variant, .kind = "conv", .most = 9}),
      SizeIs(3));
  EXPECT_THAT(store_->find({.profile = profile, .most = 0}), IsEmpty());
}

TEST_P(StoreContract, KeepsTheNamesOfModelsThatCostTheSame) {
  const std::int64_t profile = open_sample_profile(*store_);
  for (const char* name : {"first", "second", "first"}) {
    Observation observation = sample_observation();
    observation.model = sample_model(4, name);
    store_->add(profile, observation);
  }
  std::vector<std::string> names;
  for (const Observation& found :
       store_->find({.profile = profile, .model_hash = model_hash(sample_model(4))}))
    names.push_back(found.model.name());
  EXPECT_THAT(names, ElementsAre("first", "second", "first"));
}

TEST_P(StoreContract, CountsKindsObservationsAndFailures) {
  const std::int64_t profile = open_sample_profile(*store_);
  store_->add(profile, sample_observation("conv"));
  store_->add(profile, sample_observation("conv"));
  store_->add(profile, sample_observation(""));
  store_->add(profile, sample_failure());
  store_->put_fit(profile, {"conv", "{}"});
  store_->put_fit(profile, {"linear", "{}"});
  const ProfileRow row = store_->profiles().at(0);
  EXPECT_EQ(row.kinds, 2);
  EXPECT_EQ(row.observations, 4);
  EXPECT_EQ(row.failures, 1);
  EXPECT_EQ(row.tests, 0);
}

TEST_P(StoreContract, CountsTestsApart) {
  const std::int64_t profile = open_sample_profile(*store_);
  store_->add(profile, sample_observation("conv"));
  store_->add(profile, sample_of(Purpose::test));
  Observation failed = sample_failure();
  failed.purpose = Purpose::test;
  store_->add(profile, failed);
  const ProfileRow row = store_->profiles().at(0);
  EXPECT_EQ(row.kinds, 1);
  EXPECT_EQ(row.observations, 1);
  EXPECT_EQ(row.failures, 0);
  EXPECT_EQ(row.tests, 2);
  EXPECT_THAT(store_->find({.profile = profile, .purpose = Purpose::variant, .kind = "conv"}),
              SizeIs(1));
  EXPECT_THAT(store_->find({.profile = profile, .purpose = Purpose::test, .kind = "conv"}),
              SizeIs(2));
}

// Who asks which methods a profile answers by asks whether it has kinds of blocks.
TEST_P(StoreContract, CountsAsKindsOnlyThoseOfBlocks) {
  const std::int64_t profile = open_sample_profile(*store_);
  for (const Purpose purpose : {Purpose::network, Purpose::test, Purpose::check, Purpose::kernel,
                                Purpose::fusion, Purpose::overhead})
    store_->add(profile, sample_of(purpose));
  const ProfileRow row = store_->profiles().at(0);
  EXPECT_EQ(row.kinds, 0);
  EXPECT_EQ(row.observations, 4);
  EXPECT_EQ(row.tests, 2) << "what is kept out of fits: the test and the check";
}

TEST_P(StoreContract, ListsTheLatestUpdatedFirst) {
  const std::int64_t first = open_sample_profile(*store_);
  const std::int64_t second = store_->open_profile(sample_device("b"), sample_setup(), "local");
  const std::int64_t third = store_->open_profile(sample_device("c"), sample_setup(), "local");
  const auto order = [&] {
    std::vector<std::int64_t> ids;
    for (const ProfileRow& row : store_->profiles()) ids.push_back(row.id);
    return ids;
  };
  EXPECT_THAT(order(), ElementsAre(third, second, first));
  store_->add(first, sample_observation());
  EXPECT_THAT(order(), ElementsAre(first, third, second));
  store_->put_fit(second, {"conv", "{}"});
  EXPECT_THAT(order(), ElementsAre(second, first, third));
}

TEST_P(StoreContract, ReplacesFitsAndGivesThoseAskedFor) {
  const std::int64_t profile = open_sample_profile(*store_);
  store_->put_fit(profile, {"b", "old"});
  store_->put_fit(profile, {"a", "of a"});
  store_->put_fit(profile, {"b", "new"});
  const auto pairs = [](const std::vector<StoredFit>& fits) {
    std::vector<std::string> texts;
    for (const StoredFit& fit : fits) texts.push_back(fit.kind + "=" + fit.text);
    return texts;
  };
  EXPECT_THAT(pairs(store_->fits(profile)), ElementsAre("a=of a", "b=new"));
  EXPECT_THAT(pairs(store_->fits(profile, {"b", "unknown", "a"})), ElementsAre("b=new", "a=of a"));
  EXPECT_THAT(store_->fits(profile, {}), IsEmpty());
}

TEST_P(StoreContract, ReplacesDocumentsAndGivesThemByName) {
  const std::int64_t profile = open_sample_profile(*store_);
  EXPECT_EQ(store_->document(profile, "evaluation"), std::nullopt);
  store_->put_document(profile, {"evaluation", "old"});
  store_->put_document(profile, {"a", "日本"});
  store_->put_document(profile, {"evaluation", "new"});
  EXPECT_EQ(store_->document(profile, "evaluation"), "new");
  ASSERT_THAT(store_->documents(profile), SizeIs(2));
  EXPECT_EQ(store_->documents(profile)[0].text, "日本");
  EXPECT_EQ(store_->profiles().at(0).kinds, 0) << "a document is no kind";
  EXPECT_EQ(thrown_by([&] { store_->put_document(profile, {"\xff", ""}); }).code, ErrorCode::usage);
}

TEST_P(StoreContract, DocumentsGoWithTheirProfile) {
  const std::int64_t profile = open_sample_profile(*store_);
  store_->put_document(profile, {"evaluation", "{}"});
  store_->remove_profile(profile);
  EXPECT_THAT(store_->documents(open_sample_profile(*store_)), IsEmpty());
}

TEST_P(StoreContract, KeepsHugeAndAwkwardTexts) {
  const std::int64_t profile = open_sample_profile(*store_);
  const std::string huge(3'000'000, 'x');
  const std::string awkward = std::string("'; DROP TABLE fit; --\n\0\"%s", 25) + "日本";
  store_->put_fit(profile, {awkward, huge});
  store_->put_fit(profile, {"", awkward});
  const std::vector<StoredFit> fits = store_->fits(profile, {awkward, ""});
  ASSERT_THAT(fits, SizeIs(2));
  EXPECT_EQ(fits[0].text, huge);
  EXPECT_EQ(fits[1].text, awkward);

  Observation observation = sample_failure(awkward + huge);
  observation.kind = awkward;
  store_->add(profile, observation);
  EXPECT_EQ(
      text_of(
          store_->find({.profile = profile, .purpose = Purpose::variant, .kind = awkward}).at(0)),
      text_of(observation));
}

TEST_P(StoreContract, MendsBrokenUtf8InMessagesAndRefusesItInKeys) {
  const std::int64_t profile = open_sample_profile(*store_);
  store_->add(profile, sample_failure("cut off in the middle: \xc3"));
  EXPECT_EQ(store_->find(all_of(profile)).at(0).failure, "cut off in the middle: \xef\xbf\xbd");
  EXPECT_EQ(thrown_by([&] { store_->put_fit(profile, {"\xff", "{}"}); }).code, ErrorCode::usage);
  EXPECT_EQ(thrown_by([&] { store_->put_fit(profile, {"conv", "\xff"}); }).code, ErrorCode::usage);
  EXPECT_THAT(store_->fits(profile), IsEmpty());
}

TEST_P(StoreContract, RefusesNumbersThatAreNot) {
  const std::int64_t profile = open_sample_profile(*store_);
  Observation observation = sample_observation();
  observation.measurement->energy_j.mean = std::numeric_limits<double>::quiet_NaN();
  const Thrown thrown = thrown_by([&] { store_->add(profile, observation); });
  EXPECT_EQ(thrown.code, ErrorCode::usage);
  EXPECT_THAT(thrown.message, HasSubstr("mean"));
  EXPECT_THAT(store_->find(all_of(profile)), IsEmpty());
  EXPECT_EQ(store_->profiles().at(0).observations, 0);
}

TEST_P(StoreContract, RefusesObservationsOfAnotherDeviceOrSetup) {
  const std::int64_t profile = open_sample_profile(*store_);
  Observation observation = sample_observation();
  observation.device = sample_device("other");
  EXPECT_EQ(thrown_by([&] { store_->add(profile, observation); }).code, ErrorCode::usage);
  observation = sample_observation();
  observation.setup = sample_setup(11);
  const Thrown thrown = thrown_by([&] { store_->add(profile, observation); });
  EXPECT_EQ(thrown.code, ErrorCode::usage);
  EXPECT_THAT(thrown.message, HasSubstr("batch 11"));
  EXPECT_THAT(store_->find(all_of(profile)), IsEmpty());
}

TEST_P(StoreContract, KnowsNoProfileThatWasNeverOpened) {
  for (const std::int64_t id : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{77},
                                std::numeric_limits<std::int64_t>::max()}) {
    const auto expect_unknown = [](const std::function<void()>& call) {
      EXPECT_EQ(thrown_by(call).code, ErrorCode::unknown);
    };
    expect_unknown([&] { store_->remove_profile(id); });
    expect_unknown([&] { store_->add(id, sample_observation()); });
    expect_unknown([&] { store_->find(all_of(id)); });
    expect_unknown([&] { store_->put_fit(id, {"conv", "{}"}); });
    expect_unknown([&] { store_->fits(id); });
    expect_unknown([&] { store_->fits(id, {"conv"}); });
    expect_unknown([&] { store_->put_document(id, {"evaluation", "{}"}); });
    expect_unknown([&] { store_->document(id, "evaluation"); });
    expect_unknown([&] { store_->documents(id); });
    expect_unknown([&] { export_profile(*store_, id); });
  }
  EXPECT_THAT(store_->profiles(), IsEmpty());
}

TEST_P(StoreContract, RemovesAProfileAndLeavesTheOthersWhole) {
  const std::int64_t kept = open_sample_profile(*store_);
  const std::int64_t removed = store_->open_profile(sample_device(), sample_setup(20), "local");
  store_->add(kept, sample_observation());
  Observation same_model = sample_observation();
  same_model.setup = sample_setup(20);
  store_->add(removed, same_model);
  store_->put_fit(removed, {"conv", "{}"});

  store_->remove_profile(removed);
  EXPECT_EQ(thrown_by([&] { store_->find(all_of(removed)); }).code, ErrorCode::unknown);
  ASSERT_THAT(store_->profiles(), SizeIs(1));
  EXPECT_EQ(texts_of(store_->find(all_of(kept))), texts_of({sample_observation()}));
}

TEST_P(StoreContract, NeverGivesTheIdOfARemovedProfileAgain) {
  const std::int64_t removed = open_sample_profile(*store_);
  store_->add(removed, sample_observation());
  store_->remove_profile(removed);
  const std::int64_t again = open_sample_profile(*store_);
  EXPECT_NE(again, removed);
  EXPECT_THAT(store_->find(all_of(again)), IsEmpty());
}

TEST_P(StoreContract, ChangesAllOrNothing) {
  const std::int64_t profile = open_sample_profile(*store_);
  store_->add(profile, sample_observation());
  const auto fail_late = [&] {
    store_->add(profile, sample_observation("linear", 9));
    store_->put_fit(profile, {"linear", "{}"});
    store_->open_profile(sample_device("other"), sample_setup(), "local");
    throw Error(ErrorCode::interrupted, "stopped");
  };
  EXPECT_EQ(thrown_by([&] { store_->atomically(fail_late); }).code, ErrorCode::interrupted);
  EXPECT_THAT(store_->find(all_of(profile)), SizeIs(1));
  EXPECT_THAT(store_->fits(profile), IsEmpty());
  ASSERT_THAT(store_->profiles(), SizeIs(1));
  EXPECT_EQ(store_->profiles()[0].observations, 1);
  EXPECT_EQ(store_->profiles()[0].kinds, 1);

  store_->atomically([&] { store_->add(profile, sample_observation("linear", 9)); });
  EXPECT_THAT(store_->find(all_of(profile)), SizeIs(2));
}

TEST_P(StoreContract, GoesOnAfterAFailureInsideALargerChange) {
  const std::int64_t profile = open_sample_profile(*store_);
  store_->atomically([&] {
    store_->add(profile, sample_observation());
    Observation foreign = sample_observation();
    foreign.setup = sample_setup(11);
    thrown_by([&] { store_->add(profile, foreign); });
    thrown_by([&] {
      store_->atomically([&] {
        store_->add(profile, sample_observation("undone"));
        throw Error(ErrorCode::failed, "inner");
      });
    });
    store_->add(profile, sample_failure());
  });
  EXPECT_EQ(texts_of(store_->find(all_of(profile))),
            texts_of({sample_observation(), sample_failure()}));
}

TEST_P(StoreContract, RefusesToWriteWhatWasOpenedForReading) {
  open_sample_profile(*store_);
  const auto store = open_store(url_, Access::read);
  const DeviceInfo other = sample_device("other");
  for (const auto& write : std::vector<std::function<void()>>{
           [&] { store->open_profile(other, sample_setup(), "local"); },
           [&] { store->add(1, sample_observation()); },
           [&] {
             store->put_fit(1, {"conv", "{}"});
           },
           [&] { store->remove_profile(1); }, [&] { store->atomically([] {}); }})
    EXPECT_EQ(thrown_by(write).code, ErrorCode::permission);
}

INSTANTIATE_FOR_EACH_STORE(StoreContract);

TEST(OpenStore, TellsTheKnownSchemes) {
  for (const char* url : {"", "store.db", "/tmp/store.db", "postgresql:db", "mysql://host/db",
                          "memory", "memory:x", "SQLITE:x", ":memory:"}) {
    const Thrown thrown = thrown_by([&] { open_store(url); });
    EXPECT_EQ(thrown.code, ErrorCode::usage) << url;
    EXPECT_THAT(thrown.message, HasSubstr("memory:, sqlite:<path> and postgresql:"));
  }
  EXPECT_THAT(thrown_by([] { open_store("a/b.db"); }).message, HasSubstr("'sqlite:a/b.db'"));
}

TEST(OpenStore, NeedsAPath) {
  EXPECT_EQ(thrown_by([] { open_store("sqlite:"); }).code, ErrorCode::usage);
  EXPECT_EQ(thrown_by([] { open_store(std::string("sqlite:a\0b", 10)); }).code, ErrorCode::usage);
}

}  // namespace
}  // namespace ampere
