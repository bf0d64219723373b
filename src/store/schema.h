// The tables of a store, and the way from older ones to them.
#pragma once

#include "sql/sql.h"

namespace ampere {

// All that there are for this engine.
Migrations schema_migrations(SqlEngine engine = SqlEngine::sqlite);

// How the database stands to these migrations; none: there are no tables yet. Throws Error(usage)
// when it is newer.
enum class SchemaAge { current, older, none };
SchemaAge schema_age(SqlDatabase& database, Migrations migrations);

// Runs what is missing in one transaction, all or nothing.
void migrate_store(SqlDatabase& database, Migrations migrations);

}  // namespace ampere
