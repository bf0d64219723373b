#include "train/operation/boxed_call.h"

#include <ATen/ATen.h>
#include <ATen/ScalarOps.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "ampere/error.h"
#include "base/text.h"
#include "program/words.h"

namespace ampere {
namespace {

// PyTorch's own operations stand without their namespace: "add.Tensor" is "aten::add", "Tensor".
c10::OperatorHandle find_operation(const std::string& name) {
  const std::vector<std::string> parts = split(name, '.');
  auto& dispatcher = c10::Dispatcher::singleton();
  if (parts.size() <= 2)
    if (const auto found = dispatcher.findSchema(
            {"aten::" + parts[0], parts.size() > 1 ? parts[1] : std::string()}))
      return *found;
  if (parts.size() == 2 || parts.size() == 3)
    if (const auto found = dispatcher.findSchema(
            {parts[0] + "::" + parts[1], parts.size() > 2 ? parts[2] : std::string()}))
      return *found;
  throw Error(ErrorCode::failed, name + ": this LibTorch has no such operation");
}

std::optional<double> not_finite(const std::string& text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "inf") return kInfinity;
  if (text == "-inf") return -kInfinity;
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

// Formats of numbers and of memory, which a schema passes as whole numbers.
std::optional<at::IValue> enumerated(const std::string& text) {
  if (const auto element = find_element_type(text)) return at::IValue(scalar_type(*element));
  if (text == "strided") return at::IValue(at::kStrided);
  if (text == "contiguous_format") return at::IValue(at::MemoryFormat::Contiguous);
  if (text == "preserve_format") return at::IValue(at::MemoryFormat::Preserve);
  if (text == "channels_last") return at::IValue(at::MemoryFormat::ChannelsLast);
  if (text == "channels_last_3d") return at::IValue(at::MemoryFormat::ChannelsLast3d);
  return std::nullopt;
}

std::optional<at::IValue> number(const Value& value, bool whole, bool broken) {
  if (const auto* integer = std::get_if<std::int64_t>(&value.is)) {
    if (whole) return at::IValue(*integer);
    return at::IValue(static_cast<double>(*integer));
  }
  if (!broken) return std::nullopt;
  if (const auto* real = std::get_if<double>(&value.is)) return at::IValue(*real);
  if (const auto* text = std::get_if<std::string>(&value.is))
    if (const auto special = not_finite(*text)) return at::IValue(*special);
  return std::nullopt;
}

// What is no list, tensor or device. Nothing when the value is not of this kind.
std::optional<at::IValue> plain(const Value& value, c10::TypeKind wanted) {
  const auto* flag = std::get_if<bool>(&value.is);
  const auto* text = std::get_if<std::string>(&value.is);
  switch (wanted) {
    case c10::TypeKind::BoolType:
      return flag ? std::optional(at::IValue(*flag)) : std::nullopt;
    case c10::TypeKind::StringType:
      return text ? std::optional(at::IValue(*text)) : std::nullopt;
    case c10::TypeKind::FloatType:
      return number(value, false, true);
    case c10::TypeKind::NumberType:
      return flag ? std::optional(at::IValue(*flag)) : number(value, true, true);
    default:
      return text ? enumerated(*text) : number(value, true, false);
  }
}

}  // namespace

BoxedCall::BoxedCall(const std::string& name) : operation_(find_operation(name)), name_(name) {
  for (const c10::Argument& argument : operation_.schema().arguments())
    arguments_.push_back(argument.default_value() ? *argument.default_value() : at::IValue());
}

std::size_t BoxedCall::place_of(const std::string& argument) const {
  const auto& known = operation_.schema().arguments();
  return static_cast<std::size_t>(std::distance(
      known.begin(),
      std::ranges::find_if(known, [&](const auto& each) { return each.name() == argument; })));
}

bool BoxedCall::takes(const std::string& argument) const {
  return place_of(argument) < arguments_.size();
}

void BoxedCall::set(const std::string& argument, at::IValue value) {
  arguments_.at(place_of(argument)) = std::move(value);
}

std::vector<const Value*> BoxedCall::given(const Operation& operation) const {
  std::vector<const Value*> given(arguments_.size());
  if (operation.arguments.size() > given.size())
    throw Error(ErrorCode::failed, fmt::format("{}: {} arguments, but it takes {}", name_,
                                               operation.arguments.size(), given.size()));
  for (std::size_t i = 0; i < operation.arguments.size(); ++i) given[i] = &operation.arguments[i];
  for (const auto& [argument, value] : operation.keywords) {
    if (!takes(argument))
      throw Error(ErrorCode::failed, fmt::format("{}: it takes no '{}'", name_, argument));
    given[place_of(argument)] = &value;
  }
  return given;
}

void BoxedCall::set_all(const Operation& operation, at::Device device, const MakeTensor& make) {
  const auto& known = operation_.schema().arguments();
  const std::vector<const Value*> values = given(operation);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const bool may_be_absent = known[i].type()->kind() == c10::TypeKind::OptionalType;
    if (known[i].name() == "device")
      arguments_[i] = device;
    else if (values[i] && !std::holds_alternative<std::monostate>(values[i]->is))
      arguments_[i] = convert(*values[i], known[i], known[i].type(), make);
    else if (values[i] && may_be_absent)
      arguments_[i] = at::IValue();
    else if (!may_be_absent && !known[i].default_value())
      refuse(known[i], "is missing");
  }
}

at::IValue BoxedCall::convert(const Value& value, const c10::Argument& argument,
                              const c10::TypePtr& wanted, const MakeTensor& make) const {
  switch (wanted->kind()) {
    case c10::TypeKind::OptionalType:
      if (std::holds_alternative<std::monostate>(value.is)) return {};
      return convert(value, argument, wanted->containedType(0), make);
    case c10::TypeKind::TensorType:
      if (is_tensor(value)) return make(value, argument.name());
      // As Python does: x * 0.9 multiplies by a tensor that is a number.
      if (const auto scalar = plain(value, c10::TypeKind::NumberType))
        return at::native::wrapped_scalar_tensor(scalar->toScalar());
      refuse(argument, "must be a tensor");
    case c10::TypeKind::ListType: {
      const c10::TypePtr item = wanted->containedType(0);
      if (const auto* list = std::get_if<ValueList>(&value.is))
        return convert_list(*list, argument, item, make);
      // A single number may stand for one of each axis.
      return convert_list(ValueList(static_cast<std::size_t>(argument.N().value_or(1)), value),
                          argument, item, make);
    }
    default: {
      const std::optional<at::IValue> made = plain(value, wanted->kind());
      if (!made) refuse(argument, "must be of the type " + wanted->str());
      return *made;
    }
  }
}

at::IValue BoxedCall::convert_list(const ValueList& list, const c10::Argument& argument,
                                   const c10::TypePtr& item, const MakeTensor& make) const {
  c10::impl::GenericList made(item);
  for (const Value& each : list) made.push_back(convert(each, argument, item, make));
  return made;
}

torch::jit::Stack BoxedCall::operator()() const {
  torch::jit::Stack stack = arguments_;
  operation_.callBoxed(stack);
  return stack;
}

void BoxedCall::refuse(const c10::Argument& argument, const std::string& why) const {
  throw Error(ErrorCode::failed, fmt::format("{}: its '{}' {}", name_, argument.name(), why));
}

}  // namespace ampere
