// The wire format of protocol buffers, read in place. Nothing is copied or allocated, so a length
// field cannot ask for memory that the file does not have.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ampere::onnx {

// The fields of one message, one after the other. Throws Error(usage) where the bytes are damaged.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  bool next();  // to the next field; false at the end
  int field() const { return field_; }
  std::int64_t integer() const;    // of a number field
  float real() const;              // of a 32-bit field
  std::string_view bytes() const;  // of a text, a list or a message
  bool is_bytes() const { return kind_ == 2; }
  bool is_varint() const { return kind_ == 0; }

 private:
  std::string_view take(std::uint64_t length);

  std::string_view rest_;
  std::string_view bytes_;
  std::uint64_t integer_ = 0;
  int field_ = 0;
  int kind_ = 0;
};

// A list of whole numbers or of 32-bit reals, packed or one field each.
void read_integers(const WireReader& reader, std::vector<std::int64_t>& list);
void read_reals(const WireReader& reader, std::vector<float>& list);

// The numbers of a packed list.
std::vector<std::int64_t> unpack_integers(std::string_view packed);

}  // namespace ampere::onnx
