// The module that the page of a report computes with: the library's composers behind three
// functions. It is compiled to WebAssembly, which has no exceptions here (-fignore-exceptions):
// what is thrown goes to the page, which never comes back from `fail`.
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "ampere/error.h"
#include "base/json.h"
#include "method/ampere/fit_json.h"
#include "method/dual/dual_json.h"
#include "widths/block_forms.h"

extern "C" [[noreturn, clang::import_module("ampere"), clang::import_name("fail")]] void fail(
    const char* text, std::size_t size);

// All text crosses as JSON in ASCII, so that a byte is a letter on both sides.
static std::string ascii(const ampere::Json& json) {
  return json.dump(-1, ' ', true, ampere::Json::error_handler_t::replace);
}

extern "C" void* __cxa_allocate_exception(std::size_t size) noexcept { return std::malloc(size); }

// Everything that is thrown here is a std::exception, and that is its first base.
extern "C" [[noreturn]] void __cxa_throw(void* thrown, std::type_info*, void (*)(void*)) {
  const std::string text = ascii(static_cast<std::exception*>(thrown)->what());
  fail(text.data(), text.size());
}

namespace ampere {
namespace {

struct WhatIf {
  BlockForms blocks;
  std::unique_ptr<Composer> composer;
};

std::unique_ptr<Composer> read_composer(const JsonField& json) {
  const std::string method = json.at("method").text();
  if (method == "dual") return read_dual_composer(json);
  if (method == "ampere") return read_ampere_composer(json);
  json.at("method").fail("must be dual or ampere");
}

WhatIf read_what_if(std::string_view text) {
  const Json document = parse_json(text, "the what-if");
  const JsonField json(document, "the what-if: ");
  if (json.has("reason")) throw Error(ErrorCode::unknown, json.at("reason").text());
  return {BlockForms(json), read_composer(json)};
}

std::vector<double> read_widths(std::string_view text) {
  const Json document = parse_json(text, "the widths");
  std::vector<double> widths;
  for (const JsonField& item : JsonField(document, "the widths").items())
    widths.push_back(item.number());
  return widths;
}

Json answer(WhatIf& what_if, const std::vector<double>& widths) {
  Composer& composer = *what_if.composer;
  const std::optional<NetworkCost> cost = composer.compose(what_if.blocks.at(widths, composer));
  if (!cost) throw Error(ErrorCode::unknown, "a block of this network is not known");
  return {{"energy_j_per_iteration", {{"mean", cost->energy_j}, {"stddev", cost->energy_sd}}},
          {"time_s_per_iteration", {{"mean", cost->time_s}, {"stddev", composer.time_sd()}}},
          {"extrapolated", cost->extrapolated}};
}

std::unique_ptr<WhatIf> loaded;
std::string answered;

}  // namespace
}  // namespace ampere

extern "C" {

// Memory for a text that the page hands over; the function that takes the text frees it.
[[clang::export_name("allocate")]] char* allocate(std::size_t size) {
  return static_cast<char*>(std::malloc(size));
}

[[clang::export_name("load")]] void load(char* text, std::size_t size) {
  ampere::loaded.reset();
  ampere::loaded = std::make_unique<ampere::WhatIf>(ampere::read_what_if({text, size}));
  std::free(text);
}

// The answer is there until the next call.
[[clang::export_name("evaluate")]] const char* evaluate(char* text, std::size_t size) {
  const std::vector<double> widths = ampere::read_widths({text, size});
  std::free(text);
  ampere::answered = ascii(ampere::answer(*ampere::loaded, widths));
  return ampere::answered.c_str();
}

}  // extern "C"
