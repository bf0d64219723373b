// Comparing what the page says with what the program says.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "base/json.h"

namespace ampere {

// Tests that ask the page's script and its module of estimators: skipped where the program was
// built without one of them.
class Page : public testing::Test {
 protected:
  void SetUp() override;
};

using Texts = std::vector<std::string>;

// What `ampere_report.what_if` answers, of each what-if at all of the widths.
std::vector<Json> ask(const Texts& what_ifs, const Texts& widths);

// At the corners of the what-if's widths and at some dozen networks in between: means, standard
// deviations and whether it is extrapolated.
void expect_equal(const Model& original, const std::string& what_if, const Estimator& estimator);

}  // namespace ampere
