// `ampere fleet grant` and `ampere fleet ledger`.
#include <fmt/format.h>

#include "ampere/error.h"
#include "base/amounts.h"
#include "base/json_text.h"
#include "base/plain_text.h"
#include "fleet_job_output.h"
#include "fleet_options.h"
#include "fleet_verbs.h"
#include "print.h"
#include "ranges.h"

namespace ampere {
namespace {

struct LedgerArguments {
  FleetOptions where;
  std::string account, energy;
  bool take_back = false, journal = false;
};

void grant(const LedgerArguments& options) {
  const Joules amount = parse_energy(options.energy, "ENERGY");
  Ledger ledger(open_fleet_database(options.where.store, Access::write));
  ledger.grant(options.account, options.take_back ? Joules{} - amount : amount);
  const std::vector<Account> accounts{ledger.account(options.account)};
  if (options.where.json)
    fmt::print("{}\n", json_text(accounts_json(accounts).front()));
  else
    print_accounts(accounts);
}

Json audit_json(const Audit& audit) {
  return {{"entries", audit.entries},           {"accounts", audit.accounts},
          {"reservations", audit.reservations}, {"adds_up", audit.adds_up()},
          {"differences", audit.differences},   {"overspent", audit.overspent}};
}

// All entries, a page at a time.
template <class Take>
void each_entry(Ledger& ledger, const Take& take) {
  std::int64_t last = 0;
  while (true) {
    const std::vector<JournalEntry> page = ledger.journal(last);
    if (page.empty()) return;
    for (const JournalEntry& entry : page) take(entry);
    last = page.back().number;
  }
}

Json journal_json(Ledger& ledger) {
  Json list = Json::array();
  each_entry(ledger, [&](const JournalEntry& entry) {
    list.push_back({{"number", entry.number},
                    {"at", entry.at},
                    {"what", entry.what},
                    {"account", entry.account},
                    {"job", entry.job},
                    {"amount_j", entry.amount.value},
                    {"granted_j", entry.granted.value},
                    {"reserved_j", entry.reserved.value},
                    {"spent_j", entry.spent.value}});
  });
  return list;
}

void print_journal(Ledger& ledger) {
  std::vector<std::vector<std::string>> rows{{"number", "at", "what", "account", "job", "amount"}};
  each_entry(ledger, [&](const JournalEntry& entry) {
    rows.push_back({std::to_string(entry.number), entry.at, entry.what, plain_text(entry.account),
                    plain_text(entry.job), fmt::format("{:.3f} J", entry.amount.value)});
  });
  print_table(rows);
}

void print_audit(const Audit& audit) {
  if (audit.adds_up())
    fmt::print("\nthe accounts are exactly what the {} entries of the journal add up to\n",
               audit.entries);
  for (const std::string& difference : audit.differences) fmt::print("\n{}\n", difference);
  for (const std::string& job : audit.overspent)
    fmt::print("{} used more than it had reserved\n", job);
}

void show(const LedgerArguments& options) {
  Ledger ledger(open_fleet_database(options.where.store, Access::write));
  const Audit audit = ledger.audit();
  const std::vector<Account> accounts = ledger.accounts();
  if (options.where.json) {
    Json json{{"accounts", accounts_json(accounts)}, {"audit", audit_json(audit)}};
    if (options.journal) json["journal"] = journal_json(ledger);
    fmt::print("{}\n", json_text(json));
  } else {
    print_accounts(accounts);
    if (options.journal) {
      fmt::print("\n");
      print_journal(ledger);
    }
    print_audit(audit);
  }
  if (!audit.adds_up())
    throw Error(ErrorCode::failed, "the accounts and the journal of the ledger differ");
}

}  // namespace

void add_fleet_grant(CLI::App& fleet, const Settings& settings) {
  auto options = std::make_shared<LedgerArguments>();
  CLI::App* command =
      fleet.add_subcommand("grant", "Grants energy to an account, which jobs then draw from");
  command->add_option("ACCOUNT", options->account, "A kind and a name, as in project:vision")
      ->required();
  command->add_option("ENERGY", options->energy, "How much to add, as in 50kWh")->required();
  command->add_flag("--take-back", options->take_back,
                    "Take it away instead; only what is free can be");
  add_fleet_common(*command, options->where, settings);
  add_example(*command, "ampere fleet grant project:vision 50kWh");
  command->callback([options] { grant(*options); });

  auto showing = std::make_shared<LedgerArguments>();
  CLI::App* ledger = fleet.add_subcommand(
      "ledger", "Shows the energy accounts, and checks that they are what the journal adds up to");
  ledger->add_flag("--journal", showing->journal, "Show every entry of the journal, too");
  add_fleet_common(*ledger, showing->where, settings);
  add_wide_flag(*ledger);
  add_example(*ledger, "ampere fleet ledger --journal");
  ledger->callback([showing] { show(*showing); });
}

}  // namespace ampere
