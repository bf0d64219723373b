// The wire format of protocol buffers, written: the mirror of wire.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace ampere::onnx {

// The fields of one message, one after the other.
class WireWriter {
 public:
  WireWriter& integer(int field, std::int64_t value);
  WireWriter& real(int field, float value);
  WireWriter& bytes(int field, std::string_view value);  // a text, a list or a message
  // The beginning of a field of `length` bytes, which the caller writes behind it.
  WireWriter& begin_bytes(int field, std::size_t length);
  WireWriter& append(std::string_view written) {
    text_ += written;
    return *this;
  }

  const std::string& text() const& { return text_; }
  std::string text() && { return std::move(text_); }

 private:
  void varint(std::uint64_t value);

  std::string text_;
};

}  // namespace ampere::onnx
