// The verbs of `ampere kernels`.
#pragma once

#include "ampere/kernels.h"
#include "ampere/session.h"
#include "options.h"

namespace ampere {

struct KernelsOptions {
  std::vector<std::string> models;
  ModelSource source;
  RigSelection rig;
  MeasuringOptions measuring;
  ImportOptions import;
  std::string store, profile, predictor, table, file, device, energy_source, level = "kernel";
  std::string precision = "fp32";
  std::int64_t batch = 1;
  int configurations = SurveyOptions{}.configurations, folds = 5;
  double tolerance = SurveyOptions{}.tolerance, time_limit = 0;
  bool dry_run = false, strict = false, json = false;

  // Of the nine families of DeepEn2023 when no network is named. Throws Error(usage).
  SurveyRequest survey() const;
  ProfileRow chosen(const Session& session) const;  // the profile to use; throws Error(unknown)
};

void measure_kernels(const KernelsOptions& options);
void fit_predictors(const KernelsOptions& options);
void import_kernels(const KernelsOptions& options);
void export_kernels(const KernelsOptions& options);
void predict_kernels(const KernelsOptions& options);
void list_kernels(const KernelsOptions& options);

}  // namespace ampere
