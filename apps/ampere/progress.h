// Shows progress on one line of the terminal. Prints nothing where standard error is not a
// terminal.
#pragma once

#include <string>

namespace ampere {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const std::string& text);  // replaces the line
  void keep();                         // leaves the line and begins a new one

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace ampere
