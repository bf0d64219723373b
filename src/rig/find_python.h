// Python interpreters on this machine, and the folder of our Python package.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ampere {

struct PythonProbe {
  std::string path;
  std::string version;               // "3.11.2"; empty when it does not run
  std::optional<std::string> torch;  // "2.11.0"; absent when it has no PyTorch
};

// The interpreters that a user would expect to be tried, in the order in which they are: that of
// the active virtual environment, those in PATH, the system's own. Each is started once.
std::vector<PythonProbe> probe_pythons();

// `given` unless empty, which may be a name in PATH; otherwise the first interpreter that has
// PyTorch. Throws Error(unknown) that says which were tried.
std::string find_python(const std::string& given);

// PYTHONPATH with the folder of our package in front, when the package is where this program was
// built or installed. Otherwise it must be installed for the interpreter.
std::optional<std::string> python_path();

// The text as one word of a shell's command line.
std::string quoted(const std::string& text);

}  // namespace ampere
