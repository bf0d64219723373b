// Measurements as they are stored, and where they and what was fitted to them live.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/rig.h"

namespace ampere {

// What an observation was taken for, which decides who reads it.
enum class Purpose {
  network,   // a whole network that methods learn from
  variant,   // a point of a block kind, which the kind's fit rests on
  test,      // a point of a block kind, kept out of every fit
  check,     // a whole network, kept out of every fit
  kernel,    // one kernel of inference
  fusion,    // neighbouring operators of inference, together or apart
  overhead,  // an inference of nothing
};
const char* to_string(Purpose purpose);
Purpose parse_purpose(const std::string& text);  // throws Error(usage)

// Whether observations of this purpose belong to a kind: variants and tests to a block kind, by its
// key, and kernels to their type.
bool has_kind(Purpose purpose);
// False for tests and checks.
bool enters_fits(Purpose purpose);

struct Observation {
  DeviceInfo device;
  Setup setup;
  Model model;  // the network that was run
  Purpose purpose = Purpose::network;
  std::string kind;                    // empty unless has_kind(purpose)
  std::vector<std::int64_t> features;  // of a variant or a test, in the order of its kind
  // A whole network at the widths people choose, measured for a profile whose other networks have
  // random ones. It is larger, or works better, than all of those.
  bool round_widths = false;
  std::optional<Measurement> measurement;  // absent when it failed
  std::string failure;                     // why
  std::optional<Timing> timing;            // of the same network, where the rig can
  std::optional<Pace> pace;                // against a reference, likewise
  std::string taken_at;                    // UTC, "2026-01-31T12:00:00Z"
};

// One block alone, timed.
struct BlockTiming {
  std::string kind;  // key
  std::vector<std::int64_t> features;
  std::optional<Timing> timing;  // absent when it failed
  std::string failure;           // why
  std::string taken_at;          // as an observation's
};

// Measures `model` now. A network that cannot be measured is an observation too: Error(failed)
// becomes its failure; every other error is passed on.
Observation observe(Rig& rig, Model model, const Setup& setup, const Precision& precision);

// With the network's timing and its pace against the reference, where the rig can and one is given;
// what of these fails is left out.
Observation observe_with_times(Rig& rig, Model model, const Model* reference, const Setup& setup,
                               const Precision& precision);

// Observations and fits belong to a profile: one device (by fingerprint) and one setup.
struct ProfileRow {
  std::int64_t id = 0;
  DeviceInfo device;
  Setup setup;
  std::string rig;                              // the RIG it was taken with, as the user wrote it
  std::int64_t kinds = 0;                       // block kinds with a variant or a fit
  std::int64_t observations = 0, failures = 0;  // whose purpose enters fits
  std::int64_t tests = 0;                       // all others, failed ones too
  std::string updated_at;
  std::string shipped = {};  // the name of one that came with the program; empty for all others
};

// A fitted kind as its owner wrote it: opaque text.
struct StoredFit {
  std::string kind;
  std::string text;
};

struct StoredDocument {
  std::string name;
  std::string text;
};

// Selects observations of one profile; what is not given selects all. Written as
// `store.find({.profile = id, .purpose = Purpose::network, .model_hash = hash})`.
struct Query {
  std::int64_t profile = 0;
  std::optional<Purpose> purpose = std::nullopt;
  std::optional<std::string> kind = std::nullopt;
  std::optional<std::string> model_hash = std::nullopt;
  std::optional<std::int64_t> most = std::nullopt;  // the first so many
  bool with_models = true;  // else what is found has empty models, which need not be read
};

// The right to measure one point. It ends with the object, which must not outlive its store.
class Claim {
 public:
  virtual ~Claim() = default;
  // Whether another process may have measured the point since the store was last looked at.
  virtual bool look_again() const { return false; }
};

class Store {
 public:
  virtual ~Store() = default;

  // The profile's id, made when it is not there yet.
  virtual std::int64_t open_profile(const DeviceInfo& device, const Setup& setup,
                                    const std::string& rig) = 0;
  virtual std::vector<ProfileRow> profiles() const = 0;  // the latest updated first
  virtual void remove_profile(std::int64_t id) = 0;      // Error(unknown) when there is none

  // On disk when it returns.
  virtual void add(std::int64_t profile, const Observation& observation) = 0;
  virtual std::vector<Observation> find(
      const Query& query) const = 0;  // in the order they were added

  // On disk when it returns, all or none. In the order they were added; all kinds when none is
  // given.
  virtual void add(std::int64_t profile, const std::vector<BlockTiming>& timings) = 0;
  virtual std::vector<BlockTiming> timings(std::int64_t profile,
                                           const std::vector<std::string>& kinds = {}) const = 0;

  virtual void put_fit(std::int64_t profile, const StoredFit& fit) = 0;  // replaces
  virtual std::vector<StoredFit> fits(std::int64_t profile,
                                      const std::vector<std::string>& kinds) const = 0;
  virtual std::vector<StoredFit> fits(std::int64_t profile) const = 0;

  // Texts that belong to a profile and only their owner reads: an evaluation, for instance.
  virtual void put_document(std::int64_t profile, const StoredDocument& document) = 0;  // replaces
  virtual std::optional<std::string> document(std::int64_t profile,
                                              const std::string& name) const = 0;
  virtual std::vector<StoredDocument> documents(std::int64_t profile) const = 0;  // by name

  // Asked for before a point is measured, so that two processes which fill one profile share its
  // points instead of measuring them twice. `point` is any text that names the point in both.
  // Nothing while another process has the claim; what it measures is in the store once it is free.
  // A process that dies loses its claims. Only a store on a server knows of other processes: all
  // others grant every claim.
  virtual std::unique_ptr<Claim> claim(std::int64_t profile, const std::string& point);

  // Everything that `changes` does to this store, or, when it throws, nothing. It may run several
  // times, and must change nothing else.
  virtual void atomically(const std::function<void()>& changes) = 0;
};

// "memory:", "sqlite:<path>", "postgresql://host/database" and every other URL that libpq
// understands. Throws Error(permission) when it cannot be written and must be, Error(usage) when
// the file or the database is something else or from a newer version, Error(failed) when the server
// does not answer.
std::unique_ptr<Store> open_store(const std::string& url, Access access = Access::write,
                                  const StoreWait& wait = {});

// A profile with all its observations, timings, fits and documents as JSON text another machine can
// import.
std::string export_profile(const Store& store, std::int64_t profile);
std::int64_t import_profile(Store& store, std::string_view json, const std::string& origin);

}  // namespace ampere
