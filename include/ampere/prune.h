// Pruning a network to an energy budget and keeping the promise: search, measure what was found,
// train it for real.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ampere/rig.h"
#include "prune/search/width_search.h"

namespace ampere {

enum class Ranking { l1, random };
const char* to_string(Ranking ranking);
Ranking parse_ranking(const std::string& text);  // Error(usage)

// What the networks are to learn, and for how long.
struct Lesson {
  std::string data;     // as a TrainingTask's
  int epochs = 10;      // of the original
  int fine_tuning = 5;  // epochs of a pruned network, from the weights it inherits
  double learning_rate = 0.05;
  unsigned seed = 0;
  Ranking ranking = Ranking::l1;   // which channels stay
  std::optional<Weights> weights;  // of the original, which is then not trained
  std::optional<Joules> stop_at;   // for all training together, testing included
};

struct PruneTask {
  Model original;
  Setup setup;
  SpaceOptions space;
  Budget budget;
  double confidence = 0.95;
  std::optional<std::int64_t> iterations;  // of the training the budget is for, where it is needed
  std::optional<double> battery_j;
  std::string method = "dual";  // dual, ampere or flops
  SearchOptions search;
  int finalists = 1;  // networks that are measured and trained; the best of them is the result
  // Measure what was found, learn from it, and search again until it is inside; without it the
  // first find is the result, inside or not.
  bool verify = true;
  bool learn = true;  // from what is measured, for later estimates too
  Precision precision;
  std::optional<Lesson> lesson;
  std::string folder;  // for checkpoints, when there is a lesson
};

struct PrunedNetwork {
  Model model;
  std::vector<std::int64_t> widths;
  Judgement estimated;
  double upper_j = 0;  // at the task's confidence
  double worth = 0;
  std::vector<CostPart> parts;          // where the joules go, as estimated
  std::optional<Measurement> measured;  // the last one
  std::optional<TestScore> inherited;   // before its fine-tuning
  std::optional<TrainingResult> training;
};

struct PruneResult {
  WidthSpace space;
  double budget_j = 0;              // per iteration
  bool budget_of_measured = false;  // a share of what the original was measured to cost
  PrunedNetwork original;
  PrunedNetwork pruned;
  std::vector<PrunedNetwork> others;  // finalists that were not the best
  std::int64_t judged = 0;            // networks, in all rounds
  int rounds = 0;                     // of searching and measuring
  Joules trained{};                   // by all training
  std::vector<std::string> warnings;
};

}  // namespace ampere
