// Profiles that travel from one store to another as a document.
#include <gmock/gmock.h>

#include "base/json.h"
#include "each_store.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::int64_t fill(Store& store) {
  const std::int64_t profile = open_sample_profile(store);
  store.add(profile, sample_observation("conv", 4));
  store.add(profile, sample_failure());
  store.add(profile, sample_failure());
  store.add(profile, sample_observation("", 6));
  store.add(profile, {sample_timing("conv", 4), sample_timing("conv", 4),
                      sample_failed_timing("too large")});
  store.put_fit(profile, {"conv", R"({"a": "fit"})"});
  return profile;
}

std::string sample_document() {
  const auto store = open_store("memory:");
  return export_profile(*store, fill(*store));
}

class Transfer : public EachStore {
 protected:
  // The store must refuse the document, name the field and stay as it was.
  void expect_refused(const Json& document, const std::string& field) {
    const Thrown thrown =
        thrown_by([&] { import_profile(*store_, document.dump(), "profile.json"); });
    EXPECT_EQ(thrown.code, ErrorCode::usage);
    EXPECT_THAT(thrown.message, HasSubstr("profile.json"));
    EXPECT_THAT(thrown.message, HasSubstr(field));
    EXPECT_THAT(store_->profiles(), IsEmpty());
  }
};

TEST_P(Transfer, ExportsADocumentOfTheKnownFormat) {
  const Json document = Json::parse(export_profile(*store_, fill(*store_)));
  EXPECT_EQ(document.at("format"), "ampere-profile");
  EXPECT_EQ(document.at("version"), 2);
  EXPECT_EQ(document.at("device").at("name"), "bench");
  EXPECT_EQ(document.at("setup").at("batch"), 10);
  EXPECT_EQ(document.at("rig"), "sim:bench");
  EXPECT_EQ(document.at("observations").size(), 4U);
  EXPECT_EQ(document.at("timings").size(), 3U);
  EXPECT_EQ(document.at("timings").at(0).at("timing").at("device_s"), 1.5e-3);
  EXPECT_EQ(document.at("fits").at(0).at("kind"), "conv");
}

// A command names users and hosts, and messages name folders.
TEST_P(Transfer, SaysNothingOfUsersHostsAndFolders) {
  DeviceInfo device = sample_device("bench");
  device.meter = "stream:ssh me@there /home/me/meter (integrated)";
  device.fingerprint = fingerprint_of(device);
  const std::int64_t profile =
      store_->open_profile(device, sample_setup(), "cmd:ssh me@there /home/me/ampere-runner");
  Observation good = sample_observation("conv", 4), bad = sample_failure("no '/home/me/x.py'");
  good.device = bad.device = device;
  good.measurement->notes.push_back("the runner stopped; it said:\n  me@there: bye");
  store_->add(profile, good);
  store_->add(profile, bad);
  store_->add(profile, std::vector{sample_failed_timing("/home/me/y.py failed")});
  const std::string document = export_profile(*store_, profile);
  for (const char* word : {"/home", "me@there", "ssh"})
    EXPECT_EQ(document.find(word), std::string::npos) << word;
  EXPECT_THAT(document, HasSubstr("no 'x.py'"));
  const auto other = open_store("memory:");
  const std::int64_t imported = import_profile(*other, document, "profile.json");
  EXPECT_EQ(other->profiles().at(0).rig, "imported:cmd");
  EXPECT_EQ(export_profile(*other, imported), document);
}

TEST_P(Transfer, RefusesAnEnergyThatNoDeviceCanDraw) {
  Json document = Json::parse(sample_document());
  document["observations"][0]["measurement"]["energy_j_per_iteration"]["mean"] = 1e200;
  expect_refused(document, "observations");
}

TEST_P(Transfer, ImportsWhatWasExported) {
  const std::string document = sample_document();
  const std::int64_t profile = import_profile(*store_, document, "profile.json");
  EXPECT_EQ(export_profile(*store_, profile), document);
  EXPECT_EQ(store_->profiles().at(0).rig, "imported:sim:bench") << "it was taken elsewhere";
  const ProfileRow row = store_->profiles().at(0);
  EXPECT_EQ(row.observations, 4);
  EXPECT_EQ(row.failures, 2);
}

TEST_P(Transfer, ImportsTheSameTwiceWithoutDoubling) {
  const std::string document = sample_document();
  const std::int64_t profile = import_profile(*store_, document, "profile.json");
  EXPECT_EQ(import_profile(*store_, document, "profile.json"), profile);
  EXPECT_EQ(export_profile(*store_, profile), document);
}

TEST_P(Transfer, AddsOnlyWhatIsMissing) {
  const std::int64_t profile = open_sample_profile(*store_);
  store_->add(profile, sample_observation("conv", 4));
  store_->add(profile, sample_observation("conv", 99));
  store_->add(profile, sample_failure());
  store_->add(profile, {sample_timing("conv", 99), sample_timing("conv", 4)});
  store_->put_fit(profile, {"conv", "own"});
  EXPECT_EQ(import_profile(*store_, sample_document(), "profile.json"), profile);
  EXPECT_EQ(texts_of(store_->find(all_of(profile))),
            texts_of({sample_observation("conv", 4), sample_observation("conv", 99),
                      sample_failure(), sample_failure(), sample_observation("", 6)}));
  EXPECT_EQ(texts_of(store_->timings(profile)),
            texts_of({sample_timing("conv", 99), sample_timing("conv", 4), sample_timing("conv", 4),
                      sample_failed_timing("too large")}));
  EXPECT_EQ(store_->fits(profile, {"conv"}).at(0).text, "own");
}

TEST_P(Transfer, TellsMeasurementsApartByEveryWindow) {
  const std::int64_t profile = open_sample_profile(*store_);
  Observation other = sample_observation("conv", 4);
  other.measurement->windows[1].time += Seconds{1e-9};
  store_->add(profile, other);
  import_profile(*store_, sample_document(), "profile.json");
  EXPECT_THAT(store_->find(all_of(profile)), SizeIs(5));
}

TEST_P(Transfer, ImportsAnEmptyProfile) {
  const auto source = open_store("memory:");
  const std::string document = export_profile(*source, open_sample_profile(*source));
  const std::int64_t profile = import_profile(*store_, document, "profile.json");
  EXPECT_THAT(store_->find(all_of(profile)), IsEmpty());
}

TEST_P(Transfer, ImportsWhatWasExportedBeforeThereWereTimings) {
  Json old = Json::parse(sample_document());
  for (const char* key : {"timings", "documents"}) old.erase(key);
  for (Json& observation : old.at("observations")) observation.erase("timing");
  const std::int64_t profile = import_profile(*store_, old.dump(), "profile.json");
  EXPECT_THAT(store_->find(all_of(profile)), SizeIs(4));
  EXPECT_THAT(store_->timings(profile), IsEmpty());
  import_profile(*store_, sample_document(), "profile.json");
  EXPECT_THAT(store_->find(all_of(profile)), SizeIs(4));
  EXPECT_THAT(store_->timings(profile), SizeIs(3));
}

// Version 1 told the purpose by texts in the kind and in the notes.
TEST_P(Transfer, ImportsWhatWasExportedBeforeThereWerePurposes) {
  Json old = Json::parse(sample_document());
  old["version"] = 1;
  for (Json& observation : old.at("observations"))
    for (const char* key : {"purpose", "round_widths"}) observation.erase(key);
  old["observations"][0]["kind"] = "test of conv";
  old["observations"][1]["kind"] = "not learnt from";
  old["observations"][3]["measurement"]["notes"].push_back("at round widths, for its profile");

  Observation checked = sample_failure();
  checked.purpose = Purpose::check;
  checked.kind.clear();
  Observation round = sample_observation("", 6);
  round.round_widths = true;
  const std::int64_t profile = import_profile(*store_, old.dump(), "profile.json");
  EXPECT_EQ(texts_of(store_->find(all_of(profile))),
            texts_of({sample_of(Purpose::test), checked, sample_failure(), round}));
  import_profile(*store_, export_profile(*store_, profile), "profile.json");
  EXPECT_THAT(store_->find(all_of(profile)), SizeIs(4)) << "they are the same in both versions";
}

TEST_P(Transfer, NamesTheFieldThatIsWrong) {
  const Json good = Json::parse(sample_document());
  const auto with = [&](const char* pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return bad;
  };
  expect_refused(with("/format", "other"), "format");
  expect_refused(with("/version", 3), "newer");
  expect_refused(with("/version", 0), "version");
  expect_refused(with("/version", "1"), "version");
  expect_refused(with("/device", 3), "device");
  expect_refused(with("/device/source", "guessed"), "device.source");
  expect_refused(with("/setup/batch", 0), "setup.batch");
  expect_refused(with("/rig", 3), "rig");
  expect_refused(with("/observations", nullptr), "observations");
  expect_refused(with("/observations/3/model/layers", 1), "observations[3].model");
  expect_refused(with("/observations/0/device/name", "other"), "observations[0].device");
  expect_refused(with("/observations/0/setup/batch", 11), "observations[0].setup");
  expect_refused(with("/observations/0/measurement/windows/1/time_s", "long"),
                 "observations[0].measurement.windows[1].time_s");
  expect_refused(with("/timings", 3), "timings");
  expect_refused(with("/timings/2", "fast"), "timings[2]");
  expect_refused(with("/timings/0/kind", 1), "timings[0].kind");
  expect_refused(with("/timings/0/features", {1.5}), "timings[0].features");
  expect_refused(with("/timings/0/timing/device_s", -1), "timings[0].timing.device_s");
  expect_refused(with("/timings/1/timing/host_s", "long"), "timings[1].timing.host_s");
  expect_refused(with("/timings/1/timing/elapsed_s", nullptr), "timings[1].timing.elapsed_s");
  expect_refused(with("/timings/0/failure", "both"), "timings[0]");
  expect_refused(with("/timings/2/failure", nullptr), "timings[2]");
  expect_refused(with("/timings/0/taken_at", nullptr), "timings[0].taken_at");
  expect_refused(with("/observations/0/timing", 3), "observations[0].timing");
  expect_refused(with("/observations/0/purpose", nullptr), "observations[0].purpose");
  expect_refused(with("/observations/0/purpose", "fun"), "observations[0].purpose");
  expect_refused(with("/observations/0/purpose", "network"), "observations[0]");
  expect_refused(with("/observations/0/kind", nullptr), "observations[0]");
  expect_refused(with("/observations/0/round_widths", 1), "observations[0].round_widths");
  expect_refused(with("/fits/0/kind", 1), "fits[0].kind");
  expect_refused(with("/fits", Json::object()), "fits");
}

TEST_P(Transfer, NamesTheKeyThatIsMissing) {
  const Json good = Json::parse(sample_document());
  for (const char* key : {"format", "version", "device", "setup", "observations", "fits"}) {
    Json bad = good;
    bad.erase(key);
    expect_refused(bad, key);
  }
}

TEST_P(Transfer, RefusesWhatIsNotJson) {
  const std::string good = sample_document();
  const std::vector<std::string> bads = {"",
                                         "{",
                                         "[]",
                                         "null",
                                         "\xff\xfe",
                                         std::string(200'000, '['),
                                         good.substr(0, good.size() / 2),
                                         good + "x"};
  for (const std::string& bad : bads)
    EXPECT_EQ(thrown_by([&] { import_profile(*store_, bad, "profile.json"); }).code,
              ErrorCode::usage)
        << bad.substr(0, 20);
  EXPECT_THAT(store_->profiles(), IsEmpty());
}

INSTANTIATE_FOR_EACH_STORE(Transfer);

}  // namespace
}  // namespace ampere
