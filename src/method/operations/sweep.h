// Which operations a sweep of a device times, and in which order.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "method/operations/known_times.h"

namespace ampere {

struct SweepOperation {
  Operation operation;
  std::vector<TensorType> tensors;  // those that its indices point to
  OperationKey key = 0;
  std::vector<std::string> families;  // of the programs that contain it, sorted
};

// One operation of a program on its own, with the tensors that it needs and without families.
SweepOperation taken_out(const Operation& operation, std::span<const TensorType> tensors,
                         OperationKey key);

// What networks of one architecture have in common in their names: "resnet" of resnet50, "bert" of
// bert_base.
std::string family_of(const std::string& program);

// The distinct operations of these programs that give a device work. The first n of them cover
// names, formats and sizes well, whatever n is: operations of one name are spread by taking the one
// next that is farthest from all before, and names that occur in many sizes get more of the n.
std::vector<SweepOperation> sweep_of(std::span<const Program> programs);

}  // namespace ampere
