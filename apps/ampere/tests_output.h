// How well a profile's fits predict its test points, as text and as JSON.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "method/ampere/test_points.h"

namespace ampere {

struct TestedKind {
  std::string title;
  Role role = Role::hidden;
  std::vector<std::string> feature_names;
  KindTests tests;
};

// All kinds of the plan that have a fit in the store.
std::vector<TestedKind> tested_kinds(std::span<const PlannedKind> plan, const Store& store,
                                     std::int64_t profile);

Json tests_json(const ProfileSummary& summary, std::span<const TestedKind> kinds);
void print_tests(const ProfileSummary& summary, std::span<const TestedKind> kinds);

}  // namespace ampere
