// Transactions that change accounts take turns: most of them change the same few accounts, and
// would otherwise collide and be repeated.
#pragma once

namespace ampere {

inline constexpr const char* kLedgerTurn = "ledger";

}  // namespace ampere
