#include "method/operations/sweep.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/parallel.h"
#include "method/operations/operation_features.h"
#include "program/tensor_table.h"

namespace ampere {
namespace {

// A name with n operations gets a share that grows as n to this power.
constexpr double kShareOfMany = 0.7;

struct Found {
  SweepOperation operation;
  std::set<std::string> families;
};

std::map<OperationKey, Found> distinct(std::span<const Program> programs) {
  std::map<OperationKey, Found> all;
  for (const Program& program : programs) {
    const std::string family = family_of(program.name);
    const std::vector<OperationKey> keys = operation_keys(program.operations, program.tensors);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!program.operations[i].launches) continue;
      Found& found = all[keys[i]];
      if (found.families.empty())
        found.operation = taken_out(program.operations[i], program.tensors, keys[i]);
      found.families.insert(family);
    }
  }
  return all;
}

// Operations of one name and format, with what spreads them.
struct Class {
  std::vector<SweepOperation*> members;
  std::vector<std::vector<double>> features;

  // Every feature gets the same weight.
  void standardise() {
    for (std::size_t f = 0; f < features.front().size(); ++f) {
      double sum = 0, squares = 0;
      for (const auto& row : features) sum += row[f], squares += row[f] * row[f];
      const auto count = static_cast<double>(features.size());
      const double mean = sum / count;
      const double deviation = std::sqrt(std::max(0.0, squares / count - mean * mean));
      for (auto& row : features) row[f] = deviation > 1e-9 ? (row[f] - mean) / deviation : 0;
    }
  }

  // The members in their new order. The first is the one nearest to the middle.
  std::vector<SweepOperation*> spread() {
    standardise();
    std::vector<double> distance(members.size());
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const double value : features[i]) distance[i] -= value * value;
    std::vector<SweepOperation*> order;
    std::vector<bool> taken(members.size(), false);
    while (order.size() < members.size()) {
      std::size_t next = members.size();
      for (std::size_t i = 0; i < members.size(); ++i)
        if (!taken[i] && (next == members.size() || distance[i] > distance[next])) next = i;
      if (order.empty()) std::ranges::fill(distance, std::numeric_limits<double>::infinity());
      taken[next] = true;
      order.push_back(members[next]);
      for (std::size_t i = 0; i < members.size(); ++i) {
        double to_next = 0;
        for (std::size_t f = 0; f < features[i].size(); ++f) {
          const double difference = features[i][f] - features[next][f];
          to_next += difference * difference;
        }
        distance[i] = std::min(distance[i], to_next);
      }
    }
    return order;
  }
};

std::map<std::string, Class> classes_of(std::map<OperationKey, Found>& all) {
  std::map<std::string, Class> classes;
  for (auto& [key, found] : all) {
    const SweepOperation& its = found.operation;
    const auto features = operation_features(its.operation, its.tensors, {});
    if (!features) continue;
    Class& of_its = classes[name_in_part(its.operation) + (features->half ? " half " : " ") +
                            std::to_string(features->values.size())];
    of_its.members.push_back(&found.operation);
    of_its.features.push_back(features->values);
  }
  return classes;
}

}  // namespace

SweepOperation taken_out(const Operation& operation, std::span<const TensorType> tensors,
                         OperationKey key) {
  TensorTable own;
  SweepOperation alone;
  alone.operation = own.add(operation, tensors);
  alone.tensors = own.types();
  alone.key = key;
  return alone;
}

std::string family_of(const std::string& program) {
  const auto end = std::ranges::find_if(program, [](unsigned char each) {
    return std::isdigit(each) != 0 || each == '_' || each == ':' || each == '-';
  });
  return std::string(program.begin(), end);
}

std::vector<SweepOperation> sweep_of(std::span<const Program> programs) {
  std::map<OperationKey, Found> all = distinct(programs);
  std::map<std::string, Class> classes = classes_of(all);
  std::vector<Class*> of_name;
  for (auto& [name, its] : classes) of_name.push_back(&its);
  std::vector<std::vector<SweepOperation*>> spread(of_name.size());
  in_parallel(of_name.size(), [&](std::size_t i) { spread[i] = of_name[i]->spread(); });

  std::vector<std::pair<double, SweepOperation*>> order;
  for (const auto& members : spread) {
    const double share = std::pow(static_cast<double>(members.size()), kShareOfMany);
    for (std::size_t i = 0; i < members.size(); ++i)
      order.emplace_back((static_cast<double>(i) + 0.5) / share, members[i]);
  }
  std::ranges::stable_sort(order, {}, &std::pair<double, SweepOperation*>::first);
  std::vector<SweepOperation> sweep;
  sweep.reserve(order.size());
  for (const auto& [rank, member] : order) {
    const std::set<std::string>& families = all.at(member->key).families;
    member->families.assign(families.begin(), families.end());
    sweep.push_back(std::move(*member));
  }
  return sweep;
}

}  // namespace ampere
