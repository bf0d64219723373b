// Energy accounts. Nobody spends energy that was not granted: it is reserved before a job is
// submitted, drawn before it is used, and settled when the job has ended (docs/ledger.md).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ampere/units.h"

namespace ampere {

class SqlDatabase;

// "project:vision", "user:ana", "device:phone": a kind, a colon and a name.
struct Account {
  std::string name;
  Joules granted, reserved, spent;  // reserved: by jobs that are not settled, drawn or not
  // Negative only after a job has used more than it had reserved.
  Joules free() const { return granted - reserved - spent; }
};

struct Reservation {
  std::string job;  // a name that the caller chooses; one job has one reservation
  Joules most;
  std::vector<std::string> accounts;  // each of them bears the whole amount
};

// How the energy of a job became known. Assumed: nobody read a meter to the end of it, so all that
// was drawn counts as spent.
enum class Settled { measured, modelled, simulated, assumed };
const char* to_string(Settled how);

enum class ReservationState { open, settled, released };
const char* to_string(ReservationState state);

struct ReservationStatus {
  Reservation reservation;
  ReservationState state = ReservationState::open;
  Joules drawn, spent;         // spent: once it is settled
  std::optional<Settled> how;  // once it is settled
};

struct JournalEntry {
  std::int64_t number = 0;          // rising
  std::string at;                   // UTC, by the clock of the database
  std::string what;                 // "grant", "reserve", "draw", "return", "settle", "release"
  std::string account, job;         // what it is about; may be empty
  std::string how;                  // of a settlement, as Settled
  Joules amount;                    // that was granted, reserved, drawn in all, spent or freed
  Joules granted, reserved, spent;  // by how much the account changed
};

struct Audit {
  std::int64_t entries = 0, accounts = 0, reservations = 0;
  std::vector<std::string> differences;  // between the journal and the accounts; empty when none
  std::vector<std::string> overspent;    // jobs that used more than they had drawn
  std::vector<std::string> overdrawn;    // accounts that were ever beyond their grant
  bool adds_up() const { return differences.empty(); }
};

// Amounts are kept in whole millijoules, so that sums are exact: what is granted is rounded to the
// nearest one, and what is reserved, drawn or spent is rounded up. Every change is one transaction
// and writes a journal; any number of processes may use the same database. All functions throw
// Error(usage) for an amount that is negative, not a number or above 1 TJ and for a name that is
// malformed, Error(unknown) for an account or a job that does not exist, and what the database
// throws when it cannot be reached.
class Ledger {
 public:
  // Brings the tables of the ledger to the newest version where it may write. Several objects may
  // share the database; all of them are then used by one thread at a time.
  explicit Ledger(std::shared_ptr<SqlDatabase> database);

  // Adds to the grant; makes the account when it does not exist. A negative amount takes back what
  // is free; Error(failed) says how much that is when it is less.
  void grant(const std::string& account, Joules amount);
  std::vector<Account> accounts();  // by name
  Account account(const std::string& name);

  // All accounts or none. Does nothing when the job has the same reservation already, open or not;
  // Error(failed) when it has another one, or naming the accounts that lack energy, how much, and
  // what would fit.
  void reserve(const std::string& job, Joules most, const std::vector<std::string>& accounts);
  void reserve(const std::vector<Reservation>& reservations);  // in one transaction, all or none

  // What the job may have spent in all from now on: raised BEFORE the energy is used and never
  // beyond the reservation. So whatever dies, at most what was drawn was spent. Returns what the
  // job may use in all; less than was asked for where the reservation ends. Never lowers it.
  // Error(failed) when the reservation is no longer open.
  Joules draw(const std::string& job, Joules in_all);
  // The opposite: the job has used only so much, does not run, and must draw again before it goes
  // on. Error(failed) when that is more than it has drawn.
  void return_drawn(const std::string& job, Joules spent);

  // Ends the reservation: books what was spent and frees the rest. What was really used is booked
  // even when it is more than was reserved, and audit() names the job. Does nothing when the job
  // was settled with the same amount; Error(failed) when with another one or when it was released.
  void settle(const std::string& job, Joules spent, Settled how);
  void settle_assumed(const std::string& job);  // with all that was drawn
  // Ends the reservation of a job that never used any energy. Error(failed) when it has drawn some.
  // Does nothing when it was released already.
  void release(const std::string& job);

  std::optional<ReservationStatus> find(const std::string& job);
  std::vector<JournalEntry> journal(std::int64_t after = 0, std::int64_t at_most = 1000);

  // Recomputes all accounts and reservations from the journal, at one moment, and names every
  // difference.
  Audit audit();

 private:
  std::shared_ptr<SqlDatabase> database_;
};

}  // namespace ampere
