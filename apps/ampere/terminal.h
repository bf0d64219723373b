// Progress of long work and its warnings, on standard error.
#pragma once

#include <string>

#include "ampere/progress.h"

namespace ampere {

// One line that is replaced while work goes on. Printed only on a terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const std::string& text);  // replaces the line
  void keep();                         // leaves what is shown where it is
  void clear();                        // removes what is shown

 private:
  bool terminal_;
  bool shown_ = false;
};

// Shows what a session tells. A `subject` stands in front of steps and warnings.
class TerminalListener final : public Listener {
 public:
  explicit TerminalListener(std::string subject = "") : subject_(std::move(subject)) {}

  void progress(const Progress& now) override;
  void training(const std::string& network, const TrainingProgress& now) override;
  void warning(const std::string& text) override;

  void finish() { line_.clear(); }  // before anything else is printed
  void set_subject(std::string subject) { subject_ = std::move(subject); }

 private:
  std::string subject_;
  ProgressLine line_;
};

void print_warnings(const std::vector<std::string>& warnings);
void print_warning(const std::string& warning);

}  // namespace ampere
