#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "program/cut_program.h"
#include "program/generation_step.h"
#include "program/program_format.h"
#include "program/program_json.h"
#include "program/words.h"
#include "setup/setup_json.h"

namespace ampere {
namespace {

constexpr const char* kFormat = "ampere-program";

// The value of a key, or null.
const Json& find(const Json& json, const char* key) {
  static const Json nothing;
  const auto found = json.find(key);
  return found == json.end() ? nothing : *found;
}

void check_header(const JsonField& json) {
  if (!json.json().is_object() || find(json.json(), "format") != kFormat)
    json.fail(fmt::format("is not a program: its \"format\" is not \"{}\"", kFormat));
  if (find(json.json(), "version") != kProgramFormatVersion)
    json.at("version").fail(fmt::format(
        "is not {}, the version that is read; trace the program again", kProgramFormatVersion));
}

ProgramOrigin read_origin(const Json& json, const Place& place) {
  place.object(json);
  ProgramOrigin origin;
  if (!find(json, "way").is_string()) Place(place, "way").fail("must be text");
  const std::string word = find(json, "way").get<std::string>();
  const auto way = find_trace_way(word);
  if (!way) Place(place, "way").fail(fmt::format("is none of {}", trace_way_words()));
  origin.way = *way;
  for (const auto& [key, text] :
       {std::pair{"framework", &origin.framework}, std::pair{"device", &origin.device}})
    if (!find(json, key).is_null()) *text = Place(place, key).text(find(json, key));
  return origin;
}

std::vector<std::string> read_modules(const Json& json, const Place& place) {
  if (json.is_null()) return {""};
  if (place.list(json).size() > kMostDistinct)
    place.fail(fmt::format("has {} paths; at most {} are read", json.size(), kMostDistinct));
  std::vector<std::string> modules;
  modules.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) modules.push_back(Place(place, i).text(json[i]));
  if (modules.empty() || !modules.front().empty())
    place.fail("must begin with \"\", the whole network");
  return modules;
}

std::vector<ProgramStep> read_steps(const Json& json, const Place& place, const Program& program) {
  if (place.list(json).empty()) place.fail("is empty: an iteration has at least one step");
  if (json.size() > kMostSteps)
    place.fail(fmt::format("has {} steps; at most {} are read", json.size(), kMostSteps));
  std::vector<ProgramStep> steps;
  steps.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const Place here(place, i);
    const Json& step = here.list(json[i]);
    if (step.size() != 3) here.fail("must be [operation, phase, module]");
    const int operation = here.index(step[0], "operation", program.operations.size());
    const int phase = here.index(step[1], "phase", kProgramPhases.size());
    const int module = here.index(step[2], "module", program.modules.size());
    steps.push_back({operation, kProgramPhases.at(static_cast<std::size_t>(phase)), module});
  }
  return steps;
}

std::vector<ProgramStep> check_steps(std::span<const std::array<int, 3>> rows, const Place& place,
                                     const Program& program) {
  std::vector<ProgramStep> steps;
  steps.reserve(rows.size());
  for (const auto& [operation, phase, module] : rows) {
    if (std::cmp_greater_equal(operation, program.operations.size()) ||
        std::cmp_greater_equal(phase, kProgramPhases.size()) ||
        std::cmp_greater_equal(module, program.modules.size()))
      place.fail("has an index that does not exist");
    steps.push_back({operation, kProgramPhases[static_cast<std::size_t>(phase)], module});
  }
  return steps;
}

Storage read_storage(const Json& json, const Place& place, std::int64_t steps) {
  if (place.list(json).size() != 4) place.fail("must be [bytes, born, freed, kind]");
  Storage storage;
  storage.bytes = Place(place, std::size_t{0}).whole(json[0]);
  const std::int64_t born = Place(place, 1).integer(json[1]);
  if (born < -1 || born >= steps)
    Place(place, 1).fail(fmt::format("step {} does not exist (there are {})", born, steps));
  storage.born = static_cast<int>(born);
  if (!json[2].is_null()) {
    const std::int64_t freed = Place(place, 2).integer(json[2]);
    if (freed <= born || freed > steps)
      Place(place, 2).fail(
          fmt::format("must be after step {}, and at most {}, the number of steps", born, steps));
    storage.freed = static_cast<int>(freed);
  }
  const int kind = Place(place, 3).index(json[3], "kind", kStorageKinds.size());
  storage.kind = kStorageKinds.at(static_cast<std::size_t>(kind));
  return storage;
}

std::vector<Storage> read_storages(const Json& json, const Place& place, std::size_t steps) {
  if (json.is_null()) return {};
  if (place.list(json).size() > kMostStorages)
    place.fail(fmt::format("has {} storages; at most {} are read", json.size(), kMostStorages));
  std::vector<Storage> storages;
  storages.reserve(json.size());
  std::int64_t left = INT64_MAX;
  for (std::size_t i = 0; i < json.size(); ++i) {
    storages.push_back(read_storage(json[i], Place(place, i), static_cast<std::int64_t>(steps)));
    if (storages.back().bytes > left) place.fail("has more bytes than 63 bits can count");
    left -= storages.back().bytes;
  }
  return storages;
}

double read_seconds(const Json& json, const Place& place) {
  const double seconds = json.is_number() ? json.get<double>() : -1;
  if (!(seconds >= 0 && std::isfinite(seconds))) place.fail("must be seconds, and not negative");
  return seconds;
}

SeenTimes read_seen(const Json& json, const Place& place, std::size_t operations) {
  place.object(json);
  SeenTimes seen;
  seen.device = Place(place, "device").text(find(json, "device"));
  seen.host_s = read_seconds(find(json, "host_s"), Place(place, "host_s"));
  const Place here(place, "operations_s");
  const Json& times = here.list(find(json, "operations_s"));
  if (times.size() != operations)
    here.fail(fmt::format("has {} times, and there are {} operations", times.size(), operations));
  seen.operations_s.reserve(operations);
  for (std::size_t i = 0; i < operations; ++i)
    seen.operations_s.push_back(read_seconds(times[i], Place(here, i)));
  return seen;
}

// What is not in the JSON of a program whose steps and operations were cut out of its text.
void check_cut(const Json& json, const Place& place) {
  if (json != kElsewhere) place.fail("is not a key of the program itself");
}

// `cut` is null where everything is in the JSON.
Program read(const JsonField& field, CutProgram* cut) {
  check_header(field);
  const Json& json = field.json();
  const Place place(field);
  Program program;
  const auto number = [&](const char* key) {
    return find(json, key).is_null() ? 0 : Place(place, key).whole(find(json, key));
  };
  if (!find(json, "name").is_null()) program.name = Place(place, "name").text(find(json, "name"));
  program.origin = read_origin(find(json, "origin"), Place(place, "origin"));
  if (field.has("setup")) program.setup = read_setup(field.at("setup"));
  if (field.has("generation")) program.generation = read_generation_step(field.at("generation"));
  if (field.has("samples")) program.samples = number("samples");
  program.parameters = number("parameters");
  program.module_calls = number("module_calls");
  program.modules = read_modules(find(json, "modules"), Place(place, "modules"));
  program.tensors = read_tensors(find(json, "tensors"), Place(place, "tensors"));
  const Json &operations = find(json, "operations"), &steps = find(json, "steps");
  const Place at_operations(place, "operations"), at_steps(place, "steps");
  if (cut == nullptr) {
    program.operations = read_operations(operations, at_operations, program.tensors);
  } else {
    check_cut(operations, at_operations);
    check_operations(cut->operations, at_operations, program.tensors);
    program.operations = std::move(cut->operations);
  }
  if (field.has("seen"))
    program.seen = read_seen(find(json, "seen"), Place(place, "seen"), program.operations.size());
  if (cut == nullptr) {
    program.steps = read_steps(steps, at_steps, program);
  } else {
    check_cut(steps, at_steps);
    program.steps = check_steps(cut->steps, at_steps, program);
  }
  program.storages =
      read_storages(find(json, "storages"), Place(place, "storages"), program.steps.size());
  return program;
}

}  // namespace

Program read_program(const JsonField& field) { return read(field, nullptr); }

Program read_program(const JsonField& field, CutProgram cut) { return read(field, &cut); }

}  // namespace ampere
