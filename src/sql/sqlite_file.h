// The file of a store before SQLite sees it: whatever is not a store is refused untouched.
#pragma once

#include <string>

namespace ampere {

enum class FileState {
  absent,
  empty,  // no bytes yet: created and never written
  store,  // carries the mark of a store
};

// Throws Error(usage) for a folder, a device, any other file, somebody else's database;
// Error(permission) when it cannot be looked at.
FileState inspect_store_file(const std::string& path);

void make_parent_folders(const std::string& path);

// Throws when a store of this state cannot be written there. It makes a folder beside it and
// removes it again: what the system says of permissions is not the whole truth.
void check_place_of_store(const std::string& path, FileState state);

// A writer that died outside WAL mode left a journal: only a writer can make the file whole again.
bool needs_recovery(const std::string& path);

// The log of changes that are not in the file itself yet, unless it is empty.
bool has_log(const std::string& path);

// A store in WAL mode is read together with its -wal and -shm files. Where these cannot be made
// (read-only media) the file alone is the whole truth as long as no -wal is left over; when one is,
// throws Error(permission).
enum class ReadMode { shared, immutable };
ReadMode read_mode(const std::string& path);

}  // namespace ampere
