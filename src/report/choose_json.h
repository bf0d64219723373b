// A choice between ways to train as JSON, for programs and pictures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ampere/session.h"
#include "base/json.h"

namespace ampere {

struct ChoiceReport {
  std::string model;  // as the user wrote it
  const ChoiceTask& task;
  const Choices& choices;
  std::optional<OrderCheck> checked;
  // What would help each alternative without an estimate, as the front end says it; empty texts for
  // the others.
  std::vector<std::string> remedies;
};

// `best`, `knee`, `least_energy`, `least_time` and `measured_best` are positions in the list of
// alternatives, counted from 0.
Json choice_json(const ChoiceReport& report);

// "3", "h200": the profile that answered; empty where none did.
std::string profile_of(const Alternative& alternative);

}  // namespace ampere
