// Names of accounts and jobs.
#pragma once

#include <string>
#include <vector>

namespace ampere {

// A kind, a colon and a name, of letters, digits and . _ - @ +. Throws Error(usage) otherwise.
void check_account_name(const std::string& name);

// Printable ASCII without spaces. Throws Error(usage) otherwise.
void check_job_name(const std::string& name);

// The accounts in the one order in which all transactions lock them. Throws Error(usage) when there
// is none, one is named twice, or a name is malformed.
std::vector<std::string> sorted_accounts(std::vector<std::string> accounts, const std::string& job);

// Sorted accounts as one text, and back.
std::string joined_accounts(const std::vector<std::string>& accounts);
std::vector<std::string> split_accounts(const std::string& text);

}  // namespace ampere
