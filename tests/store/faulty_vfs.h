// A file system for SQLite whose writes fail when told to, as SQLite tests itself.
#pragma once

namespace ampere {

enum class DiskFault {
  full,       // a write finds no space, after it has written half of its bytes
  write,      // a write fails with an input/output error
  sync,       // data do not reach the disk
  read_only,  // the file system became read-only, as it does after errors
};

// SQLite's default while it lives. The n-th operation (write, truncation or sync) that is counted
// fails, and so do all after it until it is repaired: a full disk stays full.
class FaultyVfs {
 public:
  FaultyVfs();
  ~FaultyVfs();
  FaultyVfs(const FaultyVfs&) = delete;
  FaultyVfs& operator=(const FaultyVfs&) = delete;

  void fail_from(int nth, DiskFault fault);  // counted from 1
  void repair();
  bool has_failed() const;  // since fail_from
};

}  // namespace ampere
