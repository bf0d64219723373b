#include "rig/recording_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "ampere/error.h"
#include "base/text.h"
#include "record/record_json.h"

namespace ampere {
namespace {

constexpr int kVersion = 1;

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
  std::string text;
  bool cut_off = false;
};

// Plain files pass through zlib unchanged.
Contents read_all(const std::string& path) {
  std::error_code unreachable;
  if (!std::filesystem::exists(path, unreachable))
    throw Error(ErrorCode::unknown, fmt::format("{}: there is no such recording", path));
  if (std::filesystem::is_directory(path, unreachable))
    throw Error(ErrorCode::usage, fmt::format("{}: is a folder, not a recording", path));
  const GzFile file = open_gz(path, "rb");
  Contents contents;
  std::array<char, 1 << 16> buffer;
  int got = 0;
  while ((got = gzread(file.get(), buffer.data(), buffer.size())) > 0)
    contents.text.append(buffer.data(), got);
  int code = Z_OK;
  const std::string why = gzerror(file.get(), &code);
  contents.cut_off = code == Z_BUF_ERROR;
  if (got < 0)
    throw Error(ErrorCode::usage, fmt::format("{}: cannot be read past line {}: {}", path,
                                              split(contents.text, '\n').size(), why));
  return contents;
}

DeviceInfo read_header(const std::string& line, const std::string& path) {
  if (!Json::accept(line))
    throw Error(ErrorCode::usage, fmt::format("{}: is not a recording: its first line is not the "
                                              "header {{\"ampere_recording\": …}}",
                                              path));
  const Json json = Json::parse(line);
  const JsonField header(json, path + ": line 1: ");
  if (!header.has("ampere_recording")) header.fail("is not the header of a recording");
  if (header.at("ampere_recording").integer() != kVersion)
    header.fail("is from another version of the program");
  return read_device(header.at("device"));
}

class GzWriter : public RecordingWriter {
 public:
  // "T" writes without compressing.
  explicit GzWriter(const std::string& path)
      : path_(path), file_(open_gz(path, path.ends_with(".gz") ? "ab" : "abT")) {}

  // A sync flush keeps what later lines compress against, and puts this one on disk whole.
  void write(const std::string& line) override {
    const std::string text = line + '\n';
    if (gzwrite(file_.get(), text.data(), static_cast<unsigned>(text.size())) !=
            static_cast<int>(text.size()) ||
        gzflush(file_.get(), Z_SYNC_FLUSH) != Z_OK) {
      int code = Z_OK;
      const std::string why = gzerror(file_.get(), &code);
      throw Error(ErrorCode::permission, fmt::format("{}: cannot be written: {}", path_, why));
    }
  }

 private:
  std::string path_;
  GzFile file_;
};

}  // namespace

RecordingFile read_recording(const std::string& path) {
  const Contents contents = read_all(path);
  if (contents.text.empty())
    throw Error(ErrorCode::usage, fmt::format("{}: is empty, not a recording", path));
  RecordingFile file;
  file.lines = split(contents.text, '\n');
  if (file.lines.back().empty()) file.lines.pop_back();
  file.device = read_header(file.lines.empty() ? "" : file.lines.front(), path);
  file.truncated = contents.cut_off;
  if (!Json::accept(file.lines.back())) {
    file.truncated = true;
    file.lines.pop_back();
  }
  return file;
}

Json recording_header(const DeviceInfo& device) {
  return {{"ampere_recording", kVersion}, {"device", device_json(device)}};
}

std::unique_ptr<RecordingWriter> open_recording_writer(const std::string& path) {
  return std::make_unique<GzWriter>(path);
}

}  // namespace ampere
