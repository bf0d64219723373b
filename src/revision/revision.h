// Files as they were at a revision of the git repository in the current folder.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ampere/progress.h"

namespace ampere {

// "main:nets/net.json": a revision as git names it, and the path of a file there. A script may have
// a function: "main:train.py:build".
struct RevisionPath {
  std::string revision;  // empty or ":0" for the index
  std::string path;      // from the top of the repository; from the current folder after ./ or ../
  std::string function;  // ":build" or empty
};

// Of texts with a colon: one that begins with it, as ":net.json" in the index; one with the path of
// a file behind it that a network is read from (.json, .onnx, .program, .py); and one with a
// revision of the repository before it, whatever is behind it. Nothing for any other text, such as
// the zoo name resnet18:size=64 or the script train.py:build.
std::optional<RevisionPath> find_revision_path(const std::string& text);

class GitTree;

// Copies of such files, which are deleted with this object.
class RevisionFiles {
 public:
  explicit RevisionFiles(StopToken stop = {});
  ~RevisionFiles();
  RevisionFiles(const RevisionFiles&) = delete;
  RevisionFiles& operator=(const RevisionFiles&) = delete;

  // Where the copy is, with the function at its end. A script finds beside it all files of its
  // revision, since it may import them. Symbolic links are followed inside the revision. Throws
  // Error(usage) outside a repository and for a text that is no revision, and Error(unknown) that
  // says what is missing: the revision, in a shallow clone its history, or the file in it.
  std::string copy(const RevisionPath& path);

  // The message with what was written in place of the paths of copies, which nobody has written.
  std::string as_written(std::string message) const;

 private:
  GitTree tree_of(const std::string& revision) const;
  std::string copy_all(const GitTree& tree, const std::string& into);

  StopToken stop_;
  struct Name {
    std::string path, text;
  };

  std::string folder_;
  std::vector<Name> names_;  // of the copies
  int copies_ = 0;
};

}  // namespace ampere
