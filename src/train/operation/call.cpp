#include "train/operation/call.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <memory>

#include "ampere/error.h"
#include "program/operation_view.h"
#include "train/operation/boxed_call.h"
#include "train/operation/limits.h"
#include "train/operation/recipes.h"

namespace ampere {
namespace {

// The host waits for the device inside of these, so the device cannot be kept busy.
constexpr std::array<std::string_view, 10> kWaiting{
    "_local_scalar_dense", "item",    "nonzero",  "masked_select", "equal",
    "is_nonzero",          "_unique", "_unique2", "unique_dim",    "unique_consecutive"};

// A gradient that was found not to be finite makes the update skip everything.
void make_harmless(const std::string& argument, at::Tensor& tensor) {
  if (argument == "found_inf") tensor.zero_();
  if (argument == "grad_scale" || argument == "inv_scale") tensor.fill_(1);
}

}  // namespace

OperationCall make_call(const Operation& operation, const OperationTensors& tensors) {
  if (std::ranges::find(kWaiting, plain_name(operation)) != kWaiting.end())
    throw Error(ErrorCode::failed,
                operation.name + ": the host waits for the device in it, so it is not timed alone");
  if (const OperationRecipe recipe = find_recipe(operation.name)) return recipe(operation, tensors);
  const auto call = std::make_shared<BoxedCall>(operation.name);
  const auto axes = index_limits(operation, tensors.types());
  std::size_t next_axis = 0;
  call->set_all(operation, tensors.device(), [&](const Value& value, const std::string& argument) {
    const bool is_axis = argument == "indices" && axes && next_axis < axes->size();
    at::Tensor made = tensors.make(
        value, is_axis ? (*axes)[next_axis++] : limit_of(operation, argument, tensors.types()));
    make_harmless(argument, made);
    return made;
  });
  return [call] { (*call)(); };
}

}  // namespace ampere
