#include "prune/apprentice.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "ampere/error.h"
#include "base/json.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "record/record_json.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;

// What the files of a folder depend on.
Json identity_of(const PruneTask& task, const Lesson& lesson) {
  return {{"model", model_hash(task.original)},
          {"setup", setup_json(task.setup)},
          {"data", lesson.data},
          {"epochs", lesson.weights ? 0 : lesson.epochs},
          {"fine_tuning", lesson.fine_tuning},
          {"learning_rate", lesson.learning_rate},
          {"seed", lesson.seed},
          {"ranking", to_string(lesson.ranking)}};
}

void claim(const std::string& folder, const Json& identity) {
  std::error_code error;
  fs::create_directories(folder, error);
  const fs::path file = fs::path(folder) / "lesson.json";
  if (fs::exists(file)) {
    const Json found = parse_json(read_text_file(file.string()), file.string());
    for (const auto& [key, value] : identity.items())
      if (!found.contains(key) || found.at(key) != value)
        throw Error(ErrorCode::usage,
                    fmt::format("{}: holds the training of another task (its {} is {}, not {}); "
                                "choose another folder",
                                folder, key, found.value(key, Json()).dump(), value.dump()));
    return;
  }
  write_whole_file(file.string(), identity.dump(2) + "\n");
}

}  // namespace

Apprentice::Apprentice(const PruneTask& task, Rig& rig, Listener& listener)
    : task_(task), lesson_(task.lesson.value()), rig_(rig), listener_(listener) {
  claim(task.folder, identity_of(task, lesson_));
}

TrainingTask Apprentice::task_for(const Model& model, int epochs) const {
  TrainingTask training{.model = model,
                        .setup = task_.setup,
                        .data = lesson_.data,
                        .epochs = epochs,
                        .learning_rate = lesson_.learning_rate,
                        .seed = lesson_.seed,
                        .stop_at = {},
                        .from = {}};
  if (lesson_.stop_at) training.stop_at = std::max(Joules{0}, *lesson_.stop_at - spent_);
  return training;
}

TrainingResult Apprentice::train(const std::string& name, const Model& model,
                                 const Weights& weights, int epochs) {
  const std::string file = (fs::path(task_.folder) / (name + ".training")).string();
  TrainingTask training = task_for(model, epochs);
  if (fs::exists(file))
    training.from = load_training(file);
  else
    training.from.weights = weights;
  const TrainingListener keeping{
      [&](const TrainingProgress& now) { listener_.training(name, now); },
      [&](const TrainingState& state) { save_training(file, state); }};
  TrainingResult result = rig_.train(training, keeping);
  save_training(file, result.state);
  spent_ = spent_ + result.state.energy();
  return result;
}

std::optional<TestScore> Apprentice::test(const Model& model, const Weights& weights) {
  TrainingTask training = task_for(model, 0);
  training.from.weights = weights;
  const TrainingResult result = rig_.train(training);
  spent_ = spent_ + result.energy;
  return result.test;
}

}  // namespace ampere
