#include "serve/uploads.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "ampere/error.h"
#include "ampere/onnx.h"
#include "base/gzip.h"
#include "base/plain_text.h"
#include "base/text.h"
#include "model/model_json.h"

namespace ampere {
namespace {

// The key comes first in every program that ampere writes, and never in a model.
bool looks_like_program(std::string_view text) {
  return is_gzip(text) || text.substr(0, 200).find("\"ampere-program\"") != std::string_view::npos;
}

std::string random_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

constexpr std::size_t kMostEntries = 200;

}  // namespace

Network parse_upload(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) throw Error(ErrorCode::usage, fmt::format("{}: is empty", name));
  if (looks_like_program(bytes)) {
    Program program = parse_program(bytes, name);
    std::string own_name = plain_text(program.name);
    return {std::move(own_name), std::move(program)};
  }
  Model model = trim(bytes.substr(0, 200)).starts_with('{')
                    ? parse_model_file(bytes, name)
                    : take_model(import_onnx_bytes(bytes, name), name);
  std::string own_name = plain_text(model.name());
  return {std::move(own_name), std::move(model)};
}

std::string Uploads::add(std::string_view bytes, const std::string& name) {
  auto network = std::make_shared<const Network>(parse_upload(bytes, name));
  std::string id = random_id();
  const std::lock_guard lock(mutex_);
  entries_.push_front({id, bytes.size(), std::move(network)});
  bytes_ += bytes.size();
  while ((bytes_ > most_bytes_ || entries_.size() > kMostEntries) && entries_.size() > 1) {
    bytes_ -= entries_.back().bytes;
    entries_.pop_back();
  }
  return id;
}

SharedNetwork Uploads::find(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, id, &Entry::id);
  if (found == entries_.end())
    throw Error(ErrorCode::unknown,
                fmt::format("no upload '{}': it was never made, or had to give way to later ones; "
                            "send it again",
                            id));
  entries_.splice(entries_.begin(), entries_, found);
  return found->network;
}

}  // namespace ampere
