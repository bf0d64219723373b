#include <fmt/format.h>

#include <filesystem>

#include "ampere/error.h"
#include "base/long_texts.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "record/training_json.h"

namespace ampere {
namespace {

constexpr int kVersion = 1;

}  // namespace

std::string to_text(const TrainingState& state) {
  return dump_with_long_texts(
      {{"ampere_training", kVersion}, {"state", training_state_json(state)}});
}

TrainingState parse_training_state(std::string_view text, const std::string& origin) {
  const Json json = parse_with_long_texts(text, origin);
  const JsonField file(json, origin + ": ");
  if (!file.has("ampere_training"))
    file.fail("is not a training state: \"ampere_training\" is missing");
  if (file.at("ampere_training").integer() != kVersion)
    file.at("ampere_training").fail("is from another version of the program");
  return read_training_state(file.at("state"));
}

void save_training(const std::string& path, const TrainingState& state) {
  write_whole_file(path, to_text(state));
}

TrainingState load_training(const std::string& path) {
  std::error_code unreachable;
  if (!std::filesystem::exists(path, unreachable))
    throw Error(ErrorCode::unknown, fmt::format("{}: there is no such training state", path));
  return parse_training_state(read_text_file(path), path);
}

}  // namespace ampere
