// What may follow on the command line: verbs, options, names of networks, rigs and so on. The
// scripts of the shells ask for it with every press of the key, so nothing is kept twice.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ampere {

struct CompletionWord {
  std::string value, description;
};

enum class CompletionPaths { none, files, folders };

struct Completion {
  std::vector<CompletionWord> candidates;         // that begin with the word being typed
  CompletionPaths paths = CompletionPaths::none;  // which the shell may offer as well
  std::string before_path;  // the start of the word that is no path, as "recorded:"
};

// `words` follow the program's name; the last one, which may be empty, is being typed.
Completion complete(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace ampere
