// The database of the fleet, as a node opens it.
#pragma once

#include <memory>

#include "sql/sql.h"

namespace ampere {

// For writing. On a node a job has been waited for long, so a server that does not answer is waited
// for, at first and at every later use, as long as Slurm lets the job live: a signal that asks the
// job to end does not end the wait, because only the database can take down what the job has used.
// Throws what open_database throws for any other reason.
std::unique_ptr<SqlDatabase> open_node_database(
    const std::string& url, const std::function<void(const std::string&)>& tell = {});

}  // namespace ampere
