#include "version.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/json.h"
#include "base/json_text.h"
#include "build_info.h"
#include "evaluate/evaluation_format.h"
#include "fleet/fleet_schema.h"
#include "ledger/schema.h"
#include "method/operations/general_format.h"
#include "model/model_format.h"
#include "program/program_format.h"
#include "report/bundle.h"
#include "rig/recording_format.h"
#include "rig/serve.h"
#include "rig/worker_trainer.h"
#include "store/schema.h"
#include "store/transfer.h"

namespace ampere {
namespace {

bool is_version(std::string_view word) { return word == "--version" || word == "version"; }
bool is_json(std::string_view word) { return word == "--json"; }

Json text_or_null(std::string_view text) { return text.empty() ? Json(nullptr) : Json(text); }

Json build_json() {
  return {{"revision", text_or_null(build_revision())},
          {"type", kBuildType},
          {"compiler", kBuildCompiler},
          {"flags", kBuildFlags},
          {"architecture", kBuildArchitecture},
          {"pages", !report_script().empty()},
          {"page_estimators", !report_estimators().empty()}};
}

// A store counts the migrations that its tables went through.
Json schemas_json() {
  return {{"sqlite", schema_migrations(SqlEngine::sqlite).size()},
          {"postgresql", schema_migrations(SqlEngine::postgresql).size()},
          {"ledger", ledger_migrations().size()},
          {"fleet", fleet_migrations().size()}};
}

Json version_json() {
  return {{"name", "ampere"},
          {"version", AMPERE_VERSION},
          {"build", build_json()},
          {"store_schema", schemas_json()},
          {"protocols", {{"runner", kRunnerProtocol}, {"worker", kWorkerProtocol}}},
          {"formats",
           {{"model", kModelFormatVersion},
            {"program", kProgramFormatVersion},
            {"recording", kRecordingFormatVersion},
            {"general_profile", kGeneralProfileVersion},
            {"exported_profile", kTransferVersion},
            {"evaluation", kEvaluationFormatVersion}}}};
}

}  // namespace

bool asks_for_version(std::span<char* const> words) {
  return std::ranges::count_if(words, is_version) == 1 &&
         std::ranges::all_of(
             words, [](std::string_view word) { return is_version(word) || is_json(word); });
}

void print_version(std::span<char* const> words) {
  if (std::ranges::any_of(words, is_json))
    fmt::print("{}\n", json_text(version_json()));
  else
    fmt::print("ampere {}\n", AMPERE_VERSION);
}

}  // namespace ampere
