// The script that Slurm runs on a node.
#pragma once

#include <string>
#include <vector>

namespace ampere {

// Slurm keeps the script of a job where its administrators and the job's owner can read it. Throws
// Error(usage), without the password, for the URL of a store that contains one.
void require_no_password(const std::string& store);

// Runs the command with the store in its environment: an argument would show the store to everybody
// on the node. Throws as require_no_password().
std::string job_script(const std::string& store, const std::vector<std::string>& command);

}  // namespace ampere
