// Writes a general profile of a simulated device, for tests and benchmarks of programs that read
// one: simulated_general_profile FILE, or simulated_general_profile FILE corpus for one that is as
// large as those of real devices, which takes seconds.
#include <cstdio>
#include <string_view>

#include "base/whole_file.h"
#include "method/operations/simulated_profile.h"
#include "shipped/corpus.h"

namespace {

using namespace ampere;
using namespace ampere::testing_support;

std::vector<FamilyProgram> corpus() {
  std::vector<FamilyProgram> programs;
  for (Program& program : shipped_corpus()) {
    std::string family = program.name;
    programs.push_back({std::move(program), std::move(family)});
  }
  return programs;
}

}  // namespace

int main(int count, char** words) {
  const bool large = count == 3 && std::string_view(words[2]) == "corpus";
  if (count != 2 && !large) {
    std::fprintf(stderr, "usage: simulated_general_profile FILE [corpus]\n");
    return 2;
  }
  write_whole_file(words[1],
                   to_json(simulated_general_profile(large ? corpus() : usual_programs())));
}
