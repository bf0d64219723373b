#include "ampere/error.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

TEST(Error, MapsEachCodeToItsDocumentedExitStatus) {
  EXPECT_EQ(exit_status(ErrorCode::failed), 1);
  EXPECT_EQ(exit_status(ErrorCode::usage), 2);
  EXPECT_EQ(exit_status(ErrorCode::unknown), 3);
  EXPECT_EQ(exit_status(ErrorCode::permission), 4);
  EXPECT_EQ(exit_status(ErrorCode::no_meter), 5);
  EXPECT_EQ(exit_status(ErrorCode::interrupted), 130);
}

TEST(Error, CodesSurviveTheirText) {
  for (const ErrorCode code : {ErrorCode::failed, ErrorCode::usage, ErrorCode::unknown,
                               ErrorCode::permission, ErrorCode::no_meter, ErrorCode::interrupted})
    EXPECT_EQ(parse_error_code(to_string(code)), code);
  EXPECT_THROW(parse_error_code("fine"), Error);
}

TEST(Error, KeepsItsRemedyInOtherWords) {
  const Error plain(ErrorCode::usage, "no length", Remedy::input_shape, "x");
  const Error longer = plain.saying("net.onnx: no length");
  EXPECT_STREQ(longer.what(), "net.onnx: no length");
  EXPECT_EQ(longer.code(), ErrorCode::usage);
  EXPECT_EQ(longer.remedy(), Remedy::input_shape);
  EXPECT_EQ(longer.about(), "x");
}

}  // namespace
}  // namespace ampere
