#include "base/exec_error.h"

#include <unistd.h>

#include <cerrno>

namespace ampere {

void send_exec_error(int pipe_write) {
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(pipe_write, &error, sizeof error);
  _exit(127);
}

int receive_exec_error(int pipe_read) {
  int error = 0;
  ssize_t got = 0;
  do got = read(pipe_read, &error, sizeof error);
  while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

}  // namespace ampere
