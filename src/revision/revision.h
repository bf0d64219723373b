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
  std::string revision;
  std::string path;      // from the top of the repository; from the current folder after ./
  std::string function;  // ":build" or empty
};

// By its form alone: something before the first colon, and after it the path of a file that a
// network is read from (.json, .onnx, .program, .py). Nothing for any other text, such as the zoo
// name resnet18:size=64 or the script train.py:build.
std::optional<RevisionPath> find_revision_path(const std::string& text);

// Copies of such files, which are deleted with this object.
class RevisionFiles {
 public:
  explicit RevisionFiles(StopToken stop = {});
  ~RevisionFiles();
  RevisionFiles(const RevisionFiles&) = delete;
  RevisionFiles& operator=(const RevisionFiles&) = delete;

  // Where the copy is, with the function at its end. A script finds beside it all files of its
  // revision, since it may import them. Throws Error(usage) outside a repository and for a text
  // that is no revision, and Error(unknown) that says what is missing: the revision, in a shallow
  // clone its history, or the file in it.
  std::string copy(const RevisionPath& path);

 private:
  std::string commit_of(const std::string& revision) const;
  void require_file(const std::string& commit, const RevisionPath& path) const;
  std::string copy_all(const std::string& commit);

  StopToken stop_;
  std::string folder_;
  int copies_ = 0;
};

}  // namespace ampere
