#include "method/kernels/cut/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ampere {
namespace {

constexpr std::array kConvolutions{"conv", "gconv", "convtranspose"};
constexpr std::array kPools{"maxpool", "avgpool"};
constexpr int kMostAxes = 16;

bool is_one_of(const auto& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::size_t rank_of(const std::string& column) {
  const auto& all = kernel_columns();
  return static_cast<std::size_t>(std::ranges::find(all, column) - all.begin());
}

std::vector<std::string> make_columns() {
  std::vector<std::string> columns{
      "BATCH",    "T",           "L",        "HW",      "W",        "VOCABULARY", "CIN",
      "CIN1",     "CIN2",        "CIN3",     "CIN4",    "CIN_REST", "INPUTS",     "MID",
      "COUT",     "KERNEL_SIZE", "KERNEL_W", "STRIDES", "STRIDE_W", "PADDING",    "PADDING_W",
      "DILATION", "GROUPS",      "HEADS",    "PARTS",   "TAKEN",    "OUT",        "OUT_W",
      "SIDE_T",   "SIDE_L",      "SIDE_HW",  "SIDE_W",  "SIDE_CIN"};
  for (const char side : {'D', 'O', 'S'})
    for (int axis = 1; axis <= kMostAxes; ++axis)
      columns.push_back(fmt::format("{}{}", side, axis));
  return columns;
}

std::int64_t concatenated(const KernelConfig& config) {
  return std::ranges::count_if(config, [](const auto& entry) {
    return entry.first.starts_with("CIN") && entry.first.size() == 4 && entry.second > 0;
  });
}

// Half the kernel, which keeps the extent where the stride is 1.
std::int64_t same_padding(const std::string& type, const KernelConfig& config,
                          const std::string& kernel_column) {
  if (is_one_of(kPools, first_operator(type))) return 0;
  const std::int64_t kernel = column_value(type, kernel_column, config).value_or(1);
  return column_value(type, "DILATION", config).value_or(1) * (kernel - 1) / 2;
}

}  // namespace

const std::vector<std::string>& kernel_columns() {
  static const std::vector<std::string> columns = make_columns();
  return columns;
}

bool is_kernel_column(const std::string& name) { return is_one_of(kernel_columns(), name); }

bool column_before(const std::string& a, const std::string& b) { return rank_of(a) < rank_of(b); }

std::optional<std::int64_t> column_value(const std::string& type, const std::string& column,
                                         const KernelConfig& config) {
  if (const auto found = config.find(column); found != config.end()) return found->second;
  return usual_value(type, column, config);
}

std::string first_operator(const std::string& type) {
  return type.substr(0, type.find_first_of("+@"));
}

std::optional<std::int64_t> usual_value(const std::string& type, const std::string& column,
                                        const KernelConfig& config) {
  const auto as = [&](const std::string& other) { return column_value(type, other, config); };
  const std::string first = first_operator(type);
  if (column == "BATCH" || column == "DILATION") return 1;
  if (column == "W") return as("HW");
  if (column == "KERNEL_W") return as("KERNEL_SIZE");
  if (column == "STRIDE_W") return as("STRIDES");
  if (column == "PADDING") return same_padding(type, config, "KERNEL_SIZE");
  if (column == "PADDING_W") return as("PADDING");
  if (column == "OUT_W") return as("OUT");
  if (column == "CIN2" || column == "CIN3" || column == "CIN4" || column == "CIN_REST") return 0;
  if (column == "INPUTS") return concatenated(config);
  if (column == "MID") return std::max<std::int64_t>(1, as("CIN").value_or(4) / 4);
  if (column == "PARTS" || (column == "GROUPS" && first == "channel-shuffle")) return 2;
  if (column == "TAKEN") return as("PARTS");
  if (column == "GROUPS" && first == "conv") return 1;
  if (column.starts_with("SIDE_")) return as(column.substr(5));
  if (column == "COUT" && !is_one_of(required_columns(type), column)) return as("CIN");
  return std::nullopt;
}

std::vector<std::string> required_columns(const std::string& type) {
  const std::string first = first_operator(type);
  if (type.find('@') != std::string::npos) return {};
  if (is_one_of(kConvolutions, first)) return {"HW", "CIN", "COUT", "KERNEL_SIZE", "STRIDES"};
  if (first == "dwconv" || is_one_of(kPools, first)) return {"HW", "CIN", "KERNEL_SIZE", "STRIDES"};
  if (first == "fc") return {"CIN", "COUT"};
  if (first == "concat") return {"HW", "CIN1"};
  return {"HW", "CIN"};
}

bool may_be_zero(const std::string& column) {
  return column == "PADDING" || column == "PADDING_W" || column == "CIN2" || column == "CIN3" ||
         column == "CIN4" || column == "CIN_REST";
}

KernelConfig without_usual(const std::string& type, KernelConfig config) {
  KernelConfig kept;
  for (const auto& [column, value] : config)
    if (usual_value(type, column, config) != value) kept[column] = value;
  return kept;
}

std::vector<std::string> ordered_columns(const KernelConfig& config) {
  std::vector<std::string> columns;
  for (const auto& [column, value] : config) columns.push_back(column);
  std::ranges::stable_sort(columns, column_before);
  return columns;
}

std::string to_string(const KernelConfig& config) {
  std::string text;
  for (const std::string& column : ordered_columns(config))
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", column, config.at(column));
  return text;
}

}  // namespace ampere
