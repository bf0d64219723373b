// Loaded before a program (LD_PRELOAD): its clock of the day jumps by hours, forwards and
// backwards, at every look; or it is wrong by JUMPING_CLOCK_HOURS, as after a jump. The monotonic
// clock stays as it is, and so do the clocks of the programs that it starts.
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include <atomic>

namespace {

constexpr long kHour = 3600;

__attribute__((constructor)) void spare_children() { unsetenv("LD_PRELOAD"); }

long jump() {
  static const char* const hours = getenv("JUMPING_CLOCK_HOURS");
  if (hours != nullptr) return atol(hours) * kHour;
  static std::atomic<unsigned> looks{0};
  const unsigned look = ++looks;
  return (look % 2 == 0 ? 1L : -1L) * static_cast<long>(look % 50) * kHour;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static const auto real = next<int (*)(clockid_t, timespec*)>("clock_gettime");
  const int result = real(clock, time);
  if (clock == CLOCK_REALTIME) time->tv_sec += jump();
  return result;
}

int gettimeofday(timeval* time, void* zone) noexcept {
  static const auto real = next<int (*)(timeval*, void*)>("gettimeofday");
  const int result = real(time, zone);
  time->tv_sec += jump();
  return result;
}

time_t time(time_t* out) noexcept {
  static const auto real = next<time_t (*)(time_t*)>("time");
  const time_t now = real(nullptr) + jump();
  if (out != nullptr) *out = now;
  return now;
}
}
