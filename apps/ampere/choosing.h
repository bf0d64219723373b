// Weighs what the command line asks for, and measures the best of it.
#pragma once

#include <string>

#include "choose_options.h"
#include "report/choose_json.h"

namespace ampere {

// What is measured after weighing.
struct ChoiceChecks {
  int count = 0;  // of the most promising ones; 0: nothing is measured
  Precision precision = {};
  Learning learning = Learning::yes;
};

// The task points to the model of the subject, so that neither may be copied.
struct Chosen {
  ChoiceSubject subject;
  ChoiceTask task;
  Choices choices;
  std::optional<OrderCheck> checked;
  std::string rig;  // to profile on, where it is known; else empty

  ChoiceReport report() const;
};
void choose_by(const ChooseOptions& options, const ChoiceChecks& checks, Chosen& chosen);

// What would make an estimate possible, as a command; empty where there is one, or nobody knows.
std::string remedy_of(const Chosen& chosen, const Alternative& alternative);

// Whether commands of the same kind would make both estimates possible, for other settings.
bool have_like_remedies(const Chosen& chosen, const Alternative& one, const Alternative& other);

// Throws Error(unknown) with the remedy when nothing could be estimated, and Error(failed) when
// nothing keeps the limits.
void require_best(const Chosen& chosen);

}  // namespace ampere
