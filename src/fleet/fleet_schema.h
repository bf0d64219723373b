// The tables of the fleet.
#pragma once

#include "sql/sql.h"

namespace ampere {

Migrations fleet_migrations();

}  // namespace ampere
