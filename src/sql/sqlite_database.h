// A database in a file of SQLite. sqlite3.h is seen by sqlite_database.cpp alone.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "sql/network_fs.h"
#include "sql/sql.h"

namespace ampere {

// The first `count` bytes of a file, whatever it is, filled up with zeros. Read by way of SQLite:
// whoever opens and closes a database file by himself drops the locks his process holds on it.
std::string read_file_start(const std::string& path, std::size_t count);

// "ampr": tells a file of ampere from somebody else's SQLite database.
constexpr std::uint32_t kApplicationId = 0x616d7072;

enum class SqliteMode { read, read_immutable, write };

// The file as it is, or a new one where none is and it is to be written.
std::unique_ptr<SqlDatabase> open_sqlite_file(const std::string& path, SqliteMode mode,
                                              const StoreWait& wait);

// The file after a look at what it is: sqlite_file.h says what is refused. A new one gets the mark
// of ampere. On a network file system it is never written, which throws Error(usage), and it is
// read only while nobody has it open, which its log would tell: then the file alone is the whole
// truth.
std::unique_ptr<SqlDatabase> open_sqlite(const std::string& path, Access access,
                                         const StoreWait& wait,
                                         const FileSystemOf& system_of = file_system_of);

// Throws what opening it for writing would throw, and makes no file.
void check_sqlite_can_be_written(const std::string& path,
                                 const FileSystemOf& system_of = file_system_of);

}  // namespace ampere
