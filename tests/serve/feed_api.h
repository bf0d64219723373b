// What both the fuzzer and a test do with a request.
#pragma once

#include <string>
#include <string_view>

namespace ampere {

// Any bytes as lines of `ampere serve --stdio`, over a store without profiles, so that only those
// which came with the program answer. Returns what is wrong with the answers; empty when nothing
// is: every line has one, which is JSON, and none says that the server is at fault.
std::string feed_api(std::string_view lines);

}  // namespace ampere
