#include "program/place.h"

#include <fmt/format.h>

#include "base/plain_text.h"

namespace ampere {

std::string Place::path() const {
  if (root_ != nullptr) return *root_;
  std::string path = outside_->path();
  if (key_.data() == nullptr) return path + fmt::format("[{}]", index_);
  if (!path.ends_with(": ")) path += '.';
  return path += key_;
}

void Place::fail(const std::string& message) const {
  const std::string where = path();
  throw Error(ErrorCode::usage, where + (where.ends_with(": ") ? "" : ": ") + message);
}

const Json& Place::list(const Json& json) const {
  if (!json.is_array()) fail("must be a list");
  return json;
}

const Json& Place::object(const Json& json) const {
  if (!json.is_object()) fail("must be an object");
  return json;
}

std::int64_t Place::integer(const Json& json) const {
  if (!json.is_number_integer()) fail("must be a whole number");
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    fail("is too large");
  return json.get<std::int64_t>();
}

std::int64_t Place::whole(const Json& json) const {
  const std::int64_t value = integer(json);
  if (value < 0) fail("must not be negative");
  return value;
}

std::string Place::text(const Json& json) const {
  if (!json.is_string()) fail("must be text");
  return plain_text(json.get_ref<const std::string&>());
}

int Place::index(const Json& json, const char* thing, std::size_t count) const {
  const std::int64_t value = integer(json);
  if (value < 0 || static_cast<std::uint64_t>(value) >= count)
    fail(fmt::format("{} {} does not exist (there {} {})", thing, value, count == 1 ? "is" : "are",
                     count));
  return static_cast<int>(value);
}

}  // namespace ampere
