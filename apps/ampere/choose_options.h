// What `ampere choose` and its report are asked for.
#pragma once

#include "ampere/session.h"
#include "estimate_options.h"
#include "options.h"

namespace ampere {

struct ChooseOptions {
  std::vector<std::string> models, arguments;
  ModelSource source;
  // Lists separated by commas.
  std::string batches = "16,32,64,128,256", precisions = "fp32,bf16", optimizers,
              accumulations = "1";
  std::string fused = "no", compiled = "no", channels_last = "no", attention = "fused";
  std::optional<std::int64_t> effective_batch;
  std::optional<double> weight_decay;
  std::vector<std::string> given;  // the names of those of these options that the user gave

  std::int64_t samples = Goal{}.samples, epochs = 1;
  double confidence = 0.9;
  std::string objective = "energy", budget, deadline, memory;

  std::string profile, profiles, device, method, store;
  RigSelection rig;
  bool rig_given = false;
};

// All of them but the measuring ones, for a verb whose --output is a file or not.
void add_choose_options(CLI::App& command, ChooseOptions& options, const Settings& settings,
                        OutputIsFile output);
void note_given(const CLI::App& command, ChooseOptions& options);  // in the callback

// Both throw Error(usage) that names the option, or the file.
Goal goal_of(const ChooseOptions& options);

// What is to be compared, with the network that it is about.
struct ChoiceSubject {
  std::string name;
  std::optional<Model> model;
  std::vector<Candidate> candidates;
  bool has_scripts = false;
};
ChoiceSubject open_choice(const ChooseOptions& options);

// Which profile answers, as far as the command line says it.
ProfileQuery query_of(const ChooseOptions& options);

}  // namespace ampere
