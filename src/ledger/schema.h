// The tables of the ledger.
#pragma once

#include "sql/sql.h"

namespace ampere {

Migrations ledger_migrations();

}  // namespace ampere
