// A suite as the page of evaluations shows it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ampere/evaluate.h"
#include "base/json.h"

namespace ampere {

// Like evaluation_json(), with every step in the place of a network. Its batch is null: the steps
// have their own.
Json suite_page_json(const std::string& suite, const DeviceInfo& device,
                     const std::vector<SuiteResult>& results,
                     std::span<const SuitePeer> peers = {});

}  // namespace ampere
