// What an attacker's list of tries gets: a status, or a closed connection, and a server that goes
// on serving.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "base/text.h"
#include "serve/client.h"
#include "serve/feed_connection.h"

namespace ampere {
namespace {

struct Try {
  const char* name;
  std::string bytes;
  int status;
};

std::string post(std::string_view fields, std::string_view body = "") {
  return "POST /echo HTTP/1.1\r\nHost: localhost\r\n" + std::string(fields) + "\r\n" +
         std::string(body);
}

std::string with_host(std::string_view host) {
  return "GET /quick HTTP/1.1\r\nHost: " + std::string(host) + "\r\n\r\n";
}

std::string many_fields() {
  std::string fields;
  for (int i = 0; i < 2000; ++i) fields += "X-" + std::to_string(i) + ": y\r\n";
  return fields;
}

const std::vector<Try>& tries() {
  using namespace std::string_literals;
  static const std::vector<Try> all = {
      {"PathTraversal", get("/../../etc/passwd"), 404},
      {"EncodedTraversal", get("/%2e%2e/%2e%2e/etc/passwd"), 404},
      {"BackslashTraversal", get("/..\\..\\etc\\passwd"), 404},
      {"EncodedNul", get("/quick%00"), 404},
      {"DoubledSlash", get("//quick"), 404},
      {"RawNul", get("/qu\0ick"s), 400},
      {"RawNulInAField", get("/quick", "X: a\0b\r\n"s), 400},
      {"HighBytesInTheTarget",
       get("/qu\xc3\xa4"
           "ck"),
       400},
      {"FragmentInTheTarget", get("/quick#x"), 400},
      {"TargetWithoutASlash", get("quick"), 400},
      {"TargetOnAnotherHost", get("http://example.org/quick"), 400},
      {"TargetOfAnotherScheme", get("file:///etc/passwd"), 400},
      {"LongTarget", get("/" + std::string(20'000, 'a')), 431},
      {"LongField", get("/quick", "X: " + std::string(20'000, 'a') + "\r\n"), 431},
      {"ManyFields", get("/quick", many_fields()), 431},
      {"EndlessLine", std::string(20'000, 'A'), 431},
      {"SpaceBeforeTheColon", get("/quick", "X : y\r\n"), 400},
      {"FieldWithoutAColon", get("/quick", "nonsense\r\n"), 400},
      {"LineFeedsOnly", "GET /quick HTTP/1.1\nHost: localhost\n\n", 400},
      {"CarriageReturnInAField", get("/quick", "X: a\rSet-Cookie: b\r\n"), 400},
      {"TlsHello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s, 400},
      {"RandomBytes", "\xde\xad\xbe\xef\x00\x01\r\n\r\n"s, 400},
      {"Http2Preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
      {"Http09", "GET /quick\r\n\r\n", 400},
      {"Version3", "GET /quick HTTP/3.0\r\n\r\n", 505},
      {"VersionOfLetters", "GET /quick HTTP/x.y\r\n\r\n", 400},
      {"ConnectMethod", "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n", 501},
      {"TraceMethod", "TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501},
      {"UnknownMethod", "BREW /quick HTTP/1.1\r\nHost: localhost\r\n\r\n", 501},
      {"LowerCaseMethod", "get /quick HTTP/1.1\r\nHost: localhost\r\n\r\n", 501},
      {"NoHost", "GET /quick HTTP/1.1\r\n\r\n", 400},
      {"TwoHosts", get("/quick", "Host: localhost\r\n"), 400},
      {"EmptyHost", with_host(""), 400},
      {"HostWithAUser", with_host("user@localhost"), 400},
      {"HostWithAPath", with_host("localhost/x"), 400},
      {"ReboundName", with_host("attacker.example"), 421},
      {"ReboundNameWithPort", with_host("attacker.example:8642"), 421},
      {"HostThatBeginsLikeLocalhost", with_host("localhost.attacker.example"), 421},
      {"HostThatBeginsLikeAnAddress", with_host("127.0.0.1.attacker.example"), 421},
      {"UnspecifiedHost", with_host("0.0.0.0"), 421},
      {"CrossOrigin", get("/quick", "Origin: http://attacker.example\r\n"), 403},
      {"OriginNull", get("/quick", "Origin: null\r\n"), 403},
      {"OriginOnAnotherPort", get("/quick", "Origin: http://localhost:3000\r\n"), 403},
      {"CrossSiteFetch", get("/quick", "Sec-Fetch-Site: cross-site\r\n"), 403},
      {"CrossOriginPost", post("Origin: http://attacker.example\r\nContent-Length: 2\r\n", "{}"),
       403},
      {"LengthAndChunks", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
       400},
      {"ChunksAndLength", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"),
       400},
      {"TwoLengths", post("Content-Length: 2\r\nContent-Length: 3\r\n", "abc"), 400},
      {"TwoEqualLengths", post("Content-Length: 2\r\nContent-Length: 2\r\n", "ab"), 400},
      {"ListOfLengths", post("Content-Length: 2, 2\r\n", "ab"), 400},
      {"NegativeLength", post("Content-Length: -1\r\n"), 400},
      {"SignedLength", post("Content-Length: +2\r\n", "ab"), 400},
      {"HexadecimalLength", post("Content-Length: 0x2\r\n", "ab"), 400},
      {"LengthOf65Bits", post("Content-Length: 18446744073709551617\r\n", "a"), 400},
      {"HugeLength", post("Content-Length: 9223372036854775807\r\n"), 413},
      {"LongBody", post("Content-Length: 1001\r\n"), 413},
      {"BodyWhereNoneIsExpected", get("/quick", "Content-Length: 1\r\n") + "x", 413},
      {"LongChunks",
       post("Transfer-Encoding: chunked\r\n",
            "200\r\n" + std::string(512, 'a') + "\r\n200\r\n" + std::string(512, 'a') + "\r\n"),
       413},
      {"HugeChunk", post("Transfer-Encoding: chunked\r\n", "ffffffffffffffff\r\n"), 413},
      {"ChunkSizeOf65Bits", post("Transfer-Encoding: chunked\r\n", "10000000000000000\r\n"), 400},
      {"ChunkSizeOfLetters", post("Transfer-Encoding: chunked\r\n", "xyz\r\n"), 400},
      {"EndlessChunkExtension",
       post("Transfer-Encoding: chunked\r\n", "1;" + std::string(20'000, 'a')), 400},
      {"ChunkWithoutItsEnd", post("Transfer-Encoding: chunked\r\n", "1\r\nab\r\n0\r\n\r\n"), 400},
      {"CodingUnknown", post("Transfer-Encoding: gzip, chunked\r\n"), 501},
      {"CodingInDisguise", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), 501},
      {"CodingWithATab", post("Transfer-Encoding: chunked\tx\r\n", "0\r\n\r\n"), 501},
      {"TwoCodings",
       post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "0\r\n\r\n"), 400},
      {"CodingInHttp10", "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"ExpectationUnknown", post("Expect: a-miracle\r\nContent-Length: 1\r\n"), 417},
      {"TwoTokens", get("/quick", "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n"), 400},
      {"LineBreakInTheQuery", get("/quick?a=%0d%0aSet-Cookie:%20b"), 200},
  };
  return all;
}

class HostileTry : public testing::TestWithParam<Try> {};

TEST_P(HostileTry, GetsItsStatusAndTheServerGoesOn) {
  TestServer server;
  const Answer answer = server.ask(GetParam().bytes);
  EXPECT_EQ(answer.status, GetParam().status) << answer.body;
  EXPECT_FALSE(answer.headers.contains("set-cookie"));
  EXPECT_EQ(server.ask(get("/quick")).body, "quick");
}

INSTANTIATE_TEST_SUITE_P(All, HostileTry, testing::ValuesIn(tries()),
                         [](const auto& tried) { return std::string(tried.param.name); });

TEST(HostileHttp, NothingAfterARefusedRequestIsAnswered) {
  TestServer server;
  for (const Try& tried : tries()) {
    // Only after a request that was understood is it known where the next one begins.
    const int status = tried.status;
    if (status == 200 || status == 404 || status == 403 || status == 421) continue;
    Client client(server.port());
    client.send_what_is_taken(tried.bytes + get("/quick"));
    client.end_sending();
    const std::string all = client.read_all();
    EXPECT_EQ(all.find("\r\n\r\nquick"), std::string::npos) << tried.name;
  }
}

TEST(HostileHttp, AnswersAreReadableEvenWhenTheBodyIsNotTaken) {
  TestServer server;
  Client client(server.port());
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n");
  client.send_what_is_taken(std::string(4'000'000, 'a'));
  EXPECT_EQ(client.read_answer().status, 413);
}

TEST(HostileHttp, APipelineOfGarbageEndsTheConnection) {
  TestServer server;
  Client client(server.port());
  std::mt19937 random(7);
  std::string garbage;
  for (int i = 0; i < 200'000; ++i) garbage += static_cast<char>(random());
  client.send_what_is_taken(get("/quick") + garbage);
  EXPECT_EQ(client.read_answer().status, 200);
  EXPECT_EQ(client.read_answer().status, 400);
  EXPECT_TRUE(client.is_closed());
}

TEST(HostileHttp, AnUnauthorizedClientCannotUpload) {
  TestServer server([](HttpOptions& options) { options.token = "secret"; });
  EXPECT_EQ(server.ask(post("Content-Length: 900\r\n")).status, 401);
}

TEST(HostileHttp, OtherHostsAreAnsweredWhereTheServerIsNotLocal) {
  TestServer server([](HttpOptions& options) { options.address = "0.0.0.0"; });
  EXPECT_EQ(server.ask(with_host("gpu7.example.org")).status, 200);
  EXPECT_EQ(server.ask(with_host("user@x")).status, 400);
}

TEST(HostileHttp, ItsOwnPageMayAsk) {
  TestServer server;
  EXPECT_EQ(server.ask(get("/quick", "Origin: http://localhost\r\nSec-Fetch-Site: same-origin\r\n"))
                .status,
            200);
  EXPECT_EQ(server.ask(with_host("127.0.0.1:8642")).status, 200);
  EXPECT_EQ(server.ask(with_host("[::1]:8642")).status, 200);
}

TEST(HostileHttp, TheFuzzersSeedsAndTheirMutationsAreSurvived) {
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(AMPERE_FUZZ_CORPUS))
    seeds.push_back(read_text_file(entry.path().string()));
  ASSERT_GT(seeds.size(), 1u);
  std::ranges::sort(seeds);
  std::mt19937 random(11);
  for (const std::string& seed : seeds) {
    EXPECT_EQ(feed_connection(seed), "");
    for (int i = 0; i < 100; ++i) {
      std::string bytes = seed;
      for (int change = 0; change < 2; ++change)
        bytes[random() % bytes.size()] =
            static_cast<char>(i % 2 == 0 ? '0' + random() % 10 : random());
      EXPECT_EQ(feed_connection(bytes), "");
    }
  }
}

}  // namespace
}  // namespace ampere
