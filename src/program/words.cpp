#include "program/words.h"

#include <fmt/format.h>

namespace ampere {
namespace {

struct Element {
  ElementType type;
  const char* word;
  int bytes;
};

constexpr std::array<Element, 13> kElements{{{ElementType::fp64, "fp64", 8},
                                             {ElementType::fp32, "fp32", 4},
                                             {ElementType::fp16, "fp16", 2},
                                             {ElementType::bf16, "bf16", 2},
                                             {ElementType::fp8, "fp8", 1},
                                             {ElementType::int64, "int64", 8},
                                             {ElementType::int32, "int32", 4},
                                             {ElementType::int16, "int16", 2},
                                             {ElementType::int8, "int8", 1},
                                             {ElementType::uint8, "uint8", 1},
                                             {ElementType::boolean, "bool", 1},
                                             {ElementType::complex64, "complex64", 8},
                                             {ElementType::complex128, "complex128", 16}}};

constexpr std::array kWays{TraceWay::fake, TraceWay::run, TraceWay::lowered, TraceWay::kernels};

const Element& element_of(ElementType type) { return kElements.at(static_cast<std::size_t>(type)); }

}  // namespace

const char* to_string(ElementType type) { return element_of(type).word; }
int bytes_of(ElementType type) { return element_of(type).bytes; }

std::optional<ElementType> find_element_type(std::string_view word) {
  for (const Element& element : kElements)
    if (word == element.word) return element.type;
  return std::nullopt;
}

std::string element_type_words() {
  std::string words;
  for (const Element& element : kElements)
    words += fmt::format("{}{}", words.empty() ? "" : ", ", element.word);
  return words;
}

const char* to_string(TraceWay way) {
  switch (way) {
    case TraceWay::fake:
      return "fake";
    case TraceWay::run:
      return "run";
    case TraceWay::lowered:
      return "lowered";
    case TraceWay::kernels:
      return "kernels";
  }
  return "lowered";
}

std::optional<TraceWay> find_trace_way(std::string_view word) {
  for (const TraceWay way : kWays)
    if (word == to_string(way)) return way;
  return std::nullopt;
}

std::string trace_way_words() {
  std::string words;
  for (const TraceWay way : kWays)
    words += fmt::format("{}{}", words.empty() ? "" : ", ", to_string(way));
  return words;
}

const char* to_string(ProgramPhase phase) {
  switch (phase) {
    case ProgramPhase::forward:
      return "forward";
    case ProgramPhase::loss:
      return "loss";
    case ProgramPhase::backward:
      return "backward";
    case ProgramPhase::update:
      return "update";
  }
  return "forward";
}

const char* to_string(StorageKind kind) {
  switch (kind) {
    case StorageKind::weight:
      return "weights";
    case StorageKind::gradient:
      return "gradients";
    case StorageKind::state:
      return "optimizer state";
    case StorageKind::input:
      return "inputs";
    case StorageKind::activation:
      return "activations";
  }
  return "activations";
}

const char* to_string(OperationGroup group) {
  switch (group) {
    case OperationGroup::product:
      return "product";
    case OperationGroup::convolution:
      return "convolution";
    case OperationGroup::attention:
      return "attention";
    case OperationGroup::recurrent:
      return "recurrent";
    case OperationGroup::norm:
      return "norm";
    case OperationGroup::reduction:
      return "reduction";
    case OperationGroup::pointwise:
      return "pointwise";
    case OperationGroup::index:
      return "index";
    case OperationGroup::update:
      return "update";
    case OperationGroup::view:
      return "view";
    case OperationGroup::other:
      return "other";
  }
  return "other";
}

}  // namespace ampere
