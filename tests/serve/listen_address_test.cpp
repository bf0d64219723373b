#include "serve/listen_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"

namespace ampere {
namespace {

TEST(ListenAddress, IsReadAndWrittenWithItsPort) {
  for (const char* text : {"127.0.0.1:8642", "[::1]:8642", "0.0.0.0:80", "[::]:0"})
    EXPECT_EQ(to_string(parse_listen(text)), text);
  EXPECT_EQ(to_string(parse_listen("localhost:1")), "127.0.0.1:1");
  EXPECT_EQ(to_string(parse_listen("[::1]")), "[::1]:8642");
  EXPECT_EQ(to_string(parse_listen("10.0.0.7")), "10.0.0.7:8642");
}

TEST(ListenAddress, SaysWhatIsWrongWithAnother) {
  const auto complaint = [](const char* text) {
    try {
      return to_string(parse_listen(text));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      return std::string(error.what());
    }
  };
  EXPECT_EQ(complaint("::1"),
            "cannot listen on '::1': an IPv6 address needs brackets; write an address and a port, "
            "such as 127.0.0.1:8642 or [::1]:8642");
  EXPECT_THAT(complaint("example.org:80"), testing::HasSubstr("must be a number or 'localhost'"));
  EXPECT_THAT(complaint("127.0.0.1:70000"), testing::HasSubstr("larger than 65535"));
  EXPECT_THAT(complaint("127.0.0.1:"), testing::HasSubstr("the port is missing"));
  for (const char* text : {"", ":80", "127.0.0.1:x", "127.0.0.1:-1", "[::1", "[::g]:1", "[::1]80",
                           "127.0.0.1:123456", "a b"})
    EXPECT_THAT(complaint(text), testing::HasSubstr("this is not an address")) << text;
}

TEST(ListenAddress, KnowsWhatOnlyThisMachineReaches) {
  for (const char* text : {"127.0.0.1", "127.9.9.9", "::1", "localhost", "LOCALHOST"})
    EXPECT_TRUE(is_loopback(text)) << text;
  for (const char* text : {"0.0.0.0", "::", "10.0.0.1", "128.0.0.1", "localhost.example.org", ""})
    EXPECT_FALSE(is_loopback(text)) << text;
}

}  // namespace
}  // namespace ampere
