#include "rig/recording_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/read_file.h"
#include "base/read_line.h"
#include "base/whole_file.h"
#include "record/record_json.h"
#include "rig/recording_format.h"

namespace ampere {
namespace {

constexpr std::uint64_t kCostOfALine = 4 * sizeof(std::string);  // in a vector that grows

struct CloseGz {
  void operator()(gzFile file) const { gzclose(file); }
};
using GzFile = std::unique_ptr<gzFile_s, CloseGz>;

GzFile open_gz(const std::string& path, const char* mode) {
  errno = 0;
  GzFile file(gzopen(path.c_str(), mode));
  if (!file)
    throw Error(ErrorCode::permission,
                fmt::format("{}: cannot be opened: {}", path,
                            errno != 0 ? std::strerror(errno) : "not enough memory"));
  return file;
}

struct Contents {
  std::vector<std::string> lines;  // the last one may be incomplete
  bool cut_off = false;
};

// Puts pieces of text together to lines. A small file can unpack to any size, so there is a limit
// on what it may take in memory, for each line and for all of them.
class Lines {
 public:
  explicit Lines(const std::string& path) : path_(path) {}

  void add(std::string_view piece) {
    for (;;) {
      const std::size_t end = piece.find('\n');
      add_to_line(piece.substr(0, end));
      if (end == std::string_view::npos) return;
      end_line();
      piece.remove_prefix(end + 1);
    }
  }

  std::vector<std::string> take() {
    if (!line_.empty()) end_line();
    return std::move(lines_);
  }
  std::size_t count() const { return lines_.size() + 1; }

 private:
  void add_to_line(std::string_view text) {
    if (line_.size() + text.size() > kLongestLine) refuse_long_line(path_, kLongestLine);
    taken_ += text.size();
    if (taken_ > kLargestRecording)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: is larger than {} when it is unpacked, the most that is read",
                              path_, size_text(kLargestRecording)));
    line_ += text;
  }

  void end_line() {
    taken_ += kCostOfALine;
    lines_.push_back(std::exchange(line_, {}));
  }

  std::string path_, line_;
  std::vector<std::string> lines_;
  std::uint64_t taken_ = 0;
};

// Plain files pass through zlib unchanged.
Contents read_all(const std::string& path) {
  std::error_code unreachable;
  if (!std::filesystem::exists(path, unreachable))
    throw Error(ErrorCode::unknown, fmt::format("{}: there is no such recording", path));
  if (std::filesystem::is_directory(path, unreachable))
    throw Error(ErrorCode::usage, fmt::format("{}: is a folder, not a recording", path));
  const GzFile file = open_gz(path, "rb");
  Lines lines(path);
  std::array<char, 1 << 16> buffer;
  int got = 0;
  while ((got = gzread(file.get(), buffer.data(), buffer.size())) > 0)
    lines.add({buffer.data(), static_cast<std::size_t>(got)});
  int code = Z_OK;
  const std::string why = gzerror(file.get(), &code);
  if (got < 0)
    throw Error(ErrorCode::usage,
                fmt::format("{}: cannot be read past line {}: {}", path, lines.count(), why));
  return {lines.take(), code == Z_BUF_ERROR};
}

void read_header(const std::string& line, const std::string& path, RecordingFile& file) {
  if (!Json::accept(line))
    throw Error(ErrorCode::usage, fmt::format("{}: is not a recording: its first line is not the "
                                              "header {{\"ampere_recording\": …}}",
                                              path));
  const Json json = Json::parse(line);
  const JsonField header(json, path + ": line 1: ");
  if (!header.has("ampere_recording")) header.fail("is not the header of a recording");
  if (header.at("ampere_recording").integer() != kRecordingFormatVersion)
    header.fail("is from another version of the program");
  file.device = read_device(header.at("device"));
  if (header.has("repeat_with")) file.repeat_with = plain_text(header.at("repeat_with").text());
}

class GzWriter : public RecordingWriter {
 public:
  // "T" writes without compressing.
  explicit GzWriter(const std::string& path)
      : path_(path), file_(open_gz(path, path.ends_with(".gz") ? "ab" : "abT")) {}

  // A sync flush keeps what later lines compress against, and puts this one on disk whole.
  void write(const std::string& line) override {
    if (line.size() > kLongestLine) refuse_long_line(path_, kLongestLine);  // nobody could read it
    const std::string text = line + '\n';
    errno = 0;
    if (gzwrite(file_.get(), text.data(), static_cast<unsigned>(text.size())) !=
            static_cast<int>(text.size()) ||
        gzflush(file_.get(), Z_SYNC_FLUSH) != Z_OK) {
      const int reason = errno;
      int code = Z_OK;
      const std::string why = gzerror(file_.get(), &code);
      throw Error(write_error_code(reason), fmt::format("{}: cannot be written: {}", path_,
                                                        reason != 0 ? std::strerror(reason) : why));
    }
  }

 private:
  std::string path_;
  GzFile file_;
};

}  // namespace

RecordingFile read_recording(const std::string& path) {
  Contents contents = read_all(path);
  if (contents.lines.empty())
    throw Error(ErrorCode::usage, fmt::format("{}: is empty, not a recording", path));
  RecordingFile file;
  file.lines = std::move(contents.lines);
  read_header(file.lines.front(), path, file);
  file.truncated = contents.cut_off;
  if (!Json::accept(file.lines.back())) {
    file.truncated = true;
    file.lines.pop_back();
  }
  return file;
}

Json recording_header(const DeviceInfo& device, const std::string& repeat_with) {
  Json header{{"ampere_recording", kRecordingFormatVersion}, {"device", device_json(device)}};
  if (!repeat_with.empty()) header["repeat_with"] = repeat_with;
  return header;
}

std::unique_ptr<RecordingWriter> open_recording_writer(const std::string& path) {
  return std::make_unique<GzWriter>(path);
}

}  // namespace ampere
