// What a request asks for, read from its JSON. Everything here throws Error(usage) that names the
// field, also for a key that is not known: a misspelt "methd" must not silently mean the default.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ampere/prune.h"
#include "ampere/session.h"
#include "report/estimate_json.h"
#include "serve/uploads.h"

namespace ampere {

// What is not asked for.
struct AskedDefaults {
  Setup setup;
  double confidence = 0.9;
};

struct AskedEstimate {
  SharedNetwork network;
  ProfileQuery query;
  std::optional<std::int64_t> iterations, epochs, samples;
  double confidence = 0.9;
  Conversions conversions;
};

struct AskedComparison {
  AskedEstimate estimate;             // of which the profile is not used
  std::vector<std::string> profiles;  // empty: all
};

struct AskedPrune {
  std::string name;  // of the network
  PruneTask task;
  ProfileQuery query;
};

inline const std::string kRequestOrigin = "request";

// {"zoo": …}, {"model": …}, {"program": …} or {"upload": …}, with "widths" where they are not its
// own.
SharedNetwork read_network(const JsonField& json, Uploads& uploads);

// Without a network of its own it is for `otherwise`, where there is one.
AskedEstimate read_estimate(const JsonField& json, Uploads& uploads, const AskedDefaults& defaults,
                            const SharedNetwork& otherwise = nullptr);
AskedComparison read_comparison(const JsonField& json, Uploads& uploads,
                                const AskedDefaults& defaults);
AskedPrune read_prune(const JsonField& json, Uploads& uploads, const AskedDefaults& defaults);

// Of a program the samples of its own iterations.
Workload workload_of(const AskedEstimate& asked);

}  // namespace ampere
