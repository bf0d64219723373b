#include "base/utc.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ampere {
namespace {

constexpr std::string_view kDigits = "0123456789";

// Reads fields of fixed width off the front of a text; remembers whether all were there.
class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}

  int digits(std::size_t count) {
    int value = 0;
    const std::string_view field = rest_.substr(0, count);
    if (field.find_first_not_of(kDigits) != field.npos || field.size() != count)
      good_ = false;
    else
      std::from_chars(field.data(), field.data() + count, value);
    rest_.remove_prefix(field.size());
    return value;
  }

  bool skip(std::string_view letters) {  // one of them
    if (rest_.empty() || letters.find(rest_.front()) == letters.npos) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // As many digits as there are, as the decimals of a second.
  std::chrono::milliseconds decimals() {
    const std::size_t count = std::min(rest_.find_first_not_of(kDigits), rest_.size());
    std::string three(rest_.substr(0, std::min<std::size_t>(count, 3)));
    good_ = good_ && count > 0;
    rest_.remove_prefix(count);
    three.resize(3, '0');
    return std::chrono::milliseconds(std::stoi(three));
  }

  void need(std::string_view letters) { good_ = skip(letters) && good_; }
  bool good() const { return good_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

// Up to the seconds, which are the last field.
std::string text_of(std::chrono::sys_seconds moment) {
  using namespace std::chrono;
  const sys_days day = floor<days>(moment);
  const year_month_day date(day);
  const hh_mm_ss time(moment - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

}  // namespace

std::string utc_text(std::chrono::sys_seconds moment) { return text_of(moment) + "Z"; }

std::string utc_text(UtcMoment moment) {
  const auto second = std::chrono::floor<std::chrono::seconds>(moment);
  return fmt::format("{}.{:03}Z", text_of(second), (moment - second).count());
}

std::optional<UtcMoment> parse_utc(std::string_view text) {
  using namespace std::chrono;
  Fields fields(text);
  const year y{fields.digits(4)};
  fields.need("-");
  const month m{static_cast<unsigned>(fields.digits(2))};
  fields.need("-");
  const day d{static_cast<unsigned>(fields.digits(2))};
  fields.need("T ");
  const int hour = fields.digits(2);
  fields.need(":");
  const int minute = fields.digits(2);
  const bool has_seconds = fields.skip(":");
  const int second = has_seconds ? fields.digits(2) : 0;
  const milliseconds rest = has_seconds && fields.skip(".") ? fields.decimals() : milliseconds{0};
  const bool ended = fields.rest().empty() || fields.rest() == "Z" || fields.rest() == "+00:00";
  const year_month_day date{y, m, d};
  if (!fields.good() || !ended || !date.ok() || hour > 23 || minute > 59 || second > 59)
    return std::nullopt;
  return sys_days{date} + hours{hour} + minutes{minute} + seconds{second} + rest;
}

}  // namespace ampere
