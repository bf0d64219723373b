// Networks that people have sent, in memory alone: nothing that comes through a request reaches the
// file system.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>

#include "ampere/model.h"
#include "ampere/program.h"

namespace ampere {

struct Network {
  std::string name;  // as the user wrote it
  std::variant<Model, Program> what;

  const Model* model() const { return std::get_if<Model>(&what); }
  const Program* program() const { return std::get_if<Program>(&what); }
};
using SharedNetwork = std::shared_ptr<const Network>;

// The bytes of an ONNX file, a model file or a program, told apart by what they begin with. Throws
// Error(usage) that begins with the name.
Network parse_upload(std::string_view bytes, const std::string& name);

// Safe to use from several threads. The least recently used ones give way to new ones.
class Uploads {
 public:
  explicit Uploads(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Keeps the network of these bytes, and returns its id: random, so that nobody can guess it or
  // take the place of somebody else's.
  std::string add(std::string_view bytes, const std::string& name);
  SharedNetwork find(const std::string& id);  // throws Error(unknown)

 private:
  struct Entry {
    std::string id;
    std::size_t bytes = 0;  // of the file; what is kept is of about that size, or smaller
    SharedNetwork network;
  };
  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // the latest used first
  std::size_t bytes_ = 0;
};

}  // namespace ampere
