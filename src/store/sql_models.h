// The networks that a store's observations were made of.
#pragma once

#include <cstdint>
#include <string>

#include "ampere/model.h"

namespace ampere {

class SqlDatabase;

// The id of this network, names included; it is added when it is not there yet.
std::int64_t insert_model(SqlDatabase& database, const Model& model);
void insert_model(SqlDatabase& database, std::int64_t id, const std::string& hash,
                  const std::string& json);

// Throws Error(usage) when it is missing or damaged.
Model select_model(SqlDatabase& database, std::int64_t id);

// Removes networks that no observation refers to.
void remove_unused_models(SqlDatabase& database);

}  // namespace ampere
