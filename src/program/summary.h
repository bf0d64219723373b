// What a program costs on paper, by groups, operations and modules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ampere/program.h"

namespace ampere {

struct ProgramWork {
  std::int64_t steps = 0, launching = 0;
  double flops = 0, bytes = 0;  // of all steps together
};

struct GroupWork {
  OperationGroup group = OperationGroup::other;
  std::int64_t distinct = 0;  // operations
  ProgramWork work;
};

struct OperationWork {
  int operation = 0;  // in Program::operations
  ProgramWork work;
};

// A module with everything inside it.
struct ModuleWork {
  std::string path;
  int depth = 1;  // 2 for a module inside one of depth 1
  ProgramWork work;
};

struct ProgramSummary {
  ProgramWork total;
  std::vector<GroupWork> groups;          // those that occur, in the order of the enumeration
  std::vector<OperationWork> operations;  // those that occur, the largest first
  std::vector<ModuleWork> modules;        // of depth 1 and 2, in the order of their first steps
};
ProgramSummary summarize(const Program& program);

// "addmm(fp32[4], fp32[8,9], fp32[9,4])": only tensors, and lists of them by their number.
std::string call_text(const Operation& operation, const std::vector<TensorType>& tensors);

}  // namespace ampere
