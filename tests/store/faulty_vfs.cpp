#include "faulty_vfs.h"

#include <sqlite3.h>

#include <cstring>
#include <new>

namespace ampere {
namespace {

struct Plan {
  int left = 0;  // operations until the first one that fails; 0: none does
  bool failing = false;
  DiskFault fault = DiskFault::full;
};
Plan plan;

// Whether this operation fails.
bool strikes() {
  if (plan.left > 0 && --plan.left == 0) plan.failing = true;
  return plan.failing;
}

struct File {
  sqlite3_file base;  // first: SQLite knows the file by it
  sqlite3_file* real;
};

sqlite3_file* real_of(sqlite3_file* file) { return reinterpret_cast<File*>(file)->real; }

int code_of_write() {
  switch (plan.fault) {
    case DiskFault::full:
      return SQLITE_FULL;
    case DiskFault::read_only:
      return SQLITE_READONLY;
    default:
      return SQLITE_IOERR_WRITE;
  }
}

int close_file(sqlite3_file* file) {
  sqlite3_file* real = real_of(file);
  const int result = real->pMethods->xClose(real);
  sqlite3_free(real);
  return result;
}

int read_file(sqlite3_file* file, void* data, int size, sqlite3_int64 offset) {
  return real_of(file)->pMethods->xRead(real_of(file), data, size, offset);
}

int write_file(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
  sqlite3_file* real = real_of(file);
  if (plan.fault == DiskFault::sync || !strikes())
    return real->pMethods->xWrite(real, data, size, offset);
  if (plan.fault == DiskFault::full) real->pMethods->xWrite(real, data, size / 2, offset);
  return code_of_write();
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (plan.fault != DiskFault::sync && plan.fault != DiskFault::full && strikes())
    return plan.fault == DiskFault::read_only ? SQLITE_READONLY : SQLITE_IOERR_TRUNCATE;
  return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

int sync_file(sqlite3_file* file, int flags) {
  if (plan.fault == DiskFault::sync && strikes()) return SQLITE_IOERR_FSYNC;
  return real_of(file)->pMethods->xSync(real_of(file), flags);
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return real_of(file)->pMethods->xFileSize(real_of(file), size);
}
int lock(sqlite3_file* file, int level) {
  return real_of(file)->pMethods->xLock(real_of(file), level);
}
int unlock(sqlite3_file* file, int level) {
  return real_of(file)->pMethods->xUnlock(real_of(file), level);
}
int check_lock(sqlite3_file* file, int* result) {
  return real_of(file)->pMethods->xCheckReservedLock(real_of(file), result);
}
int control(sqlite3_file* file, int operation, void* argument) {
  return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}
int sector_size(sqlite3_file* file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }
int characteristics(sqlite3_file* file) {
  return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}
int map_shared(sqlite3_file* file, int region, int size, int extend, void volatile** memory) {
  return real_of(file)->pMethods->xShmMap(real_of(file), region, size, extend, memory);
}
int lock_shared(sqlite3_file* file, int offset, int count, int flags) {
  return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}
void barrier(sqlite3_file* file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }
int unmap_shared(sqlite3_file* file, int remove) {
  return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

const sqlite3_io_methods* methods() {
  static const sqlite3_io_methods kMethods = [] {
    sqlite3_io_methods methods{};
    methods.iVersion = 2;
    methods.xClose = close_file;
    methods.xRead = read_file;
    methods.xWrite = write_file;
    methods.xTruncate = truncate_file;
    methods.xSync = sync_file;
    methods.xFileSize = file_size;
    methods.xLock = lock;
    methods.xUnlock = unlock;
    methods.xCheckReservedLock = check_lock;
    methods.xFileControl = control;
    methods.xSectorSize = sector_size;
    methods.xDeviceCharacteristics = characteristics;
    methods.xShmMap = map_shared;
    methods.xShmLock = lock_shared;
    methods.xShmBarrier = barrier;
    methods.xShmUnmap = unmap_shared;
    return methods;
  }();
  return &kMethods;
}

sqlite3_vfs* original = nullptr;

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* opened) {
  auto* faulty = reinterpret_cast<File*>(file);
  faulty->base.pMethods = nullptr;
  const auto size = static_cast<sqlite3_uint64>(original->szOsFile);
  faulty->real = static_cast<sqlite3_file*>(sqlite3_malloc64(size));
  if (faulty->real == nullptr) return SQLITE_NOMEM;
  std::memset(faulty->real, 0, size);
  const int result = original->xOpen(original, name, faulty->real, flags, opened);
  if (faulty->real->pMethods == nullptr) {
    sqlite3_free(faulty->real);
    return result;
  }
  faulty->base.pMethods = methods();
  return result;
}

sqlite3_vfs faulty{};

}  // namespace

FaultyVfs::FaultyVfs() {
  plan = {};
  original = sqlite3_vfs_find(nullptr);
  faulty = *original;
  faulty.szOsFile = sizeof(File);
  faulty.zName = "faulty";
  faulty.pNext = nullptr;
  faulty.xOpen = open_file;
  sqlite3_vfs_register(&faulty, 1);
}

FaultyVfs::~FaultyVfs() {
  sqlite3_vfs_unregister(&faulty);
  sqlite3_vfs_register(original, 1);
}

void FaultyVfs::fail_from(int nth, DiskFault fault) { plan = {nth, false, fault}; }
void FaultyVfs::repair() { plan = {}; }
bool FaultyVfs::has_failed() const { return plan.failing; }

}  // namespace ampere
