// The tables, and the way from older ones to them.
#pragma once

#include <cstdint>
#include <span>

namespace ampere {

class Database;

// "ampr": tells a store from somebody else's SQLite database.
constexpr std::uint32_t kApplicationId = 0x616d7072;

// Script i brings a database from version i to i + 1; the version is SQLite's user_version.
using SchemaScripts = std::span<const char* const>;
SchemaScripts schema_scripts();

// How the database stands to these scripts. Throws Error(usage) when it is newer.
enum class SchemaAge { current, older };
SchemaAge schema_age(Database& database, SchemaScripts scripts);

// Runs what is missing, all or nothing.
void migrate(Database& database, SchemaScripts scripts);

}  // namespace ampere
