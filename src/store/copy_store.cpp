#include "store/copy_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <ranges>

#include "ampere/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "record/record_json.h"
#include "sql/postgres_url.h"
#include "sql/sql.h"
#include "store/missing.h"
#include "store/storable.h"

namespace ampere {
namespace {

constexpr std::size_t kAtOnce = 200;  // observations per transaction
constexpr std::string_view kSqlite = "sqlite:";

[[noreturn]] void refuse_same(const std::string& from, const std::string& to) {
  throw Error(ErrorCode::usage,
              fmt::format("{} and {} are the same store: there is nothing to copy",
                          masked_url(from), masked_url(to)));
}

void require_other_file(const std::string& from, const std::string& to) {
  std::error_code none;
  if (from == to) refuse_same(from, to);
  if (from.starts_with(kSqlite) && to.starts_with(kSqlite) &&
      std::filesystem::equivalent(from.substr(kSqlite.size()), to.substr(kSqlite.size()), none))
    refuse_same(from, to);
}

// One database of a server has many URLs. A lock that two connections cannot get tells them apart;
// nobody else asks for one of this name.
void require_other_database(const std::string& from, const std::string& to) {
  if (!is_postgres_url(from) || !is_postgres_url(to)) return;
  const auto source = open_database(from, Access::read), target = open_database(to, Access::read);
  const std::string name = fmt::format("copy by {} of {} at {}", ::getpid(),
                                       static_cast<const void*>(source.get()), utc_now());
  if (source->try_lock(name) && !target->try_lock(name)) refuse_same(from, to);
}

struct ProfileContents {
  std::vector<Observation> observations;
  std::vector<BlockTiming> timings;
  std::vector<StoredFit> fits;
  std::vector<StoredDocument> documents;

  ProfileParts parts() const {
    return {std::ssize(observations), std::ssize(timings), std::ssize(fits), std::ssize(documents)};
  }
};

ProfileContents read_contents(const Store& store, std::int64_t profile) {
  return {store.find({.profile = profile}), store.timings(profile), store.fits(profile),
          store.documents(profile)};
}

std::string digest_of(const ProfileContents& contents) {
  std::vector<std::string> each;
  for (const Observation& observation : contents.observations)
    each.push_back(hash_text("observation " + json_text(observation_json(observation))));
  for (const BlockTiming& timing : contents.timings)
    each.push_back(hash_text("timing " + json_text(block_timing_json(timing))));
  for (const StoredFit& fit : contents.fits)
    each.push_back(hash_text(fmt::format("fit {} {} {}", fit.kind.size(), fit.kind, fit.text)));
  for (const StoredDocument& document : contents.documents)
    each.push_back(hash_text(
        fmt::format("document {} {} {}", document.name.size(), document.name, document.text)));
  std::ranges::sort(each);
  std::string all;
  for (const std::string& hash : each) all += hash;
  return hash_text(all);
}

class Copying {
 public:
  Copying(const Store& from, Store& to, StopToken stop, Listener& listener)
      : from_(from), to_(to), stop_(stop), listener_(listener) {}

  // The oldest first, so that both stores list them in the same order.
  std::vector<CopiedProfile> run() {
    std::vector<CopiedProfile> copied;
    const std::vector<ProfileRow> profiles = from_.profiles();
    for (const ProfileRow& row : std::views::reverse(profiles)) {
      step_ = fmt::format("[{}/{}]", copied.size() + 1, profiles.size());
      title_ = fmt::format("{}, {}", row.device.name, to_string(row.setup));
      copied.push_back(copy(row));
    }
    return copied;
  }

 private:
  CopiedProfile copy(const ProfileRow& row) {
    stop_.throw_if_stopped();
    const ProfileContents contents = read_contents(from_, row.id);
    CopiedProfile copied{.from = row.id,
                         .to = to_.open_profile(row.device, row.setup, row.rig),
                         .device = row.device,
                         .setup = row.setup,
                         .found = contents.parts(),
                         .added = {},
                         .digest = digest_of(contents),
                         .target_digest = ""};
    copied.added.observations = add(copied.to, missing(to_, copied.to, contents.observations));
    to_.atomically([&] { add_rest(copied, contents); });
    check(copied, contents);
    return copied;
  }

  std::int64_t add(std::int64_t profile, const std::vector<Observation>& observations) {
    for (std::size_t done = 0; done < observations.size(); done += kAtOnce) {
      stop_.throw_if_stopped();
      const std::size_t end = std::min(done + kAtOnce, observations.size());
      to_.atomically([&] {
        for (std::size_t i = done; i < end; ++i) to_.add(profile, observations[i]);
      });
      report(end, observations.size());
    }
    return std::ssize(observations);
  }

  void add_rest(CopiedProfile& copied, const ProfileContents& contents) {
    const auto timings = missing(to_, copied.to, contents.timings);
    const auto fits = missing(to_, copied.to, contents.fits);
    const auto documents = missing(to_, copied.to, contents.documents);
    if (!timings.empty()) to_.add(copied.to, timings);
    for (const StoredFit& fit : fits) to_.put_fit(copied.to, fit);
    for (const StoredDocument& document : documents) to_.put_document(copied.to, document);
    copied.added.timings = std::ssize(timings);
    copied.added.fits = std::ssize(fits);
    copied.added.documents = std::ssize(documents);
  }

  void check(CopiedProfile& copied, const ProfileContents& contents) {
    copied.target_digest = digest_of(read_contents(to_, copied.to));
    if (copied.target_digest == copied.digest) return;
    const bool complete = missing(to_, copied.to, contents.observations).empty() &&
                          missing(to_, copied.to, contents.timings).empty() &&
                          missing(to_, copied.to, contents.fits).empty() &&
                          missing(to_, copied.to, contents.documents).empty();
    if (!complete)
      throw Error(
          ErrorCode::failed,
          fmt::format("profile {} ({}) is not complete in the target: somebody removed from "
                      "it meanwhile, or it is damaged: copy again",
                      copied.from, title_));
  }

  void report(std::size_t done, std::size_t of) {
    Progress now;
    now.step = step_;
    now.title = title_;
    now.done = static_cast<std::int64_t>(done);
    now.of = static_cast<std::int64_t>(of);
    now.finished = done == of;
    listener_.progress(now);
  }

  const Store& from_;
  Store& to_;
  StopToken stop_;
  Listener& listener_;
  std::string step_, title_;
};

}  // namespace

std::vector<CopiedProfile> copy_store(const std::string& from, const std::string& to,
                                      const StoreWait& wait, Listener& listener) {
  for (const std::string& url : {from, to})
    if (url == "memory:")
      throw Error(ErrorCode::usage,
                  "memory: ends with the program: copy between sqlite: and postgresql:");
  require_other_file(from, to);
  require_other_database(from, to);
  const auto source = open_store(from, Access::read, wait);
  const auto target = open_store(to, Access::write, wait);
  return Copying(*source, *target, wait.stop, listener).run();
}

}  // namespace ampere
