#include "generating.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/plain_text.h"
#include "front_door.h"
#include "output_folder.h"
#include "program/generation_step.h"
#include "rig/rig_spec.h"
#include "script_argument.h"
#include "terminal.h"

namespace ampere {
namespace {

constexpr const char* kProgramEnding = ".program";

std::vector<std::int64_t> batches_of(const GenerationQuestion& question) {
  return question.options.batches_with(question.batch, question.usual_batch);
}

std::string program_file_name(const Program& program) {
  const GenerationStep& call = program.generation.value();
  const bool decodes = call.stage == GenerationStage::decode;
  return fmt::format("{}-{}-b{}-{}{}{}", std::filesystem::path(program.name).filename().string(),
                     to_string(call.stage), call.batch, decodes ? 'c' : 'p',
                     decodes ? call.context : call.tokens, kProgramEnding);
}

void keep_programs(const std::vector<Program>& programs, const std::string& folder) {
  require_folder(folder, "--keep-programs");
  for (const Program& program : programs)
    save_program((std::filesystem::path(folder) / program_file_name(program)).string(), program);
}

std::vector<Program> traced(const GenerationQuestion& question, const GenerationTask& task,
                            const Script& script, Rig& rig) {
  const auto calls = calls_to_trace(task, batches_of(question), question.options.contexts);
  std::vector<Program> programs;
  std::set<std::string> notes;
  ProgressLine line;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    line.show(fmt::format("tracing {} of {}: {}", i + 1, calls.size(), to_string(calls[i])));
    TraceRequest request;
    request.step = script;
    request.generation = calls[i];
    request.number_format = question.number_format;
    Trace trace = rig.trace(request);
    if (!trace.program.generation)
      throw Error(ErrorCode::failed,
                  "the rig traced a training step: its worker is too old to trace a generation");
    notes.insert(trace.notes.begin(), trace.notes.end());
    programs.push_back(std::move(trace.program));
  }
  line.clear();
  for (const std::string& note : notes) fmt::print(stderr, "ampere: note: {}\n", plain_lines(note));
  return programs;
}

// Of the batches that were asked for, if any were.
std::vector<Program> read_programs(const GenerationQuestion& question) {
  if (!question.number_format.empty())
    throw Error(ErrorCode::usage,
                "--precision: traced programs have a number format of their own; leave it out");
  if (!question.options.contexts.empty() || !question.options.keep_programs.empty())
    throw Error(ErrorCode::usage,
                "--contexts and --keep-programs are for a script, which is traced first");
  std::vector<std::int64_t> wanted = question.options.batches;
  if (question.batch) wanted.push_back(*question.batch);
  std::vector<Program> programs;
  for (const std::string& path : question.models) {
    Program program = load_program(path);
    if (!program.generation)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: is one training iteration, and neither a prefill nor a decode; "
                              "`ampere estimate FILE.py:FUNCTION --mode generation "
                              "--keep-programs FOLDER` writes such programs",
                              path));
    if (wanted.empty() || std::ranges::count(wanted, program.generation->batch) > 0)
      programs.push_back(std::move(program));
  }
  for (const std::int64_t batch : wanted)
    if (std::ranges::none_of(
            programs, [&](const Program& program) { return program.generation->batch == batch; }))
      throw Error(ErrorCode::usage, fmt::format("--batch: no program has batch {}", batch));
  return programs;
}

Session open_store_of(const GenerationQuestion& question) {
  // Profiles that came with the program need no store.
  if (!question.query.device.empty()) return open_preview_session(question.store);
  return open_session(question.store, Access::read);
}

}  // namespace

Generated answer_generation(const GenerationQuestion& question) {
  Generated result;
  result.task = question.options.task(question.confidence);
  calls_to_trace(result.task, batches_of(question), question.options.contexts);  // checks numbers
  if (question.models.empty())
    throw Error(ErrorCode::usage,
                "needs a language model, FILE.py:FUNCTION, or .program files of its calls");
  ProfileQuery query = question.query;
  const bool are_programs = std::ranges::all_of(
      question.models, [](const std::string& text) { return text.ends_with(kProgramEnding); });
  if (are_programs) {
    const std::vector<Program> programs = read_programs(question);
    const Session session = open_store_of(question);
    const auto rig = question.refine ? question.rig.open() : nullptr;
    result.answer =
        rig ? session.refine_generation(result.task, programs, {}, query, {*rig, question.rig.rig})
            : session.generation(result.task, programs, query);
    return result;
  }
  if (question.models.size() > 1 || !is_script(question.models.front()))
    throw Error(ErrorCode::usage,
                fmt::format("{}: has no cache to generate text with; give one script, "
                            "FILE.py:FUNCTION, that makes a language model, or .program files of "
                            "its calls (docs/generation.md)",
                            question.models.front()));
  const auto script = script_argument(question.models.front(), question.arguments);
  const Session session = open_store_of(question);
  RigSelection selection = question.rig;
  selection.rig = torch_rig_of(selection.rig);
  // Where nothing is measured, it does not matter which meter the rig has.
  const auto rig =
      question.refine ? selection.open() : open_rig(selection.rig, selection.options());
  if (query.profile.empty() && query.device.empty()) {
    query.profile = rig->device().fingerprint;
    query.rig.clear();
  }
  const std::vector<Program> programs = traced(question, result.task, *script, *rig);
  if (!question.options.keep_programs.empty())
    keep_programs(programs, question.options.keep_programs);
  result.answer = question.refine
                      ? session.refine_generation(result.task, programs,
                                                  ModelScript{*script, question.number_format},
                                                  query, {*rig, selection.rig})
                      : session.generation(result.task, programs, query);
  return result;
}

void list_calls(const GenerationQuestion& question, bool json) {
  const auto calls = calls_to_trace(question.options.task(question.confidence),
                                    batches_of(question), question.options.contexts);
  Json list = Json::array();
  for (const GenerationStep& call : calls) {
    list.push_back(generation_step_json(call));
    if (!json) fmt::print("{}\n", to_string(call));
  }
  if (json) fmt::print("{}\n", json_text(Json{{"calls", std::move(list)}}));
}

}  // namespace ampere
