#include <algorithm>

#include "ampere/evaluate.h"
#include "model/draw.h"

namespace ampere {
namespace {

// Baselines are fitted to other networks than those they are tested on.
constexpr unsigned kTrainingSeed = 0x5eed;
constexpr int kMostTraining = 500;
constexpr int kMostVariants = 60;  // deep ones take their time to be drawn

// A test network must not be among those a baseline has seen.
void keep_apart(EvaluationTask& task) {
  std::vector<std::string> tested;
  for (const Model& test : task.tests) tested.push_back(model_hash(test));
  std::ranges::sort(tested);
  std::erase_if(task.training, [&](const Model& model) {
    return std::ranges::binary_search(tested, model_hash(model));
  });
}

}  // namespace

EvaluationTask family_task(const std::string& family, int networks, unsigned seed) {
  EvaluationTask task{family,
                      {open_model(family)},
                      draw_networks(family, networks, seed),
                      draw_networks(family, kMostTraining, seed + kTrainingSeed)};
  keep_apart(task);
  return task;
}

// A kernel of another size is a kind of block of its own, which the original does not have: the
// additive method has to profile the kinds of the variants.
EvaluationTask variants_task(const std::string& family, int networks, unsigned seed) {
  const Model original = open_model(family);
  const std::vector<Model> tests = draw_variants(original, networks, seed);
  EvaluationTask task{family, tests, tests,
                      draw_variants(original, kMostVariants, seed + kTrainingSeed)};
  keep_apart(task);
  return task;
}

EvaluationTask models_task(const std::string& name, std::vector<Model> models, unsigned seed) {
  EvaluationTask task{name, models, models,
                      draw_narrower(models, kMostTraining, seed + kTrainingSeed)};
  keep_apart(task);
  return task;
}

}  // namespace ampere
