// An evaluation replayed from its recording, and what its dual model was fitted to.
#pragma once

#include <string>

#include "ampere/evaluate.h"
#include "method/dual/dual_model.h"

namespace ampere {

struct Replayed {
  Evaluation evaluation;
  DualData data;
};

// Of the evaluations that bench/evaluate/on_gpu makes.
Replayed replay(const std::string& recording, const std::string& family, std::int64_t batch,
                int networks, unsigned seed);

// The evaluation's score with this model's estimates instead of those made then.
MethodScore score_of(const DualModel& model, Evaluation evaluation);

// "MAPE   steady host" of a score.
std::string errors_text(const MethodScore& score);

// Replays the recording that the arguments name (the same for all programs here) and passes it to
// `run`; what is thrown goes to stderr.
int run_on_recording(int argc, char** argv, void (*run)(const Replayed& replayed));

}  // namespace ampere
