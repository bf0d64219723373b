// The networks that a store's observations were made of.
#pragma once

#include <cstdint>
#include <string>

#include "ampere/model.h"

namespace ampere {

class Database;

// The id of this network, names included; it is added when it is not there yet.
std::int64_t insert_model(Database& database, const Model& model);
void insert_model(Database& database, std::int64_t id, const std::string& hash,
                  const std::string& json);

// Throws Error(usage) when it is missing or damaged.
Model select_model(Database& database, std::int64_t id);

// Removes networks that no observation refers to.
void remove_unused_models(Database& database);

}  // namespace ampere
