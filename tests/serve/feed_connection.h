// Any bytes as a client, without a network: for the fuzzer and for the test that replays its seeds.
#pragma once

#include <string>
#include <string_view>

namespace ampere {

// Opens one connection of the transport, sends it all but the first byte, which says in pieces of
// how many bytes and whether the server has a token ("secret"), and ends the sending side. Returns
// what the transport did wrong: it did not close, or wrote something else than answers that consist
// of its own header fields. Empty when nothing.
std::string feed_connection(std::string_view bytes);

}  // namespace ampere
