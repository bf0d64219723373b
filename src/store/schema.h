// The tables, and the way from older ones to them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace ampere {

class Database;

// "ampr": tells a store from somebody else's SQLite database.
constexpr std::uint32_t kApplicationId = 0x616d7072;

// Migration i brings a database from version i to i + 1; the version is SQLite's user_version.
using Migration = std::function<void(Database&)>;
using Migrations = std::span<const Migration>;
Migrations schema_migrations();

// How the database stands to these migrations. Throws Error(usage) when it is newer.
enum class SchemaAge { current, older };
SchemaAge schema_age(Database& database, Migrations migrations);

// Runs what is missing in one transaction, all or nothing.
void migrate(Database& database, Migrations migrations);

}  // namespace ampere
