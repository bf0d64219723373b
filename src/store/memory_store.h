// A store that lives as long as the object.
#pragma once

#include <memory>

#include "ampere/store.h"

namespace ampere {

std::unique_ptr<Store> make_memory_store(Access access);

}  // namespace ampere
