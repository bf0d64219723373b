// --export and what it needs: results in the forms that other programs read.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "report/exports.h"
#include "settings.h"

namespace ampere {

class ExportOptions {
 public:
  // --export, --location and --training-type; --carbon is there already or comes with
  // add_carbon_option.
  void add_to(CLI::App& command);

  // Throws Error(usage) naming the option that is missing, before anything is measured. `carbon` is
  // in g/kWh; 0 when it was not given.
  void check(double carbon) const;
  bool any() const { return !texts_.empty(); }
  // Says on standard error what it wrote.
  void write(const Footprint& footprint, double carbon) const;

 private:
  struct Target {
    ExportKind kind;
    std::string path;
  };
  std::vector<Target> targets() const;
  ExportTerms terms(double carbon) const;

  std::vector<std::string> texts_;
  std::string location_, training_type_;
};

// For verbs that have no other conversions.
void add_carbon_option(CLI::App& command, double& carbon, const Settings& settings);

}  // namespace ampere
