#include <gmock/gmock.h>

#include "data/data_set.h"
#include "written.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing_support::error_of;

DataSet digits(TensorShape sample = image(1, 28, 28), std::int64_t classes = 10) {
  DataSet data;
  data.name = "digits";
  data.sample = std::move(sample);
  data.classes = classes;
  return data;
}

Model network(const TensorShape& input, std::int64_t classes = 10) {
  ModelBuilder net("net");
  net.add(Input{input});
  if (input.layout == Layout::tokens) net.add(Embedding{4});
  if (input.layout != Layout::flat && input.layout != Layout::tokens) net.add(Flatten{});
  net.add(Linear{classes});
  return std::move(net).build();
}

std::string complaint(const DataSet& data, const Model& model) {
  const Error error = error_of([&] { check_fits(data, model); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  return error.what();
}

TEST(Fits, TakesTheShapeOfTheInput) {
  EXPECT_NO_THROW(check_fits(digits(), network(image(1, 28, 28))));
  EXPECT_NO_THROW(check_fits(digits(), network(image(1, 28, 28), 12)));
}

TEST(Fits, LaysSamplesOutInARow) { EXPECT_NO_THROW(check_fits(digits(), network(flat(784)))); }

TEST(Fits, SaysBothShapes) {
  EXPECT_THAT(complaint(digits(), network(image(3, 32, 32))),
              AllOf(HasSubstr("net on digits"), HasSubstr("1x28x28"), HasSubstr("3x32x32")));
}

TEST(Fits, SaysBothCountsOfClasses) {
  EXPECT_THAT(complaint(digits(), network(image(1, 28, 28), 9)),
              AllOf(HasSubstr("10 classes"), HasSubstr("9 outputs")));
}

TEST(Fits, RefusesTokensTheNetworkDoesNotKnow) {
  DataSet data = digits(tokens(5, 100), 10);
  data.labels_each = 5;
  EXPECT_NO_THROW(check_fits(data, network(tokens(5, 100))));
  EXPECT_THAT(complaint(data, network(tokens(5, 99))),
              AllOf(HasSubstr("up to 99"), HasSubstr("below 99")));
  EXPECT_THAT(complaint(data, network(tokens(6, 100))), HasSubstr("6 tokens"));
  EXPECT_THAT(complaint(digits(tokens(5, 10)), network(flat(5))), HasSubstr("takes"));
}

TEST(Fits, WantsALabelForEveryAnswer) {
  EXPECT_THAT(complaint(digits(tokens(5, 100)), network(tokens(5, 100))),
              AllOf(HasSubstr("1 label"), HasSubstr("5 answers")));
}

TEST(Fits, RefusesWhatTellsNoClassesApart) {
  EXPECT_THAT(complaint(digits(flat(4), 1), network(flat(4), 1)), HasSubstr("no classes"));
}

TEST(Fits, RefusesNetworksWithTwoInputs) {
  ModelBuilder net("two");
  const int a = net.add(Input{flat(4)}, {});
  const int b = net.add(Input{flat(4)}, {});
  net.add(Add{}, {a, b});
  EXPECT_THAT(complaint(digits(flat(4), 4), std::move(net).build()), HasSubstr("2 inputs"));
}

}  // namespace
}  // namespace ampere
