// The result of a pruning by estimate alone, as the page shows it.
#pragma once

#include "ampere/prune.h"
#include "serve/asked.h"

namespace ampere {

Json pruned_json(const AskedPrune& asked, const ProfileRow& profile, const PruneResult& result);

}  // namespace ampere
