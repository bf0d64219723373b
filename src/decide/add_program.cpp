#include <fmt/format.h>

#include <algorithm>

#include "ampere/decide.h"

namespace ampere {
namespace {

// Networks that differ in more than the numbers they train are not told apart.
void require_same_network(const std::string& name, const Program& program, const Model& model) {
  const std::int64_t own = count(model, 1).parameters;
  if (program.parameters != own)
    throw Error(ErrorCode::usage,
                fmt::format("{} was traced from a network with {} parameters, and {} has {}; trace "
                            "{} itself",
                            name, program.parameters, model.name(), own, model.name()));
}

const Setup* setup_of(const Candidate& candidate) {
  if (const auto* program = std::get_if<Program>(&candidate.how))
    return program->setup ? &*program->setup : nullptr;
  return std::get_if<Setup>(&candidate.how);
}

}  // namespace

void add_program(std::vector<Candidate>& candidates, const std::string& name, Program program,
                 const Model* model) {
  if (model == nullptr || !program.setup) {
    candidates.push_back({name, std::move(program)});
    return;
  }
  require_same_network(name, program, *model);
  const auto found = std::ranges::find_if(candidates, [&](const Candidate& each) {
    const Setup* setup = setup_of(each);
    return setup != nullptr && *setup == *program.setup;
  });
  if (found == candidates.end()) {
    candidates.push_back({to_string(*program.setup), std::move(program)});
    return;
  }
  if (std::holds_alternative<Program>(found->how))
    throw Error(ErrorCode::usage, fmt::format("{}: another program was traced with {}, too; name "
                                              "one of them",
                                              name, found->name));
  found->how = std::move(program);
}

}  // namespace ampere
