// Progress of long work, on the terminal only: nothing is printed where nobody watches.
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
  void keep();                         // what stands there stays

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace ampere
