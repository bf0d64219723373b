// What the columns of a power trace mean, from the names that measuring tools give them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ampere {

// What the user says beyond the file.
struct TraceFormat {
  std::optional<double> volts = {};       // of a trace that has currents only
  std::string channel = {};               // part of the names of the columns to take
  std::string value_unit = {};            // of a column that is only called "Value"
  std::optional<double> time_scale = {};  // seconds of a unit of time, instead of what it says
  bool negative_is_zero = false;          // power below 0 is noise around 0
};

// watts = factor · field [· other field]
struct TracePower {
  std::string name;
  double factor = 1;
  std::size_t field = 0;
  std::optional<std::size_t> other = {};
};

struct TraceLayout {
  std::size_t fields = 0;  // in every line
  std::size_t time_field = 0;
  double time_scale = 1;
  std::vector<TracePower> powers;  // the first is the total, others are parts of it
};

// Absent when no column has a name of time, so the line is not a header. Throws Error(usage) when
// it is one, but it names no power, or several.
std::optional<TraceLayout> layout_of_header(const std::vector<std::string_view>& names,
                                            const TraceFormat& format);

// Without a header: "time, watts" or "time, volts, amperes" in s, W, V, A. Throws Error(usage) for
// other numbers of fields.
TraceLayout layout_without_header(std::size_t fields, const TraceFormat& format);

}  // namespace ampere
