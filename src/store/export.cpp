#include <algorithm>

#include "ampere/store.h"
#include "record/record_json.h"
#include "setup/general_setup.h"
#include "store/shareable.h"
#include "store/storable.h"
#include "store/transfer.h"

namespace ampere {

std::string export_profile(const Store& store, std::int64_t profile) {
  const std::vector<ProfileRow> rows = store.profiles();
  const auto row = std::ranges::find(rows, profile, &ProfileRow::id);
  if (row == rows.end()) throw_no_profile(profile);
  const ProfileRow shared = shareable(*row);

  Json observations = Json::array(), timings = Json::array();
  Json fits = Json::array(), documents = Json::array();
  for (const Observation& observation : store.find({.profile = profile}))
    observations.push_back(observation_json(shareable(observation)));
  for (const BlockTiming& timing : store.timings(profile))
    timings.push_back(block_timing_json(shareable(timing)));
  for (const StoredFit& fit : store.fits(profile))
    fits.push_back({{"kind", fit.kind}, {"text", fit.text}});
  for (const StoredDocument& document : store.documents(profile))
    documents.push_back({{"name", document.name}, {"text", document.text}});
  return json_text({{"format", kTransferFormat},
                    {"version", kTransferVersion},
                    {"device", device_json(shared.device)},
                    {"setup", profile_setup_json(shared.setup)},
                    {"rig", shared.rig},
                    {"observations", std::move(observations)},
                    {"timings", std::move(timings)},
                    {"fits", std::move(fits)},
                    {"documents", std::move(documents)}});
}

}  // namespace ampere
