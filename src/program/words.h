// The words of programs in JSON. Those that are numbers there stand in the order of their numbers.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "ampere/program.h"

namespace ampere {

inline constexpr std::array kProgramPhases{ProgramPhase::forward, ProgramPhase::loss,
                                           ProgramPhase::backward, ProgramPhase::update};
inline constexpr std::array kStorageKinds{StorageKind::weight, StorageKind::gradient,
                                          StorageKind::state, StorageKind::input,
                                          StorageKind::activation};

// Nothing for other words.
std::optional<ElementType> find_element_type(std::string_view word);
std::optional<TraceWay> find_trace_way(std::string_view word);

// The words there are: "fp64, fp32, …".
std::string element_type_words();
std::string trace_way_words();

}  // namespace ampere
