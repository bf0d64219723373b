#include "store/memory_store.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "sql/sql.h"
#include "store/storable.h"

namespace ampere {
namespace {

struct Entry {
  Observation observation;
  std::string model_hash;
};

struct Profile {
  ProfileRow row;
  std::int64_t touched = 0;  // orders changes within one second
  std::vector<Entry> entries;
  std::vector<BlockTiming> timings;
  std::map<std::string, std::string> fits, documents;
  std::set<std::string> kinds;
};

struct Contents {
  std::map<std::int64_t, Profile> profiles;
  std::int64_t last_id = 0, last_touch = 0;
};

bool matches(const Entry& entry, const Query& query) {
  return (!query.purpose || *query.purpose == entry.observation.purpose) &&
         (!query.kind || *query.kind == entry.observation.kind) &&
         (!query.model_hash || *query.model_hash == entry.model_hash);
}

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(Access access) : access_(access) {}

  std::int64_t open_profile(const DeviceInfo& device, const Setup& setup,
                            const std::string& rig) override {
    const DeviceInfo own_device = storable(device);
    const Setup own_setup = storable(setup);
    require_utf8(rig, "the rig");
    for (const auto& [id, profile] : contents_.profiles)
      if (profile.row.device.fingerprint == own_device.fingerprint &&
          profile.row.setup == own_setup)
        return id;
    require_write();
    const std::int64_t id = ++contents_.last_id;
    Profile& profile = contents_.profiles[id];
    profile.row = {
        .id = id, .device = own_device, .setup = own_setup, .rig = rig, .updated_at = ""};
    touch(profile);
    return id;
  }

  std::vector<ProfileRow> profiles() const override {
    std::vector<const Profile*> sorted;
    for (const auto& [id, profile] : contents_.profiles) sorted.push_back(&profile);
    std::ranges::sort(sorted, std::greater{}, &Profile::touched);
    std::vector<ProfileRow> rows;
    for (const Profile* profile : sorted) rows.push_back(profile->row);
    return rows;
  }

  void remove_profile(std::int64_t id) override {
    require_write();
    if (contents_.profiles.erase(id) == 0) throw_no_profile(id);
  }

  void add(std::int64_t id, const Observation& observation) override {
    require_write();
    Observation own = storable(observation);
    Profile& profile = at(id);
    require_member(own, profile.row.device, profile.row.setup);
    if (own.purpose == Purpose::variant) know_kind(profile, own.kind);
    if (!enters_fits(own.purpose)) {
      ++profile.row.tests;
    } else {
      ++profile.row.observations;
      if (!own.measurement) ++profile.row.failures;
    }
    std::string hash = model_hash(own.model);
    profile.entries.push_back({std::move(own), std::move(hash)});
    touch(profile);
  }

  std::vector<Observation> find(const Query& query) const override {
    std::vector<Observation> found;
    for (const Entry& entry : at(query.profile).entries) {
      if (query.most && std::cmp_greater_equal(found.size(), *query.most)) break;
      if (!matches(entry, query)) continue;
      found.push_back(entry.observation);
      if (!query.with_models) found.back().model = {};
    }
    return found;
  }

  void add(std::int64_t id, const std::vector<BlockTiming>& timings) override {
    require_write();
    std::vector<BlockTiming> own = storable(timings);
    Profile& profile = at(id);
    std::ranges::move(own, std::back_inserter(profile.timings));
    touch(profile);
  }

  std::vector<BlockTiming> timings(std::int64_t id,
                                   const std::vector<std::string>& kinds) const override {
    const std::set<std::string> asked(kinds.begin(), kinds.end());
    std::vector<BlockTiming> found;
    for (const BlockTiming& timing : at(id).timings)
      if (asked.empty() || asked.contains(timing.kind)) found.push_back(timing);
    return found;
  }

  void put_fit(std::int64_t id, const StoredFit& fit) override {
    require_write();
    require_utf8(fit.kind, "the key of a kind");
    require_utf8(fit.text, "a fit");
    Profile& profile = at(id);
    know_kind(profile, fit.kind);
    profile.fits[fit.kind] = fit.text;
    touch(profile);
  }

  std::vector<StoredFit> fits(std::int64_t id,
                              const std::vector<std::string>& kinds) const override {
    const Profile& profile = at(id);
    std::vector<StoredFit> found;
    for (const std::string& kind : kinds)
      if (const auto fit = profile.fits.find(kind); fit != profile.fits.end())
        found.push_back({fit->first, fit->second});
    return found;
  }

  std::vector<StoredFit> fits(std::int64_t id) const override {
    std::vector<StoredFit> found;
    for (const auto& [kind, text] : at(id).fits) found.push_back({kind, text});
    return found;
  }

  void put_document(std::int64_t id, const StoredDocument& document) override {
    require_write();
    require_utf8(document.name, "the name of a document");
    require_utf8(document.text, "a document");
    Profile& profile = at(id);
    profile.documents[document.name] = document.text;
    touch(profile);
  }

  std::optional<std::string> document(std::int64_t id, const std::string& name) const override {
    const Profile& profile = at(id);
    const auto found = profile.documents.find(name);
    if (found == profile.documents.end()) return std::nullopt;
    return found->second;
  }

  std::vector<StoredDocument> documents(std::int64_t id) const override {
    std::vector<StoredDocument> found;
    for (const auto& [name, text] : at(id).documents) found.push_back({name, text});
    return found;
  }

  void atomically(const std::function<void()>& changes) override {
    require_write();
    Contents before = contents_;
    try {
      changes();
    } catch (...) {
      contents_ = std::move(before);
      throw;
    }
  }

 private:
  const Profile& at(std::int64_t id) const {
    const auto found = contents_.profiles.find(id);
    if (found == contents_.profiles.end()) throw_no_profile(id);
    return found->second;
  }
  Profile& at(std::int64_t id) { return const_cast<Profile&>(std::as_const(*this).at(id)); }

  void require_write() const {
    if (access_ == Access::read) throw_read_only("memory:");
  }

  static void know_kind(Profile& profile, const std::string& kind) {
    profile.kinds.insert(kind);
    profile.row.kinds = static_cast<std::int64_t>(profile.kinds.size());
  }

  void touch(Profile& profile) {
    profile.touched = ++contents_.last_touch;
    profile.row.updated_at = utc_now();
  }

  Access access_;
  Contents contents_;
};

}  // namespace

std::unique_ptr<Store> make_memory_store(Access access) {
  return std::make_unique<MemoryStore>(access);
}

}  // namespace ampere
