// Files at a revision of a git repository, in real ones: what is found, what an error names, and
// whether the command that it advises helps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::Cli;
using testing_support::Ran;

constexpr const char* kForH200 = " --device h200 --batch 64 --store sqlite:none.db ";

// In main the second commit changes net.json; the branch dev goes on from the first one.
class Repository : public testing::Test {
 protected:
  void SetUp() override {
    cli_.environment["GIT_CONFIG_GLOBAL"] = "/dev/null";
    cli_.environment["TMPDIR"] = cli_.path("").string();
    must(R"(git init -q -b main r && cd r
      git config user.name n && git config user.email e@example.org
      ampere show cnn5 --json > net.json && git add . && git commit -q -m one
      git checkout -q -b dev
      ampere show cnn5:8,16,32,60 --json > net.json && git commit -q -a -m on
      ampere show cnn5:8,16,32,50 --json > net.json && git commit -q -a -m further && git tag v1
      git checkout -q main
      ampere show cnn5:8,16,32,64 --json > net.json && git commit -q -a -m two)");
  }

  Ran must(const std::string& commands) const {
    const Ran ran = cli_.shell("set -e\n" + commands);
    EXPECT_EQ(ran.status, 0) << commands << "\n" << ran.err;
    return ran;
  }

  Ran diff(const std::string& words, const std::string& folder = "r") const {
    return cli_.shell("cd " + folder + " && ampere diff " + words + kForH200);
  }

  std::string commit(const std::string& revision) const {
    const std::string out = must("cd r && git rev-parse " + revision).out;
    return out.substr(0, out.find('\n'));
  }

  void clone(const std::string& options) const {
    must("rm -rf c && git clone -q " + options + " \"file://$PWD/r\" c");
  }

  Cli cli_;
};

class AdviceAboutRevisions : public Repository {
 protected:
  // What stands between this and the next sign, or nothing.
  static std::string between(const std::string& text, const std::string& begin,
                             const std::string& end) {
    const std::size_t from = text.find(begin);
    if (from == std::string::npos) return "";
    const std::size_t at = from + begin.size();
    return text.substr(at, text.find_first_of(end, at) - at);
  }

  // Does what the messages say, one after the other, until the comparison has an answer. Returns
  // the commands that it took.
  std::vector<std::string> follow(std::string revision) const {
    std::vector<std::string> commands;
    while (commands.size() < 4) {
      const Ran ran = diff("'" + revision + ":net.json' net.json", "c");
      if (ran.status == 0) return commands;
      EXPECT_EQ(ran.status, 3) << ran.err;
      const std::string rest = between(ran.err, "`git fetch ", "`");
      if (!rest.empty()) must("cd c && git fetch -q " + rest);
      if (!rest.empty()) commands.push_back(rest);
      const std::string other = between(ran.err, "write ", " \n");
      if (!other.empty()) revision = other;
      if (rest.empty() && other.empty()) break;
    }
    ADD_FAILURE() << revision << ": " << testing::PrintToString(commands);
    return commands;
  }

  void expect_sound_clone() const {
    EXPECT_EQ(must("cd c && git branch --list HEAD && git fsck --no-dangling 2>&1").out, "");
    EXPECT_THAT(must("cd c && git rev-parse HEAD 2>&1").out, Not(HasSubstr("ambiguous")));
  }
};

using Commands = std::vector<std::string>;

TEST_F(AdviceAboutRevisions, HelpsInAShallowClone) {
  const std::string sha = commit("HEAD~1"), other = commit("dev");
  const std::vector<std::pair<std::string, Commands>> cases{
      {"HEAD~1", {"--unshallow"}},
      {"HEAD^", {"--unshallow"}},
      {"@~1", {"--unshallow"}},
      {"main~1", {"--unshallow"}},
      {"origin/dev", {"origin dev:refs/remotes/origin/dev"}},
      {"refs/remotes/origin/dev", {"origin dev:refs/remotes/origin/dev"}},
      {"dev", {"origin dev:refs/remotes/origin/dev"}},
      {"v1", {"origin v1:refs/remotes/origin/v1"}},
      {"tags/v1", {"origin refs/tags/v1:refs/tags/v1"}},
      {sha, {"--depth 1 origin " + sha}},
      {other, {"--depth 1 origin " + other}},
      {other + "~1", {"--unshallow origin " + other}},
      {sha.substr(0, 9), {"--unshallow origin"}}};
  for (const auto& [revision, commands] : cases) {
    clone("--depth 1");
    EXPECT_EQ(follow(revision), commands) << revision;
    expect_sound_clone();
  }
}

TEST_F(AdviceAboutRevisions, HelpsAfterAShallowFetchOfABranch) {
  clone("--depth 1");
  must("cd c && git fetch -q --depth 1 origin dev:refs/remotes/origin/dev");
  EXPECT_EQ(follow("origin/dev~2"), Commands{"--unshallow"});
}

TEST_F(AdviceAboutRevisions, HelpsInACompleteCloneOfOneBranch) {
  const std::string other = commit("dev");
  const std::vector<std::pair<std::string, Commands>> cases{
      {"origin/dev~1", {"origin dev:refs/remotes/origin/dev"}},
      {"dev", {"origin dev:refs/remotes/origin/dev"}},
      {"dev~1", {"origin dev:refs/remotes/origin/dev"}},
      {"refs/tags/v1", {"origin refs/tags/v1:refs/tags/v1"}},
      {other, {"origin " + other}}};
  for (const auto& [revision, commands] : cases) {
    clone("--single-branch --no-tags");
    EXPECT_EQ(follow(revision), commands) << revision;
    expect_sound_clone();
    EXPECT_EQ(must("cd c && git rev-parse --is-shallow-repository").out, "false\n");
  }
}

TEST_F(AdviceAboutRevisions, NamesTheBranchOfARemoteThatIsThere) {
  clone("");
  EXPECT_EQ(follow("dev~1"), Commands{});
  EXPECT_THAT(diff("dev~1:net.json net.json", "c").err, HasSubstr("write origin/dev~1\n"));
  EXPECT_THAT(diff("'dev@{u}:net.json' net.json", "c").err, HasSubstr("write origin/dev\n"));
}

TEST_F(AdviceAboutRevisions, CountsTheCommitsThatThereAre) {
  clone("");
  const Ran far = diff("HEAD~2:net.json net.json", "c");
  EXPECT_EQ(far.status, 3);
  EXPECT_THAT(far.err, HasSubstr("the history has only 1 commit before HEAD\n"));
  EXPECT_THAT(diff("HEAD^^~3:net.json net.json", "c").err, HasSubstr("only 1 commit before HEAD"));
  EXPECT_THAT(diff("origin/dev~9:net.json net.json", "c").err,
              HasSubstr("the history has only 2 commits before origin/dev\n"));
  const Ran merge = diff("HEAD^2:net.json net.json", "c");
  EXPECT_THAT(merge.err, AllOf(HasSubstr("it has HEAD; `git log HEAD`"), Not(HasSubstr("fetch"))));
}

TEST_F(AdviceAboutRevisions, SaysThatARepositoryHasNoCommit) {
  must("git init -q empty && cp r/net.json empty");
  const Ran ran = diff("HEAD:net.json net.json", "empty");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("this repository has no commit yet"));
  EXPECT_THAT(diff("main:net.json net.json", "empty").err, HasSubstr("has no commit yet"));
  must("cd r && git checkout -q --orphan fresh");
  EXPECT_THAT(diff("HEAD:net.json net.json").err,
              HasSubstr("the branch that is checked out has no commit yet"));
}

TEST_F(AdviceAboutRevisions, IsOneWordOfAShell) {
  clone("");
  EXPECT_EQ(diff("a..b:net.json net.json", "c").status, 2) << "no branch can be called that";
  const Ran ran = diff("'dev;touch${IFS}x:net.json' net.json", "c");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("git fetch origin 'dev;touch${IFS}x:refs/remotes/origin/dev;"));
}

class FilesOfRevisions : public Repository {
 protected:
  Ran refused(const std::string& text, int status) const {
    Ran ran = diff("'" + text + "' net.json");
    EXPECT_EQ(ran.status, status) << text << ": " << ran.err;
    EXPECT_THAT(ran.err, Not(HasSubstr(cli_.path("").string()))) << text;
    return ran;
  }
};

TEST_F(FilesOfRevisions, AreNamedAsTheyWereWritten) {
  must(R"(cd r && mkdir nets && echo x > nets/bad.json && echo x > nets/bad.onnx
       echo x > nets/bad.program && git add . && git commit -q -m bad && rm -r nets)");
  EXPECT_THAT(refused("HEAD:nets/bad.json", 2).err, HasSubstr("ampere: HEAD:nets/bad.json: not v"));
  EXPECT_THAT(refused("HEAD:./nets/bad.json", 2).err, HasSubstr("ampere: HEAD:./nets/bad.json: "));
  EXPECT_THAT(refused(":nets/bad.json", 2).err, HasSubstr("ampere: :nets/bad.json: "));
  EXPECT_THAT(refused("HEAD:nets/bad.onnx", 2).err, HasSubstr("HEAD:nets/bad.onnx: "));
  EXPECT_THAT(refused("HEAD:nets/bad.program", 2).err, HasSubstr("HEAD:nets/bad.program"));
}

TEST_F(FilesOfRevisions, FollowLinksInsideTheRevision) {
  must(R"(cd r && mkdir nets deep && git mv net.json nets/net.json
       ln -s ../nets/net.json deep/link.json && ln -s nets linked && ln -s deep/link.json far.json
       git add . && git commit -q -m links
       rm -r nets deep linked far.json && git show v1:net.json > net.json)");
  for (const std::string tree : {"HEAD", "", ":0"})
    for (const std::string path : {"deep/link.json", "linked/net.json", "far.json"}) {
      const Ran ran = diff("main~1:net.json " + tree + ":" + path + " --json");
      ASSERT_EQ(ran.status, 0) << ran.err;
      EXPECT_EQ(ran.json().at("difference").at("energy_j_per_iteration").at("mean"), 0)
          << "it is the network of the commit, not that of the working tree";
    }
}

TEST_F(FilesOfRevisions, RefuseLinksThatLeadOutOrNowhere) {
  must(R"(cd r && ln -s /etc/hostname out.json && ln -s ../../x.json up.json
       ln -s circle.json circle.json && ln -s none.json dangling.json
       git add . && git commit -q -m links)");
  for (const std::string tree : {"HEAD:", ":"}) {
    EXPECT_THAT(refused(tree + "out.json", 3).err,
                HasSubstr(tree + "out.json: out.json is a symbolic link to /etc/hostname, which "
                                 "is outside"));
    EXPECT_THAT(refused(tree + "up.json", 3).err, HasSubstr("which is outside"));
    EXPECT_THAT(refused(tree + "circle.json", 3).err, HasSubstr("leads in a circle"));
    EXPECT_THAT(refused(tree + "dangling.json", 3).err, HasSubstr("has no file none.json, to wh"));
  }
}

TEST_F(FilesOfRevisions, SayWhatIsNoFile) {
  must(R"(cd r && mkdir sub && cp net.json sub && echo text > README.md && git add .
       git commit -q -m sub)");
  EXPECT_THAT(refused("HEAD:sub", 3).err,
              AllOf(HasSubstr("HEAD:sub is a folder"),
                    HasSubstr("`git ls-tree -r --name-only --full-tree HEAD sub`")));
  EXPECT_THAT(refused("main:sub/", 3).err, HasSubstr("main:sub/ is a folder"));
  EXPECT_THAT(refused(":sub", 3).err,
              AllOf(HasSubstr(":sub is a folder"), HasSubstr("`git ls-files :/sub`")));
  EXPECT_THAT(refused("HEAD:", 3).err, HasSubstr("HEAD: is the revision HEAD as a whole"));
  EXPECT_THAT(refused(":", 3).err, HasSubstr(": is the index as a whole"));
  EXPECT_THAT(refused("HEAD:README.md", 2).err, HasSubstr("HEAD:README.md: is no network"));
  EXPECT_THAT(refused("HEAD:none", 3).err, HasSubstr("the revision HEAD has no file none"));
  EXPECT_THAT(refused("HEAD:../net.json", 3).err, HasSubstr("outside of the repository"));
  EXPECT_THAT(refused("HEAD:/net.json", 3).err, HasSubstr("outside of the repository"));
  EXPECT_EQ(must("cd r/sub && ampere diff HEAD:../net.json HEAD:./net.json --device h200").err, "");
}

// What is not a revision is still a network of the zoo, also a mistyped one.
TEST_F(FilesOfRevisions, LeaveNamesOfTheZooAlone) {
  EXPECT_EQ(diff("cnn5:8,16,32,64 net.json").status, 0);
  EXPECT_THAT(refused("cnn6:8,16,32,64", 3).err, HasSubstr("no network 'cnn6' in the zoo"));
  must("cd r && git branch cnn5");
  EXPECT_EQ(diff("cnn5:8,16,32,64 net.json").status, 0);
  EXPECT_EQ(diff("cnn5:net.json net.json").status, 0) << "a file at the branch";
}

TEST_F(FilesOfRevisions, AreAlsoThoseOfTheIndex) {
  must(
      "cd r && git show v1:net.json > net.json && git add net.json && git show main~1:net.json > "
      "net.json");
  for (const std::string text : {":net.json", ":0:net.json", ":./net.json"}) {
    const Ran ran = diff("v1:net.json " + text + " --json");
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.json().at("after").at("name"), text);
    EXPECT_EQ(ran.json().at("difference").at("energy_j_per_iteration").at("mean"), 0);
  }
  EXPECT_THAT(refused(":none.json", 3).err,
              AllOf(HasSubstr("the index has no file none.json"), HasSubstr("`git ls-files`")));
  EXPECT_EQ(must("cd r && git status --porcelain").out, "MM net.json\n");
  EXPECT_THAT(diff(":net.json net.json", ".").err, HasSubstr("in no git repository"));
}

}  // namespace
}  // namespace ampere
