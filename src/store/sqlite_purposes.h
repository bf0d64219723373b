// From version 3 of the schema to version 4.
#pragma once

namespace ampere {

class SqlDatabase;

// Observations get a purpose and round widths in columns of their own, in place of texts that
// marked them, and models become packed blobs. To be run inside a transaction.
void migrate_to_purposes(SqlDatabase& database);

}  // namespace ampere
