// What of a profile another store lacks. Equal measurements may have been taken twice, so that
// contents are counted: with what is missing added, the store has as many of each as were given, or
// as it had when that is more. A fit or a document that is there under the same name stays.
#pragma once

#include "ampere/store.h"

namespace ampere {

std::vector<Observation> missing(const Store& store, std::int64_t profile,
                                 const std::vector<Observation>& observations);
std::vector<BlockTiming> missing(const Store& store, std::int64_t profile,
                                 const std::vector<BlockTiming>& timings);
std::vector<StoredFit> missing(const Store& store, std::int64_t profile,
                               const std::vector<StoredFit>& fits);
std::vector<StoredDocument> missing(const Store& store, std::int64_t profile,
                                    const std::vector<StoredDocument>& documents);

}  // namespace ampere
