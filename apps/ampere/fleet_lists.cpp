#include "fleet_lists.h"

#include <fmt/format.h>

#include <set>

#include "ampere/error.h"
#include "base/text.h"
#include "fleet_options.h"

namespace ampere {

std::string chosen_list(JobTable& table, const std::string& text) {
  const std::vector<JobList> lists = table.lists();
  if (lists.empty())
    throw Error(ErrorCode::unknown,
                "no jobs were submitted yet; `ampere fleet submit JOBS` does it");
  if (text.empty()) return lists.front().name;
  const std::string name = list_name(text);
  std::vector<std::string> names;
  for (const JobList& list : lists) {
    if (list.name == name) return name;
    names.push_back(list.name);
  }
  throw Error(ErrorCode::unknown,
              fmt::format("there is no list of jobs '{}'{}", name, suggestion(name, names)));
}

std::vector<Account> accounts_of(JobTable& table, std::span<const FleetJob> jobs) {
  std::set<std::string> names;
  for (const FleetJob& job : jobs) names.insert(job.accounts.begin(), job.accounts.end());
  std::vector<Account> accounts;
  for (const Account& account : table.ledger().accounts())
    if (names.contains(account.name)) accounts.push_back(account);
  return accounts;
}

}  // namespace ampere
