#include <fmt/format.h>

#include "ampere/error.h"
#include "ampere/store.h"
#include "base/plain_text.h"
#include "record/plausible.h"
#include "record/record_json.h"
#include "setup/general_setup.h"
#include "store/missing.h"
#include "store/storable.h"
#include "store/transfer.h"

namespace ampere {
namespace {

struct Transfer {
  DeviceInfo device;
  Setup setup;
  std::string rig;
  std::vector<Observation> observations;
  std::vector<BlockTiming> timings;
  std::vector<StoredFit> fits;
  std::vector<StoredDocument> documents;
};

std::int64_t read_version(const JsonField& json) {
  if (json.at("format").text() != kTransferFormat)
    json.at("format").fail(fmt::format("must be \"{}\"", kTransferFormat));
  const std::int64_t version = json.at("version").integer();
  if (version > kTransferVersion)
    json.at("version").fail(
        fmt::format("written by a newer ampere ({}, this program knows {}): update ampere", version,
                    kTransferVersion));
  if (version < 1) json.at("version").fail("must be at least 1");
  return version;
}

Observation read_member(const JsonField& json, const Transfer& transfer, std::int64_t version) {
  Observation observation =
      version < kFirstWithPurpose ? read_old_observation(json) : read_observation(json);
  if (observation.device.fingerprint != transfer.device.fingerprint)
    json.at("device").fail("is not the device of this profile");
  if (observation.setup != transfer.setup)
    json.at("setup").fail("is not the setup of this profile");
  return observation;
}

Transfer read_transfer(const JsonField& json) {
  const std::int64_t version = read_version(json);
  Transfer transfer;
  transfer.device = read_device(json.at("device"));
  transfer.setup = read_profile_setup(json.at("setup"));
  transfer.rig = std::string(kImported) + plain_text(json.text_or("rig", ""));
  for (const JsonField& item : json.at("observations").items()) {
    transfer.observations.push_back(read_member(item, transfer, version));
    const std::optional<Measurement>& measured = transfer.observations.back().measurement;
    try {
      if (measured) require_plausible(*measured, transfer.device.meter);
    } catch (const Error& error) {
      item.fail(error.what());
    }
  }
  if (json.has("timings"))  // not before they were invented, as documents below
    for (const JsonField& item : json.at("timings").items())
      transfer.timings.push_back(read_block_timing(item));
  for (const JsonField& item : json.at("fits").items())
    transfer.fits.push_back({item.at("kind").text(), item.at("text").text()});
  if (json.has("documents"))
    for (const JsonField& item : json.at("documents").items())
      transfer.documents.push_back({item.at("name").text(), item.at("text").text()});
  return transfer;
}

}  // namespace

std::int64_t import_profile(Store& store, std::string_view json, const std::string& origin) {
  const Json parsed = parse_json(json, origin);
  const Transfer transfer = read_transfer({parsed, origin + ": "});
  std::int64_t profile = 0;
  store.atomically([&] {
    profile = store.open_profile(transfer.device, transfer.setup, transfer.rig);
    for (const Observation& each : missing(store, profile, transfer.observations))
      store.add(profile, each);
    const std::vector<BlockTiming> timings = missing(store, profile, transfer.timings);
    if (!timings.empty()) store.add(profile, timings);
    for (const StoredFit& each : missing(store, profile, transfer.fits))
      store.put_fit(profile, each);
    for (const StoredDocument& each : missing(store, profile, transfer.documents))
      store.put_document(profile, each);
  });
  return profile;
}

}  // namespace ampere
