#include "meter/trace/trace_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

constexpr double kMostTraceWatts = 1e9;  // a large power station
constexpr double kMostSeconds = 1e11;    // some thousand years

std::string printable_line(std::string_view line) {
  constexpr std::size_t kLongest = 60;
  std::string text(line.substr(0, kLongest));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  return line.size() > kLongest ? text + "…" : text;
}

char separator_of(std::string_view line) {
  for (const char separator : {';', '\t', ','})
    if (line.find(separator) != std::string_view::npos) return separator;
  return ' ';
}

std::string_view unquoted(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    return trim(text.substr(1, text.size() - 2));
  return text;
}

std::optional<double> as_number(std::string_view text) {
  text = unquoted(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

const char* decimal_hint(std::string_view field) {
  return field.find(',') == std::string_view::npos
             ? ""
             : " (decimal commas are not understood: export with decimal points)";
}

}  // namespace

void TraceParser::restart() {
  line_number_ = 0;
  separator_.reset();
  layout_.reset();
  any_sample_ = false;
}

const TraceSample* TraceParser::parse(std::string_view line) {
  ++line_number_;
  if (line_number_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  line = trim(line);
  if (line.empty()) return nullptr;
  if (line.front() == '#') {
    read_comment(trim(line.substr(1)));
    return nullptr;
  }
  if (!layout_ && learn_layout(line)) return nullptr;
  split_fields(line);
  if (fields_.size() != layout_->fields)
    fail(fmt::format("{} fields where there should be {}", fields_.size(), layout_->fields), line);
  const Seconds time{number(layout_->time_field, line) * layout_->time_scale};
  if (std::abs(time.count()) > kMostSeconds) fail("that time cannot be", line);
  if (any_sample_ && time < sample_.time)
    fail(fmt::format("the clock goes back by {:.6g} s", (sample_.time - time).count()), line);
  sample_.power.clear();
  for (const TracePower& column : layout_->powers) sample_.power.push_back(power(column, line));
  sample_.time = time;
  any_sample_ = true;
  return &sample_;
}

// "#time (s),current (A),voltage (V)" is how some tools write their header.
void TraceParser::read_comment(std::string_view text) {
  if (text.starts_with("source:")) {
    source_ = parse_source(std::string(trim(text.substr(7))));
    return;
  }
  if (layout_ || separator_of(text) == ' ') return;
  separator_ = separator_of(text);
  split_fields(text);
  try {
    layout_ = layout_of_header(fields_, format_);
  } catch (const Error& error) {
    fail(error.what(), text);
  }
  if (!layout_) separator_.reset();
}

// True when the line was a header.
bool TraceParser::learn_layout(std::string_view line) {
  separator_ = separator_of(line);
  split_fields(line);
  const bool header = !as_number(fields_.front());
  try {
    layout_ = header ? layout_of_header(fields_, format_)
                     : layout_without_header(fields_.size(), format_);
  } catch (const Error& error) {
    fail(error.what(), line);
  }
  if (!layout_)
    fail(fmt::format("neither numbers nor a header with a column 'time'{}",
                     decimal_hint(fields_.front())),
         line);
  return header;
}

void TraceParser::split_fields(std::string_view line) {
  fields_.clear();
  const char separator = *separator_;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(separator), line.size());
    fields_.push_back(trim(line.substr(0, end)));
    line.remove_prefix(std::min(end + 1, line.size()));
    if (separator == ' ') line = trim(line);
  }
  // A separator at the end of a line has nothing behind it.
  while (fields_.size() > 1 && fields_.back().empty()) fields_.pop_back();
}

double TraceParser::number(std::size_t field, std::string_view line) const {
  const auto value = as_number(fields_[field]);
  if (!value)
    fail(fmt::format("'{}' is not a finite number{}", printable_line(fields_[field]),
                     decimal_hint(fields_[field])),
         line);
  return *value;
}

Watts TraceParser::power(const TracePower& column, std::string_view line) const {
  double watts = column.factor * number(column.field, line);
  if (column.other) watts *= number(*column.other, line);
  if (!(std::abs(watts) <= kMostTraceWatts)) fail(fmt::format("{} W cannot be", watts), line);
  if (watts >= 0 || format_.negative_is_zero) return {std::max(watts, 0.0)};
  fail(fmt::format("{} W is negative: are its leads swapped? (noise around 0: negative=zero)",
                   watts),
       line);
}

void TraceParser::fail(const std::string& what, std::string_view line) const {
  throw Error(ErrorCode::usage, fmt::format("{}: '{}'", what, printable_line(line)));
}

}  // namespace ampere
