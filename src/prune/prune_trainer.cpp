#include "prune/prune_trainer.h"

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
Json identity_of(const PruneTask& task, const TrainingPlan& plan) {
  return {{"model", model_hash(task.original)},
          {"setup", setup_json(task.setup)},
          {"data", plan.data},
          {"epochs", plan.weights ? 0 : plan.epochs},
          {"fine_tuning", plan.fine_tuning},
          {"learning_rate", plan.learning_rate},
          {"seed", plan.seed},
          {"ranking", to_string(plan.ranking)}};
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

PruneTrainer::PruneTrainer(const PruneTask& task, Rig& rig, Listener& listener)
    : task_(task), plan_(task.training.value()), rig_(rig), listener_(listener) {
  claim(task.folder, identity_of(task, plan_));
}

TrainingTask PruneTrainer::task_for(const Model& model, int epochs) const {
  TrainingTask training{.model = model,
                        .setup = task_.setup,
                        .data = plan_.data,
                        .epochs = epochs,
                        .learning_rate = plan_.learning_rate,
                        .seed = plan_.seed,
                        .stop_at = {},
                        .from = {}};
  if (plan_.stop_at) training.stop_at = std::max(Joules{0}, *plan_.stop_at - spent_);
  return training;
}

TrainingResult PruneTrainer::train(const std::string& name, const Model& model,
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

std::optional<TestScore> PruneTrainer::test(const Model& model, const Weights& weights) {
  TrainingTask training = task_for(model, 0);
  training.from.weights = weights;
  const TrainingResult result = rig_.train(training);
  spent_ = spent_ + result.energy;
  return result.test;
}

}  // namespace ampere
