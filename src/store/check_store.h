// Whether a store can be used, for who wants to know before anything is measured.
#pragma once

#include <string>

namespace ampere {

// Throws what opening the store for writing would throw, and makes no store.
void check_store_can_be_written(const std::string& url);

}  // namespace ampere
