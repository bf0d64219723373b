#include "evaluate/data_sheet.h"

namespace ampere {
namespace {

struct Sheet {
  std::string_view name;  // part of the device's name; the more exact one comes first
  DataSheet numbers;
};

// Power of the board, fp32 without tensor cores, 16 bits by tensor cores without sparsity, memory.
constexpr Sheet kSheets[] = {
    {"H200", {700, 67e12, 989.5e12, 4.8e12}},
    {"H100 PCIe", {350, 51e12, 756e12, 2.0e12}},
    {"H100 80GB HBM3", {700, 67e12, 989.5e12, 3.35e12}},
    {"A100-SXM4-80GB", {400, 19.5e12, 312e12, 2.039e12}},
    {"A100-SXM4-40GB", {400, 19.5e12, 312e12, 1.555e12}},
    {"A100 80GB PCIe", {300, 19.5e12, 312e12, 1.935e12}},
    {"A100-PCIE-40GB", {250, 19.5e12, 312e12, 1.555e12}},
    {"V100-SXM2", {300, 15.7e12, 125e12, 0.9e12}},
    {"L40S", {350, 91.6e12, 362e12, 0.864e12}},
    {"A10", {150, 31.2e12, 125e12, 0.6e12}},
    {"Tesla T4", {70, 8.1e12, 65e12, 0.32e12}},
};

}  // namespace

std::optional<DataSheet> find_data_sheet(std::string_view device) {
  for (const Sheet& sheet : kSheets) {
    const std::size_t at = device.find(sheet.name);
    if (at == std::string_view::npos) continue;
    // "A10" is no "A100", and "H200" no "GH200".
    const std::size_t end = at + sheet.name.size();
    const bool begins = at == 0 || device[at - 1] == ' ' || device[at - 1] == '-';
    if (begins && (end == device.size() || device[end] == ' ')) return sheet.numbers;
  }
  return std::nullopt;
}

}  // namespace ampere
