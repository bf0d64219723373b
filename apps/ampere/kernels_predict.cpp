#include "kernels_predict.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/json_text.h"
#include "base/quantity_json.h"
#include "base/read_line.h"
#include "base/text.h"

namespace ampere {
namespace {

constexpr const char* kOrigin = "standard input";

struct Asked {
  std::string type;
  KernelConfig config;
};

std::string column_of(const std::string& name) {
  for (const std::string& column : kernel_columns())
    if (std::ranges::equal(column, name, {}, {},
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); }))
      return column;
  throw Error(ErrorCode::usage,
              fmt::format("'{}' is not a size of a kernel{}", name,
                          suggestion(name, std::span<const std::string>(kernel_columns()))));
}

Asked asked_in_json(const std::string& line) {
  const Json document = parse_json(line, kOrigin);
  const JsonField json(document, "");
  Asked asked;
  for (const std::string& key : json.keys()) {
    if (key == "kernel")
      asked.type = canonical_kernel_type(json.at(key).text());
    else if (!json.at(key).json().is_null())
      asked.config[column_of(key)] = json.at(key).integer();
  }
  return asked;
}

Asked asked_in_csv(const std::string& header, const std::string& line) {
  const CsvTable table = parse_csv(header + "\n" + line + "\n", kOrigin);
  if (table.rows.empty()) throw Error(ErrorCode::usage, "has no cells");
  const CsvLine& row = table.rows.front();
  if (!row.fault.empty()) throw Error(ErrorCode::usage, row.fault);
  if (row.cells.size() != table.header.cells.size())
    throw Error(ErrorCode::usage, fmt::format("has {} cells for {} columns", row.cells.size(),
                                              table.header.cells.size()));
  Asked asked;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const std::string& name = table.header.cells[i];
    if (name == "kernel")
      asked.type = canonical_kernel_type(row.cells[i]);
    else if (!row.cells[i].empty())
      asked.config[column_of(name)] = parse_integer(row.cells[i], name);
  }
  return asked;
}

void print_json(const Asked& asked, const KernelCost& cost) {
  Json json{{"kernel", asked.type}};
  for (const std::string& column : ordered_columns(asked.config))
    json[column] = asked.config.at(column);
  json["energy_j"] = quantity_json(cost.energy_j);
  json["time_s"] = quantity_json(cost.time_s);
  json["extrapolated"] = cost.extrapolated;
  fmt::print("{}\n", json_text(json));
}

void print_csv(const Asked& asked, const KernelCost& cost) {
  fmt::print("{},\"{}\",{:.6g},{:.3g},{},{}\n", csv_cell(asked.type), to_string(asked.config),
             1e3 * cost.energy_j.mean, 1e3 * assumed_error(cost.energy_j),
             cost.time_s ? fmt::format("{:.6g}", 1e3 * cost.time_s->mean) : "",
             cost.extrapolated ? "extrapolated" : "");
}

}  // namespace

void predict_stream(const KernelPredictor& predictor, std::istream& in, bool json, StopToken stop) {
  std::string header;
  std::int64_t number = 0;
  bool first = true;
  for (std::string line; read_line(in, line, kOrigin);) {
    ++number;
    const std::string text(trim(line));
    if (text.empty() || text.starts_with('#')) continue;
    if (stop.stop_requested())
      throw Error(ErrorCode::interrupted, fmt::format("interrupted before line {}", number));
    const bool is_json = text.starts_with('{');
    if (!is_json && header.empty()) {
      header = text;
      continue;
    }
    try {
      const Asked asked = is_json ? asked_in_json(text) : asked_in_csv(header, text);
      if (asked.type.empty()) throw Error(ErrorCode::usage, "does not say which kernel");
      const KernelCost cost = predictor.predict(asked.type, asked.config);
      if (first && !json) fmt::print("kernel,sizes,energy_mj,energy_mj_stddev,latency_ms,remark\n");
      first = false;
      json ? print_json(asked, cost) : print_csv(asked, cost);
    } catch (const Error& error) {
      throw error.saying(fmt::format("{}: line {}: {}", kOrigin, number, error.what()));
    }
  }
}

}  // namespace ampere
