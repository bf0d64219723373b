// Networks that are made of the same kinds of blocks.
//
// Laws that are fitted to one family know it better than laws that have to fit several, and are
// found sooner: what a fit takes grows with more than the square of its networks. So each family of
// a profile has laws of its own.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "method/dual/dual_model.h"

namespace ampere {

using Kinds = std::set<std::string>;  // keys

// Of these, those of blocks between the first and the last of a network: families share the others.
Kinds hidden_kinds(std::span<const std::string> kinds);

struct Family {
  Kinds hidden;
  std::vector<std::size_t> networks;  // by where they are in what was given, in that order
};

// In the order in which they first occur. A network belongs to every family that has all its hidden
// kinds. A family with too few networks for laws of its own borrows some of the others.
std::vector<Family> families_of(std::span<const NetworkRecord> networks);

// The smallest of these sets that has all kinds of the network; nothing where none has.
std::optional<std::size_t> find_family(std::span<const Kinds> families, const Kinds& hidden);

}  // namespace ampere
