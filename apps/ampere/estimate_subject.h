// What `estimate` is asked for: a network, or one iteration as a framework executes it.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "ampere/program.h"
#include "options.h"

namespace ampere {

struct EstimateSubject {
  std::string name;  // as the user wrote it
  std::variant<Model, Program> what;
  std::optional<Script> script = {};  // that the program was traced from

  const Program* program() const { return std::get_if<Program>(&what); }
};

// A MODEL, or the path of a .program file.
EstimateSubject open_subject(const std::string& text, const ModelSource& source);

// A line of standard input: one of these, or a JSON object that is a model or a program itself or
// names one under "model" or "program".
EstimateSubject read_subject(const std::string& line, const ModelSource& source);

}  // namespace ampere
