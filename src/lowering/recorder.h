// Writes down operations as a program: distinct tensors and operations, steps, and memory.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "ampere/program.h"
#include "lowering/tensor.h"

namespace ampere::lowering {

// An argument or a result before its tensors have a place in the program.
struct Argument;
using Arguments = std::vector<Argument>;
struct Argument {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, TensorType, Arguments> is;

  Argument() = default;  // absent
  Argument(bool value) : is(value) {}
  Argument(int value) : is(std::int64_t{value}) {}
  Argument(std::int64_t value) : is(value) {}
  Argument(double value) : is(value) {}
  Argument(const char* value) : is(std::string(value)) {}
  Argument(ElementType value) : is(std::string(to_string(value))) {}
  Argument(TensorType type) : is(std::move(type)) {}
  Argument(const Tensor& tensor);  // absent when it is not defined
  Argument(const Tensors& tensors);
  Argument(const Sizes& sizes);
  Argument(Arguments list) : is(std::move(list)) {}
};
using Keywords = std::vector<std::pair<std::string, Argument>>;  // sorted by name

struct Call {
  std::string name;
  Arguments arguments;
  Keywords keywords = {};
  Arguments results = {};
  bool launches = true;
  bool waits = false;
};

class Recorder {
 public:
  explicit Recorder(Program program) : program_(std::move(program)) {}

  ProgramPhase phase = ProgramPhase::forward;
  int module = 0;
  bool paused = false;  // what happens before the iteration leaves only memory behind

  int step() const { return static_cast<int>(program_.steps.size()); }
  int record(const Call& call);  // returns the step
  int module_of(const std::string& path);
  void assign_module(int at, int owner) { program_.steps[at].module = owner; }

  // Memory of a tensor, from the step that was recorded last or from before the iteration.
  std::shared_ptr<Memory> allocate(const TensorType& type, bool before, StorageKind kind);

  Program finish() &&;

 private:
  friend class Memory;
  Value value_of(const Argument& argument);
  int index_of(const TensorType& type);

  Program program_;
  std::map<std::pair<ElementType, std::pair<Sizes, Sizes>>, int> tensors_;
  std::unordered_map<std::string, int> operations_;
  std::unordered_map<std::string, int> modules_;
  bool finished_ = false;
};

// Notes when the last tensor that uses it is gone. The recorder outlives it, or is finished.
class Memory {
 public:
  Memory(Recorder& recorder, int row) : recorder_(recorder), row_(row) {}
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void mark(StorageKind kind);

 private:
  Recorder& recorder_;
  int row_;
};

}  // namespace ampere::lowering
