// Lines of a power trace, one sample each. A line that cannot be understood is an error: leaving it
// out would leave its energy out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/meter.h"
#include "meter/trace/trace_columns.h"

namespace ampere {

struct TraceSample {
  Seconds time{};            // of the trace's own clock, never before that of the sample before it
  std::vector<Watts> power;  // as TraceLayout::powers
};

class TraceParser {
 public:
  explicit TraceParser(TraceFormat format) : format_(std::move(format)) {}

  // Null for comments, blank lines and the header; valid until the next call. Throws Error(usage)
  // with the line's text.
  const TraceSample* parse(std::string_view line);

  // The same trace again from its first line.
  void restart();

  std::int64_t line_number() const { return line_number_; }             // of the last one
  const std::optional<TraceLayout>& layout() const { return layout_; }  // once a line told it
  Source source() const { return source_; }  // from a comment "source: modelled"

 private:
  void read_comment(std::string_view text);
  void split_fields(std::string_view line);
  bool learn_layout(std::string_view line);
  double number(std::size_t field, std::string_view line) const;
  Watts power(const TracePower& column, std::string_view line) const;
  [[noreturn]] void fail(const std::string& what, std::string_view line) const;

  TraceFormat format_;
  std::int64_t line_number_ = 0;
  std::optional<char> separator_;
  std::optional<TraceLayout> layout_;
  Source source_ = Source::measured;
  std::vector<std::string_view> fields_;
  TraceSample sample_;
  bool any_sample_ = false;
};

}  // namespace ampere
