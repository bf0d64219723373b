#include "child.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "ampere/error.h"

namespace ampere {
namespace {

constexpr uid_t kNobody = 65534;

void write_all(int out, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(out, text.data() + done, text.size() - done);
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

std::string outcome_of(const std::function<std::string()>& work) {
  try {
    return work();
  } catch (const Error& error) {
    return std::string(to_string(error.code())) + ": " + error.what();
  } catch (const std::exception& error) {
    return std::string("foreign exception: ") + error.what();
  }
}

}  // namespace

std::string in_child(const std::function<std::string()>& work) {
  Worker worker([&](int out) { write_all(out, outcome_of(work)); });
  return worker.rest();
}

std::string in_unprivileged_child(const std::function<std::string()>& work) {
  return in_child([&]() -> std::string {
    if (geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0))
      return "cannot become an unprivileged user";
    return work();
  });
}

Worker::Worker(const std::function<void(int out)>& work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no child process");
  if (pid_ == 0) {
    close(ends[0]);
    work(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  in_ = ends[0];
}

Worker::~Worker() {
  kill();
  close(in_);
}

std::string Worker::read(std::size_t count) {
  std::string text(count, '\0');
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::read(in_, text.data() + done, count - done);
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

void Worker::kill() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

std::string Worker::rest() {
  std::string all;
  for (std::string part; !(part = read(4096)).empty();) all += part;
  return all;
}

}  // namespace ampere
