#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "ampere/error.h"
#include "commands.h"
#include "manual_page.h"

namespace ampere {
namespace {

constexpr const char* kProgram = "ampere";

void write_page(const CLI::App& command, const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / (manual_name(command, kProgram) + ".1");
  std::ofstream file(path, std::ios::binary);
  file << manual_page(command, kProgram, AMPERE_VERSION);
  if (!file.flush())
    throw Error(ErrorCode::failed, fmt::format("{}: cannot be written", path.string()));
}

void write_pages(const CLI::App& app, const std::string& folder) {
  std::filesystem::create_directories(folder);
  write_page(app, folder);
  for (const CLI::App* verb : app.get_subcommands({}))
    if (!verb->get_group().empty()) write_page(*verb, folder);
}

}  // namespace

void add_manual(CLI::App& app) {
  auto folder = std::make_shared<std::string>();
  // For the build of the packages, not for users.
  CLI::App* command = app.add_subcommand("manual")->group("");
  command->add_option("FOLDER", *folder, "Folder for the manual pages")->required();
  command->callback([&app, folder] { write_pages(app, *folder); });
}

}  // namespace ampere
