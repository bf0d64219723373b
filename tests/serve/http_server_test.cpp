// What a well-behaved client gets.
#include "serve/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "ampere/error.h"
#include "serve/client.h"

namespace ampere {
namespace {

using testing::HasSubstr;

TEST(HttpServer, AnswersQuickRequestsAndThoseOfWorkers) {
  TestServer server;
  EXPECT_EQ(server.ask(get("/quick")).body, "quick");
  EXPECT_EQ(server.ask(get("/work")).body, "work");
}

TEST(HttpServer, PassesTheRequestOnAsItCame) {
  TestServer server;
  const Answer answer = server.ask(
      "POST /echo?a=%20b&c HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x\r\n"
      "Content-Length: 4\r\n\r\nbody");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "POST\n/echo\na=%20b&c\ntext/x\nbody");
}

TEST(HttpServer, PutsChunksTogetherAndIgnoresTrailers) {
  TestServer server;
  const Answer answer = server.ask(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3;note=x\r\nbod\r\n1\r\ny\r\n0\r\nContent-Type: text/trailer\r\n\r\n");
  EXPECT_EQ(answer.body, "POST\n/echo\n\n\nbody");
}

TEST(HttpServer, TakesATargetWithItsHost) {
  TestServer server;
  EXPECT_EQ(server.ask("GET http://localhost/quick HTTP/1.1\r\nHost: localhost\r\n\r\n").body,
            "quick");
}

TEST(HttpServer, KeepsTheConnectionForTheNextRequest) {
  TestServer server;
  Client client(server.port());
  for (int i = 0; i < 3; ++i) {
    client.send(get(i % 2 == 0 ? "/quick" : "/work"));
    EXPECT_EQ(client.read_answer().status, 200);
  }
  EXPECT_EQ(server.counts().connections, 1u);
}

TEST(HttpServer, AnswersPipelinedRequestsInOrder) {
  TestServer server;
  Client client(server.port());
  client.send(get("/work") + get("/quick") + "\r\n" + get("/missing") + get("/work"));
  EXPECT_EQ(client.read_answer().body, "work");
  EXPECT_EQ(client.read_answer().body, "quick");
  EXPECT_EQ(client.read_answer().status, 404);
  EXPECT_EQ(client.read_answer().body, "work");
}

TEST(HttpServer, AnswersAClientThatHasEndedItsSide) {
  TestServer server;
  Client client(server.port());
  client.send(get("/work"));
  client.end_sending();
  EXPECT_EQ(client.read_answer().body, "work");
  EXPECT_TRUE(client.is_closed());
}

TEST(HttpServer, ClosesWhenTheClientWishesIt) {
  TestServer server;
  for (const std::string& request :
       {get("/quick", "Connection: close\r\n"), std::string("GET /quick HTTP/1.0\r\n\r\n")}) {
    Client client(server.port());
    client.send(request);
    const Answer answer = client.read_answer();
    EXPECT_EQ(answer.body, "quick");
    EXPECT_EQ(answer.headers.at("connection"), "close");
    EXPECT_TRUE(client.is_closed());
  }
}

TEST(HttpServer, AnswersAHeadLikeAGetWithoutItsBody) {
  TestServer server;
  Client client(server.port());
  client.send("HEAD /quick HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/quick"));
  EXPECT_EQ(client.read_answer(false).headers.at("content-length"), "5");
  EXPECT_EQ(client.read_answer().body, "quick");
}

TEST(HttpServer, SaysContinueToAClientThatExpectsIt) {
  TestServer server;
  Client client(server.port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
      "2\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 100);
  client.send("hi");
  EXPECT_THAT(client.read_answer().body, HasSubstr("hi"));
}

TEST(HttpServer, SendsLongAnswersWhole) {
  TestServer server;
  EXPECT_EQ(server.ask(get("/long")).body.size(), server.handler.long_bytes);
}

TEST(HttpServer, AnswersWithFiveHundredWhatTheHandlerDoesWrong) {
  TestServer server;
  EXPECT_EQ(server.ask(get("/throws")).status, 500);
  const Answer answer = server.ask(get("/bad-header"));
  EXPECT_EQ(answer.status, 500);
  EXPECT_FALSE(answer.headers.contains("set-cookie"));
}

TEST(HttpServer, AsksForTheTokenExceptWhereThePathIsOpen) {
  TestServer server([](HttpOptions& options) { options.token = "secret"; });
  EXPECT_EQ(server.ask(get("/open")).status, 200);
  const Answer answer = server.ask(get("/quick"));
  EXPECT_EQ(answer.status, 401);
  EXPECT_THAT(answer.headers.at("www-authenticate"), HasSubstr("Bearer"));
  for (const char* wrong : {"Bearer wrong", "Bearer secre", "Bearer secrets", "Bearer ", "Bearer",
                            "Basic secret", "secret", ""})
    EXPECT_EQ(server.ask(get("/quick", "Authorization: " + std::string(wrong) + "\r\n")).status,
              401)
        << wrong;
  for (const char* right : {"Bearer secret", "bearer secret", "Bearer   secret "})
    EXPECT_EQ(server.ask(get("/quick", "Authorization: " + std::string(right) + "\r\n")).status,
              200)
        << right;
}

TEST(HttpServer, KeepsTheConnectionAfterAWrongToken) {
  TestServer server([](HttpOptions& options) { options.token = "secret"; });
  Client client(server.port());
  client.send(get("/quick") + get("/quick", "Authorization: Bearer secret\r\n"));
  EXPECT_EQ(client.read_answer().status, 401);
  EXPECT_EQ(client.read_answer().status, 200);
}

TEST(HttpServer, SaysWhoHasThePort) {
  TestServer server;
  FakeHandler handler;
  HttpOptions options;
  options.port = server.port();
  try {
    HttpServer second(options, handler);
    FAIL() << "two servers on one port";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_THAT(error.what(), HasSubstr("has the port; choose another port"));
    EXPECT_THAT(error.what(), HasSubstr(std::to_string(::getpid())));
  }
}

TEST(HttpServer, ListensOnTheLoopbackAddressOfIPv6) {
  try {
    TestServer server([](HttpOptions& options) { options.address = "::1"; });
    Client client(server.port(), true);
    client.send("GET /quick HTTP/1.1\r\nHost: [::1]:8642\r\n\r\n");
    EXPECT_EQ(client.read_answer().body, "quick");
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
}

TEST(HttpServer, RefusesAnAddressOfAnotherMachine) {
  FakeHandler handler;
  HttpOptions options;
  options.address = "192.0.2.1";
  options.port = 0;
  EXPECT_THROW(HttpServer(options, handler), Error);
}

}  // namespace
}  // namespace ampere
