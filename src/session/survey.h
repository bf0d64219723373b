// Surveys of inference, through a session.
#pragma once

#include <span>

#include "ampere/session.h"
#include "method/kernels/survey.h"

namespace ampere {

// Measures what fuses and what kernels cost into the session's store, and fits predictors to it.
// Nothing new is begun after the time limit. Throws Error(interrupted) when asked to stop, with
// everything kept, and as suggest_survey does.
SurveySummary run_survey(Session& session, std::span<const Model> networks, const Setup& setup,
                         const SurveyOptions& options, std::optional<Seconds> time_limit,
                         const NamedRig& rig);

}  // namespace ampere
