#include "store/missing.h"

#include <map>

#include "record/record_json.h"
#include "store/storable.h"

namespace ampere {

std::vector<Observation> missing(const Store& store, std::int64_t profile,
                                 const std::vector<Observation>& observations) {
  std::map<std::string, std::map<std::string, int>> there;  // by model hash, then by content
  std::vector<Observation> missing;
  for (const Observation& observation : observations) {
    const std::string hash = model_hash(observation.model);
    const auto [known, first] = there.try_emplace(hash);
    if (first)
      for (const Observation& old : store.find({.profile = profile, .model_hash = hash}))
        ++known->second[json_text(observation_json(old))];
    if (known->second[json_text(observation_json(observation))]-- <= 0)
      missing.push_back(observation);
  }
  return missing;
}

std::vector<BlockTiming> missing(const Store& store, std::int64_t profile,
                                 const std::vector<BlockTiming>& timings) {
  std::map<std::string, int> there;
  for (const BlockTiming& old : store.timings(profile)) ++there[json_text(block_timing_json(old))];
  std::vector<BlockTiming> missing;
  for (const BlockTiming& timing : timings)
    if (there[json_text(block_timing_json(timing))]-- <= 0) missing.push_back(timing);
  return missing;
}

std::vector<StoredFit> missing(const Store& store, std::int64_t profile,
                               const std::vector<StoredFit>& fits) {
  std::vector<StoredFit> missing;
  for (const StoredFit& fit : fits)
    if (store.fits(profile, {fit.kind}).empty()) missing.push_back(fit);
  return missing;
}

std::vector<StoredDocument> missing(const Store& store, std::int64_t profile,
                                    const std::vector<StoredDocument>& documents) {
  std::vector<StoredDocument> missing;
  for (const StoredDocument& document : documents)
    if (!store.document(profile, document.name)) missing.push_back(document);
  return missing;
}

}  // namespace ampere
