#include "serve/http_connections.h"

#include <unistd.h>

#include <iterator>

namespace ampere {
namespace {

constexpr std::size_t kTurnedAway = 64;  // connections over the limit that are told so

}  // namespace

void HttpConnections::add(int socket) {
  HttpCounters& counters = shared_.counters;
  counters.connections += 1;
  const bool is_over_limit = all_.size() >= shared_.options.connections;
  if (is_over_limit) counters.turned_away += 1;
  if (all_.size() >= shared_.options.connections + kTurnedAway) {
    ::close(socket);
    return;
  }
  all_.emplace_back();
  const auto place = std::prev(all_.end());
  *place = make_connection(shared_, socket, [this, place] {
    all_.erase(place);
    shared_.counters.open -= 1;
  });
  counters.open += 1;
  (*place)->start(is_over_limit);
}

// A connection that is closed on the way removes itself from the list, and no other.
template <class Step>
void HttpConnections::for_each(Step step) {
  for (auto next = all_.begin(); next != all_.end();) step(**next++);
}

void HttpConnections::sweep() {
  const auto now = std::chrono::steady_clock::now();
  for_each([&](HttpConnection& connection) { connection.sweep(now); });
}

void HttpConnections::stop() {
  shared_.stopping = true;
  for_each([](HttpConnection& connection) { connection.stop(); });
}

void HttpConnections::close_all() {
  for_each([](HttpConnection& connection) { connection.close(); });
}

}  // namespace ampere
