// Which dual models a profile has: one for each family of its networks, with what it was fitted to,
// so that only what has changed is fitted anew.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ampere/profiling.h"
#include "ampere/store.h"
#include "method/dual/families.h"

namespace ampere {

struct FamilyEntry {
  std::string laws;      // the document that has them
  Kinds hidden;          // empty: any
  std::string evidence;  // hash of what they were fitted to
  bool has_host = false;
  CrossValidation check;
};

struct FamilyIndex {
  std::vector<FamilyEntry> families;
  std::map<std::string, std::string> maps;  // hash of its timings, by kind
};

// Of a profile from before there were families: one entry, for any kinds, without a hash. Empty
// where no model was stored.
FamilyIndex family_index(const Store& store, std::int64_t profile);
void put_family_index(Store& store, std::int64_t profile, const FamilyIndex& index);

// The family that a network of these kinds belongs to; nothing where none has all of them.
std::optional<std::size_t> find_family(const FamilyIndex& index,
                                       const std::vector<std::string>& kinds);

// How far all families are off, by how many networks each has.
CrossValidation check_of(const FamilyIndex& index);

std::string laws_document(std::size_t family);  // its name

// Hashes of what a kind's map, and of what a family's laws are fitted to.
std::string timings_hash(const std::vector<TimedPoint>& points);
std::string evidence_hash(const DualData& data, const std::vector<HostPace>& paces,
                          const Family& family);

}  // namespace ampere
