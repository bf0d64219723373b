// The files of one commit, or those of the index, as git has them.
#pragma once

#include <string>
#include <utility>

#include "ampere/progress.h"

namespace ampere {

enum class EntryKind { nothing, file, folder, link, submodule };

struct TreeEntry {
  std::string path;  // from the top of the repository; "" is the top itself
  EntryKind kind = EntryKind::nothing;
  std::string object;  // of a file and of a link
};

// Asks git in the current folder. Throws Error(failed) with what git said when it fails.
class GitTree {
 public:
  static GitTree of_commit(std::string commit, StopToken stop);
  static GitTree of_index(StopToken stop);

  const std::string& commit() const { return commit_; }  // empty for the index

  // What is at this path. Symbolic links are followed, also those to folders on the way. Throws
  // Error(unknown) for a link that leads out of the tree or in a circle.
  TreeEntry find(const std::string& path) const;

  std::string read(const TreeEntry& file) const;

 private:
  GitTree(std::string commit, StopToken stop) : commit_(std::move(commit)), stop_(stop) {}
  TreeEntry look_up(const std::string& path) const;
  TreeEntry look_up_in_commit(const std::string& path) const;
  TreeEntry look_up_in_index(const std::string& path) const;
  TreeEntry first_link(const std::string& path) const;

  std::string commit_;
  StopToken stop_;
};

}  // namespace ampere
