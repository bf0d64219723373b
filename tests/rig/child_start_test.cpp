#include "rig/child_start.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include "ampere/error.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Everything that a child prints until it ends.
std::string output_of(const std::vector<std::string>& argv,
                      ChildEnvironment environment = ChildEnvironment::needed) {
  StartedChild child = start_child(argv, environment);
  child.in.reset();
  fcntl(child.out.get(), F_SETFL, 0);
  std::string text;
  char part[4096];
  for (ssize_t got; (got = read(child.out.get(), part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(got));
  end_child(child.pid, Seconds{5});
  return text;
}

TEST(StartChild, InheritsNoDescriptorsOfOurs) {
  const int leaked = open("/dev/null", O_RDONLY);  // as a library without O_CLOEXEC would
  const int far = fcntl(leaked, F_DUPFD, 900);
  const std::string open_files = output_of({"sh", "-c", "cd /proc/$$/fd && echo *"});
  close(leaked);
  close(far);
  EXPECT_EQ(open_files.substr(0, 5), "0 1 2") << open_files;
  EXPECT_THAT(open_files, Not(HasSubstr(std::to_string(far))));
}

TEST(StartChild, GetsTheNeededVariablesOrAll) {
  setenv("PGPASSWORD", "of this test", 1);
  setenv("CUDA_VISIBLE_DEVICES", "3", 1);
  const std::string needed = output_of({"env"});
  const std::string whole = output_of({"env"}, ChildEnvironment::whole);
  unsetenv("PGPASSWORD");
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_THAT(needed, HasSubstr("CUDA_VISIBLE_DEVICES=3\n"));
  EXPECT_THAT(needed, HasSubstr("PATH="));
  EXPECT_THAT(needed, Not(HasSubstr("PGPASSWORD")));
  EXPECT_THAT(whole, HasSubstr("PGPASSWORD=of this test\n"));
}

}  // namespace
}  // namespace ampere
