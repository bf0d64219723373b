// An operation of LibTorch by its name, through the dispatcher, with arguments that are found at
// run time. Seen by the sources that see torch.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <functional>
#include <map>
#include <string>

#include "train/operation/tensors.h"

namespace ampere {

// Makes the tensor in an argument with this name.
using MakeTensor = std::function<at::Tensor(const Value& value, const std::string& argument)>;

class BoxedCall {
 public:
  // With the defaults of its arguments. Throws Error(failed) when this LibTorch has no operation of
  // this name: "add.Tensor", "mm", "torchvision.nms".
  explicit BoxedCall(const std::string& name);

  // Throws Error(failed) for an argument that the operation does not take, and for one that is
  // missing.
  void set_all(const Operation& operation, at::Device device, const MakeTensor& make);
  void set(const std::string& argument, at::IValue value);  // of an argument that it takes
  bool takes(const std::string& argument) const;

  torch::jit::Stack operator()() const;  // what it returns

 private:
  std::size_t place_of(const std::string& argument) const;  // past the last where there is none
  std::vector<const Value*> given(const Operation& operation) const;  // by place
  at::IValue convert(const Value& value, const c10::Argument& argument, const c10::TypePtr& wanted,
                     const MakeTensor& make) const;
  at::IValue convert_list(const ValueList& list, const c10::Argument& argument,
                          const c10::TypePtr& item, const MakeTensor& make) const;
  [[noreturn]] void refuse(const c10::Argument& argument, const std::string& why) const;

  c10::OperatorHandle operation_;
  std::string name_;
  torch::jit::Stack arguments_;
};

}  // namespace ampere
