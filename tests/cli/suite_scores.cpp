#include "suite_scores.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/json_text.h"

namespace ampere::testing_support {

std::vector<Json> lines_of_suite(const Cli& cli, const std::string& suite,
                                 const std::string& recording, const std::string& store,
                                 const std::string& options) {
  const Ran ran =
      cli.run("evaluate --json " + options + " --store " + store + " --suite " AMPERE_SUITES "/" +
              suite + ".toml --rig recorded:" AMPERE_DATA "/" + recording + ".jsonl.gz");
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::vector<Json> found;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) found.push_back(parse_json(line, "a line"));
  return found;
}

std::map<std::string, Json> scores_of_suite(const Cli& cli, const std::string& suite,
                                            const std::string& recording,
                                            const std::string& store) {
  std::map<std::string, Json> scores;
  for (const Json& json : lines_of_suite(cli, suite, recording, "sqlite:" + store)) {
    if (!json.contains("scores")) continue;
    for (const Json& score : json.at("scores")) scores[score.at("name")] = score;
  }
  return scores;
}

}  // namespace ampere::testing_support
