// Limits of time, size and number, and how a server ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "serve/client.h"

namespace ampere {
namespace {

using Time = HttpOptions::Time;

TEST(HttpLimits, ASlowHeadGets408) {
  TestServer server([](HttpOptions& options) { options.head_time = Time(30); });
  EXPECT_EQ(server.ask("GET /quick HTTP/1.1\r\nHos").status, 408);
  EXPECT_EQ(server.counts().timed_out, 1u);
}

TEST(HttpLimits, AHeadThatComesByteByByteGets408) {
  TestServer server([](HttpOptions& options) { options.head_time = Time(30); });
  Client client(server.port());
  client.send("GET / HTTP/1.1\r\n");
  for (int i = 0; server.counts().timed_out == 0; ++i) {
    client.send_what_is_taken(i % 2 == 0 ? "A: b\r" : "\n");
    std::this_thread::sleep_for(Time(5));
  }
  EXPECT_EQ(client.read_answer().status, 408);
}

TEST(HttpLimits, ASlowBodyGets408) {
  TestServer server([](HttpOptions& options) { options.body_time = Time(30); });
  EXPECT_EQ(
      server.ask("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nbod").status,
      408);
}

TEST(HttpLimits, ABodyThatArrivesFastEnoughGetsMoreTime) {
  TestServer server([](HttpOptions& options) {
    options.body_time = Time(600);
    options.bytes_per_second = 1;
  });
  Client client(server.port());
  client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\n");
  for (int i = 0; i < 8; ++i) {
    client.send("b");
    std::this_thread::sleep_for(Time(100));
  }
  EXPECT_EQ(client.read_answer().status, 200);
}

TEST(HttpLimits, AnIdleConnectionIsClosedSilently) {
  TestServer server([](HttpOptions& options) { options.idle_time = Time(20); });
  Client client(server.port());
  client.send(get("/quick"));
  EXPECT_EQ(client.read_answer().status, 200);
  EXPECT_TRUE(client.is_closed());
}

TEST(HttpLimits, AConnectionThatSaysNothingIsClosedSilently) {
  TestServer server([](HttpOptions& options) { options.head_time = Time(20); });
  EXPECT_TRUE(Client(server.port()).is_closed());
}

TEST(HttpLimits, AClientThatNeverReadsIsClosed) {
  TestServer server([](HttpOptions& options) { options.write_time = Time(20); });
  Client client(server.port());
  client.send(get("/long"));
  server.wait_until([](const HttpCounts& counts) { return counts.timed_out == 1; });
  server.wait_until([](const HttpCounts& counts) { return counts.open == 0; });
}

TEST(HttpLimits, ConnectionsOverTheLimitGet503AndAreClosed) {
  TestServer server([](HttpOptions& options) { options.connections = 2; });
  Client first(server.port()), second(server.port());
  server.wait_until([](const HttpCounts& counts) { return counts.open == 2; });
  Client third(server.port());
  const Answer answer = third.read_answer();
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.headers.at("retry-after"), "1");
  EXPECT_TRUE(third.is_closed());
  first.send(get("/quick"));
  EXPECT_EQ(first.read_answer().status, 200);
  EXPECT_EQ(server.counts().turned_away, 1u);
}

TEST(HttpLimits, HundredsOfConnectionsAreServedAtOnce) {
  TestServer server([](HttpOptions& options) { options.waiting = 400; });
  std::deque<Client> clients;
  for (int i = 0; i < 400; ++i) clients.emplace_back(server.port());
  for (Client& client : clients) client.send(get("/work"));
  for (Client& client : clients) EXPECT_EQ(client.read_answer().body, "work");
}

TEST(HttpLimits, RequestsThatFindNoRoomInTheQueueGet503) {
  TestServer server([](HttpOptions& options) {
    options.workers = 1;
    options.waiting = 1;
  });
  Client working(server.port()), waiting(server.port()), refused(server.port());
  working.send(get("/hold"));
  server.handler.wait_for_hold(1);
  waiting.send(get("/hold"));
  server.wait_until([](const HttpCounts& counts) { return counts.waiting == 1; });
  refused.send(get("/hold"));
  const Answer answer = refused.read_answer();
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.headers.at("retry-after"), "1");
  // What is quick is answered none the less, on the same connection.
  refused.send(get("/quick"));
  EXPECT_EQ(refused.read_answer().body, "quick");
  server.handler.release();
  EXPECT_EQ(working.read_answer().body, "held");
  EXPECT_EQ(waiting.read_answer().body, "held");
}

TEST(HttpLimits, BodiesThatTogetherNeedTooMuchMemoryGet503) {
  TestServer server([](HttpOptions& options) { options.body_memory = 100; });
  const std::string head = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 80\r\n\r\n";
  Client first(server.port());
  first.send(head + std::string(70, 'a'));
  // The second may be read before the first, which is then the one that is refused.
  Client second(server.port());
  second.send(head + std::string(70, 'a'));
  server.wait_until([](const HttpCounts& counts) { return counts.refused == 1; });
  EXPECT_EQ(server.counts().requests, 0u);
}

TEST(HttpLimits, TheBodyOfAClientThatWentAwayNeedsNoMemory) {
  TestServer server([](HttpOptions& options) { options.body_memory = 100; });
  const std::string head = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 80\r\n\r\n";
  for (std::uint64_t i = 1; i <= 3; ++i) {
    Client client(server.port());
    client.send(head + std::string(70, 'a'));
    client.reset();
    server.wait_until(
        [&](const HttpCounts& counts) { return counts.connections == i && counts.open == 0; });
  }
  EXPECT_EQ(server.ask(head + std::string(80, 'a')).status, 200);
}

TEST(HttpLimits, AClientThatGoesAwayWhileAWorkerComputesDisturbsNobody) {
  TestServer server;
  Client client(server.port());
  client.send(get("/hold"));
  server.handler.wait_for_hold(1);
  client.reset();
  server.handler.release();
  server.wait_until([](const HttpCounts& counts) { return counts.open == 0; });
  EXPECT_EQ(server.ask(get("/work")).status, 200);
}

TEST(HttpStop, FinishesWhatIsRunning) {
  TestServer server;
  Client running(server.port()), idle(server.port());
  running.send(get("/hold"));
  server.handler.wait_for_hold(1);
  server.wait_until([](const HttpCounts& counts) { return counts.open == 2; });
  server.request_stop();
  EXPECT_TRUE(idle.is_closed());
  server.handler.release();
  const Answer answer = running.read_answer();
  EXPECT_EQ(answer.body, "held");
  EXPECT_EQ(answer.headers.at("connection"), "close");
  server.wait();
  EXPECT_THROW(Client(server.port()), std::runtime_error);
}

TEST(HttpStop, RefusesWhatHasNotArrived) {
  TestServer server;
  Client head(server.port()), body(server.port());
  head.send("GET /qui");
  body.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
      "9\r\n\r\n");
  EXPECT_EQ(body.read_answer().status, 100);
  server.request_stop();
  EXPECT_EQ(body.read_answer().status, 503);
  server.wait();
}

TEST(HttpStop, WaitsNoLongerThanTheGraceTimeForAClient) {
  TestServer server([](HttpOptions& options) { options.grace_time = Time(20); });
  server.handler.long_bytes = std::size_t{64} << 20;
  Client client(server.port());
  client.send(get("/long"));
  server.wait_until([](const HttpCounts& counts) { return counts.requests == 1; });
  server.request_stop();
  server.wait();
  EXPECT_EQ(server.counts().open, 0u);
}

TEST(HttpStop, ClosesConnectionsWhoseAnswerTakesTooLong) {
  TestServer server([](HttpOptions& options) { options.grace_time = Time(20); });
  Client client(server.port());
  client.send(get("/hold"));
  server.handler.wait_for_hold(1);
  server.request_stop();
  EXPECT_TRUE(client.is_closed());
  server.handler.release();
  server.wait();
}

}  // namespace
}  // namespace ampere
