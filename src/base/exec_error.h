// Why a forked child could not become another program: told through a pipe that closes by itself
// when exec succeeds.
#pragma once

namespace ampere {

// In the child, after exec returned: sends errno and ends. Async-signal-safe.
[[noreturn]] void send_exec_error(int pipe_write);

// In the parent, with its own copy of the write end closed: errno, or 0 when exec succeeded.
int receive_exec_error(int pipe_read);

}  // namespace ampere
