#include "lowering/recorder.h"

#include <fmt/format.h>

namespace ampere::lowering {
namespace {

void spell(const Value& value, std::string& text);

struct Spelling {
  std::string& text;
  void operator()(std::monostate) const { text += '-'; }
  void operator()(bool value) const { text += value ? 't' : 'f'; }
  void operator()(std::int64_t value) const {
    fmt::format_to(std::back_inserter(text), "{}", value);
  }
  void operator()(double value) const { fmt::format_to(std::back_inserter(text), "{}d", value); }
  void operator()(const std::string& value) const { text += '"' + value + '"'; }
  void operator()(TensorIndex value) const {
    fmt::format_to(std::back_inserter(text), "#{}", value.index);
  }
  void operator()(const ValueList& values) const {
    text += '[';
    for (const Value& each : values) spell(each, text);
    text += ']';
  }
};

void spell(const Value& value, std::string& text) {
  std::visit(Spelling{text}, value.is);
  text += ',';
}

// Equal for equal operations only.
std::string key_of(const Operation& operation) {
  std::string text = operation.name;
  spell(Value{operation.arguments}, text);
  for (const auto& [name, value] : operation.keywords) {
    text += name;
    spell(value, text);
  }
  spell(Value{operation.results}, text);
  text += operation.launches ? 'l' : '_';
  text += operation.waits ? 'w' : '_';
  return text;
}

}  // namespace

Argument::Argument(const Tensor& tensor) {
  if (tensor.defined()) is = tensor.type;
}

Argument::Argument(const Tensors& tensors) : is(Arguments(tensors.begin(), tensors.end())) {}

Argument::Argument(const Sizes& sizes) : is(Arguments(sizes.begin(), sizes.end())) {}

int Recorder::index_of(const TensorType& type) {
  TensorType usual = canonical(type);
  const auto [place, is_new] = tensors_.try_emplace({usual.element, {usual.sizes, usual.strides}},
                                                    static_cast<int>(program_.tensors.size()));
  if (is_new) program_.tensors.push_back(std::move(usual));
  return place->second;
}

Value Recorder::value_of(const Argument& argument) {
  if (const auto* type = std::get_if<TensorType>(&argument.is))
    return {TensorIndex{index_of(*type)}};
  if (const auto* list = std::get_if<Arguments>(&argument.is)) {
    ValueList values;
    for (const Argument& each : *list) values.push_back(value_of(each));
    return {std::move(values)};
  }
  Value value;
  std::visit(
      [&](const auto& each) {
        using Kind = std::decay_t<decltype(each)>;
        if constexpr (!std::is_same_v<Kind, TensorType> && !std::is_same_v<Kind, Arguments>)
          value.is = each;
      },
      argument.is);
  return value;
}

int Recorder::record(const Call& call) {
  if (paused) return -1;
  Operation operation;
  operation.name = call.name;
  for (const Argument& each : call.arguments) operation.arguments.push_back(value_of(each));
  for (const auto& [name, each] : call.keywords)
    operation.keywords.emplace_back(name, value_of(each));
  for (const Argument& each : call.results) operation.results.push_back(value_of(each));
  operation.launches = call.launches;
  operation.waits = call.waits;
  const auto [place, is_new] =
      operations_.try_emplace(key_of(operation), static_cast<int>(program_.operations.size()));
  if (is_new) program_.operations.push_back(std::move(operation));
  program_.steps.push_back({place->second, phase, module});
  return step() - 1;
}

int Recorder::module_of(const std::string& path) {
  const auto [place, is_new] =
      modules_.try_emplace(path, static_cast<int>(program_.modules.size()));
  if (is_new) program_.modules.push_back(path);
  return place->second;
}

std::shared_ptr<Memory> Recorder::allocate(const TensorType& type, bool before, StorageKind kind) {
  const auto row = static_cast<int>(program_.storages.size());
  Storage storage;
  storage.bytes = product(type.sizes) * bytes_of(type.element);
  storage.born = before || paused ? -1 : step() - 1;
  storage.kind = kind;
  program_.storages.push_back(storage);
  return std::make_shared<Memory>(*this, row);
}

Program Recorder::finish() && {
  finished_ = true;
  // What was gone before the iteration was never part of it.
  std::erase_if(program_.storages, [](const Storage& each) {
    return each.bytes == 0 || (each.born == -1 && each.freed == 0);
  });
  return std::move(program_);
}

Memory::~Memory() {
  if (!recorder_.finished_) recorder_.program_.storages[row_].freed = recorder_.step();
}

void Memory::mark(StorageKind kind) {
  if (!recorder_.finished_) recorder_.program_.storages[row_].kind = kind;
}

}  // namespace ampere::lowering
