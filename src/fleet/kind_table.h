// Which device was found on the nodes of each kind when they were profiled, in the database of the
// fleet. The job that profiled it wrote it there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fleet/kinds.h"
#include "sql/sql.h"

namespace ampere {

struct ProfiledKind {
  std::string kind;
  std::string fingerprint, device;  // the device by its fingerprint and by name
  std::string node, rig;            // where and how it was opened
};

// All functions throw what the database throws.
class KindTable {
 public:
  // Makes the table when it is not there and may be written.
  explicit KindTable(std::shared_ptr<SqlDatabase> database);

  void put(const ProfiledKind& kind);  // replaces what was known of this kind
  std::vector<ProfiledKind> all();     // by name
  DeviceOfKind devices();

 private:
  std::shared_ptr<SqlDatabase> database_;
  bool there_ = true;
};

}  // namespace ampere
