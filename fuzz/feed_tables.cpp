// Tables of numbers: power traces, measured kernels, forecasts, data sets.
#include <algorithm>

#include "ampere/error.h"
#include "base/text.h"
#include "data/data_set.h"
#include "forecast/forecast.h"
#include "fuzz/boundaries.h"
#include "fuzz/scratch.h"
#include "meter/trace/trace_parser.h"
#include "method/kernels/kernel_data.h"

namespace ampere::fuzz {
namespace {

template <class Read>
void quietly(const Read& read) try {
  read();
} catch (const Error&) {
}

void open(const std::string& kind) {
  quietly([&] { open_data(kind + ":" + scratch_folder() + "/" + kind, "/nonexistent"); });
}

}  // namespace

// The first byte says which settings the user gave.
void feed_trace(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto bits = static_cast<unsigned char>(bytes[0]);
  TraceFormat format;
  if ((bits & 1) != 0) format.volts = 3.3;
  if ((bits & 2) != 0) format.channel = "main";
  if ((bits & 4) != 0) format.value_unit = "mA";
  if ((bits & 8) != 0) format.time_scale = 1e-3;
  format.negative_is_zero = (bits & 16) != 0;
  TraceParser parser(format);
  quietly([&] {
    for (const std::string& line : split(bytes.substr(1), '\n')) parser.parse(line);
  });
}

void feed_kernels(std::string_view bytes) {
  quietly([&] {
    std::vector<EnergyTable> levels;
    for (const TableImport& imported : import_tables(bytes, "fuzzed")) {
      quietly([&] { import_table(export_table(imported.data), "again"); });
      levels.push_back(imported.data);
    }
    import_tables(export_tables(levels), "again");
  });
}

void feed_forecast(std::string_view bytes) {
  quietly([&] { parse_forecast(bytes, "fuzzed", std::chrono::sys_seconds{}); });
}

// The first byte says which file of the set these bytes are.
void feed_idx(std::string_view bytes) {
  if (bytes.empty()) return;
  using namespace std::string_view_literals;
  constexpr auto kImages =
      "\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x01"
      "ab"sv;
  constexpr auto kLabels = "\0\0\x08\x01\0\0\0\x02\0\x01"sv;
  const int which = static_cast<unsigned char>(bytes[0]) % 4;
  const std::string_view rest = bytes.substr(1);
  scratch_file("idx/train-images-idx3-ubyte", which == 0 ? rest : kImages);
  scratch_file("idx/train-labels-idx1-ubyte", which == 1 ? rest : kLabels);
  scratch_file("idx/t10k-images-idx3-ubyte", which == 2 ? rest : kImages);
  scratch_file("idx/t10k-labels-idx1-ubyte", which == 3 ? rest : kLabels);
  open("idx");
}

void feed_cifar(std::string_view bytes) {
  for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                           "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"})
    scratch_file("cifar/" + std::string(name), bytes);
  open("cifar");
}

// Samples, then labels; the first byte says where these begin, in units of 16 bytes.
void feed_npy(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::size_t first =
      std::min<std::size_t>(static_cast<unsigned char>(bytes[0]) * 16, bytes.size() - 1);
  const std::string_view values = bytes.substr(1, first), labels = bytes.substr(1 + first);
  for (const char* part : {"train", "test"}) {
    scratch_file(std::string("npy/x_") + part + ".npy", values);
    scratch_file(std::string("npy/y_") + part + ".npy", labels);
  }
  open("npy");
}

}  // namespace ampere::fuzz
