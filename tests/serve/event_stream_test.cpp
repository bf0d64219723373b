#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/client.h"

namespace ampere {
namespace {

using Time = HttpOptions::Time;

TEST(EventStream, SendsEventsAsTheyComeAndEndsWithTheQueue) {
  TestServer server;
  server.handler.events->put({"progress", "{\"done\":1}"});
  Client client(server.port());
  client.send(get("/events"));
  const Answer answer = client.read_answer();
  EXPECT_EQ(answer.headers.at("transfer-encoding"), "chunked");
  EXPECT_EQ(client.read_line(), "22");
  EXPECT_EQ(client.read_line(), "event: progress");
  EXPECT_EQ(client.read_line(), "data: {\"done\":1}");
  EXPECT_EQ(server.counts().streams, 1u);
  server.handler.events->put({"result", "{}"});
  server.handler.events->close();
  EXPECT_EQ(client.read_all(), "\n\r\n18\r\nevent: result\ndata: {}\n\n\r\n0\r\n\r\n");
  EXPECT_EQ(server.counts().streams, 0u);
}

TEST(EventStream, HasNoChunksInTheOldVersion) {
  TestServer server;
  server.handler.events->put({"result", "{}"});
  server.handler.events->close();
  Client client(server.port());
  client.send("GET /events HTTP/1.0\r\n\r\n");
  EXPECT_FALSE(client.read_answer().headers.contains("transfer-encoding"));
  EXPECT_EQ(client.read_all(), "event: result\ndata: {}\n\n");
}

TEST(EventStream, SendsManyEventsInOrder) {
  TestServer server;
  Client client(server.port());
  client.send("GET /events HTTP/1.0\r\n\r\n");
  std::string expected;
  for (int i = 0; i < 20'000; ++i) {
    server.handler.events->put({"n", std::to_string(i)});
    expected += "event: n\ndata: " + std::to_string(i) + "\n\n";
  }
  server.handler.events->close();
  client.read_answer();
  EXPECT_EQ(client.read_all(), expected);
}

TEST(EventStream, TellsTheQueueThatTheClientIsGone) {
  TestServer server;
  {
    Client client(server.port());
    client.send(get("/events"));
    client.read_answer();
    server.wait_until([](const HttpCounts& counts) { return counts.streams == 1; });
  }
  server.wait_until([](const HttpCounts& counts) { return counts.open == 0; });
  EXPECT_TRUE(server.handler.events->is_over());
}

TEST(EventStream, SendsACommentWhenNothingHappens) {
  TestServer server([](HttpOptions& options) { options.event_interval = Time(10); });
  Client client(server.port());
  client.send(get("/events"));
  client.read_answer();
  EXPECT_EQ(client.read_line(), "3");
  EXPECT_EQ(client.read_line(), ":");
}

TEST(EventStream, EndsWhenTheServerStops) {
  TestServer server;
  Client client(server.port());
  client.send(get("/events"));
  client.read_answer();
  server.wait_until([](const HttpCounts& counts) { return counts.streams == 1; });
  server.request_stop();
  EXPECT_EQ(client.read_all(), "0\r\n\r\n");
  server.wait();
  EXPECT_TRUE(server.handler.events->is_over());
  server.handler.events->put({"late", "{}"});
}

TEST(EventStream, OfAHeadHasNoReader) {
  TestServer server;
  EXPECT_EQ(server.ask("HEAD /events HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200);
  EXPECT_TRUE(server.handler.events->is_over());
}

}  // namespace
}  // namespace ampere
