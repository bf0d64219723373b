#include <fmt/format.h>

#include "base/json_text.h"
#include "base/plain_text.h"
#include "base/text.h"
#include "commands.h"
#include "interrupt.h"
#include "options.h"
#include "print.h"
#include "sql/sql.h"
#include "store/copy_store.h"
#include "terminal.h"

namespace ampere {
namespace {

struct CopyArguments {
  std::string from, to;
  bool json = false;
};

Json parts_json(const ProfileParts& parts) {
  return {{"observations", parts.observations},
          {"timings", parts.timings},
          {"fits", parts.fits},
          {"documents", parts.documents}};
}

Json copied_json(const CopiedProfile& profile) {
  return {{"from", profile.from},
          {"to", profile.to},
          {"device", profile.device.name},
          {"setup", to_string(profile.setup)},
          {"found", parts_json(profile.found)},
          {"added", parts_json(profile.added)},
          {"digest", profile.digest},
          {"target_digest", profile.target_digest}};
}

// "12 (3 added)": how many there are, and how many the target lacked.
std::string count_text(std::int64_t found, std::int64_t added) {
  return added == 0 ? std::to_string(found) : fmt::format("{} ({} added)", found, added);
}

std::vector<std::string> cells(const CopiedProfile& profile) {
  return {fmt::format("{} -> {}", profile.from, profile.to),
          profile.device.name,
          to_string(profile.setup),
          count_text(profile.found.observations, profile.added.observations),
          count_text(profile.found.timings, profile.added.timings),
          count_text(profile.found.fits + profile.found.documents,
                     profile.added.fits + profile.added.documents),
          profile.digest == profile.target_digest ? profile.digest : "the target has more"};
}

void copy(const CopyArguments& options) {
  TerminalListener listener("copying");
  const auto tell = [&](const std::string& message) { listener.warning(message); };
  const std::vector<CopiedProfile> copied =
      copy_store(options.from, options.to, {stop_token(), tell}, listener);
  listener.finish();
  if (options.json) {
    Json profiles = Json::array();
    for (const CopiedProfile& profile : copied) profiles.push_back(copied_json(profile));
    fmt::print("{}\n", json_text({{"from", masked_url(options.from)},
                                  {"to", masked_url(options.to)},
                                  {"profiles", std::move(profiles)}}));
    return;
  }
  std::vector<std::vector<std::string>> rows{
      {"profile", "device", "setup", "observations", "timings", "fits and texts", "digest"}};
  for (const CopiedProfile& profile : copied) rows.push_back(cells(profile));
  print_table(rows);
  fmt::print("{} complete in {}\n", counted(std::ssize(copied), "profile"),
             plain_text(masked_url(options.to)));
}

}  // namespace

void add_store(CLI::App& app) {
  auto options = std::make_shared<CopyArguments>();
  CLI::App* command = app.add_subcommand("store", "Works on whole stores");
  command->require_subcommand(1);
  add_example(*command, "ampere store copy sqlite:store.db postgresql://db.example.org/ampere");
  CLI::App* copying = command->add_subcommand(
      "copy",
      "Copies all profiles with their measurements, fits and texts into another store and compares "
      "both; continues where it stopped. Accounts and jobs of a fleet are not copied");
  copying->add_option("FROM", options->from, "Store to read: sqlite:<path>, postgresql://…")
      ->required();
  copying->add_option("TO", options->to, "Store to write")->required();
  add_json_flag(*copying, options->json);
  add_example(*copying, "ampere store copy sqlite:store.db postgresql://db.example.org/ampere");
  copying->callback([=] { copy(*options); });
}

}  // namespace ampere
