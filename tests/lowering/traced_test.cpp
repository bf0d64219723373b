// Lowered programs against what PyTorch really executes: the worker traces the same networks.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "base/json.h"
#include "lowering/program_text.h"
#include "lowering/traced_networks.h"
#include "model/model_json.h"
#include "program/program_json.h"
#include "setup/setup_json.h"
#include "support/temp_folder.h"

namespace ampere {
namespace {

using testing_support::difference;
using testing_support::networks_to_trace;
using testing_support::Traced;

// One process answers for all networks, since importing PyTorch takes longest.
std::vector<Json> trace(const std::vector<Traced>& networks) {
  const testing_support::TempFolder folder;
  std::ofstream requests(folder / "requests");
  for (std::size_t i = 0; i < networks.size(); ++i)
    requests << Json{{"id", i},
                     {"do", "trace"},
                     {"way", "run"},
                     {"model", derived_model_json(networks[i].model)},
                     {"setup", setup_json(networks[i].setup)}}
                    .dump()
             << '\n';
  requests.close();
  const std::string command = "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=" AMPERE_PYTHON_PACKAGE
                              " /usr/bin/python3 -m ampere.worker --device cpu --threads 1 < " +
                              folder / "requests" + " > " + folder / "answers" + " 2> " +
                              folder / "errors";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream answers(folder / "answers");
  std::vector<Json> result;
  std::string line;
  std::getline(answers, line);  // the hello
  while (std::getline(answers, line)) result.push_back(Json::parse(line));
  return result;
}

TEST(LoweredPrograms, AreWhatPyTorchExecutes) {
  const std::vector<Traced> networks = networks_to_trace();
  const std::vector<Json> answers = trace(networks);
  ASSERT_EQ(answers.size(), networks.size());
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const auto& [what, model, setup] = networks[i];
    ASSERT_TRUE(answers[i].contains("program")) << what << ": " << answers[i].dump();
    const Program traced = read_program(JsonField(answers[i].at("program"), what + ": "));
    const Program lowered = lower(model, setup, cpu_dialect());
    EXPECT_EQ(difference(traced, lowered), "") << what;
    EXPECT_EQ(lowered.parameters, traced.parameters) << what;
    EXPECT_EQ(lowered.module_calls, traced.module_calls) << what;
    EXPECT_EQ(lowered.samples, traced.samples) << what;
  }
}

TEST(LoweredPrograms, AreComparedForEveryOperatorAndEveryZooNetwork) {
  std::set<std::string> operators, names;
  for (const Traced& each : networks_to_trace()) {
    names.insert(each.model.name());
    for (const Layer& layer : each.model.layers()) operators.insert(op_name(layer.op));
  }
  for (const ZooEntry& entry : zoo()) {
    EXPECT_TRUE(std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return name == entry.name || name.starts_with(entry.name + ":");
    })) << entry.name;
  }
  EXPECT_GE(operators.size(), 60U);
}

}  // namespace
}  // namespace ampere
