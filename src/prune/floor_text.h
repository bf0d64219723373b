// Why a budget cannot be kept, in words.
#pragma once

#include <string>

#include "prune/search/width_search.h"

namespace ampere {

std::string floor_text(const SearchResult& result, const EnergyBudget& budget);

}  // namespace ampere
