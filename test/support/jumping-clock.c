/* Preloaded into one process: its wall clock is ahead by the seconds that a mapped file holds, and nothing else is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int (*next)(clockid_t, struct timespec *);
static volatile int64_t *ahead;

__attribute__((constructor)) static void begin(void) {
  next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const char *path = getenv("JUMPING_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  void *map = file < 0 ? MAP_FAILED : mmap(0, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
  if (map != MAP_FAILED) ahead = map;
  if (file >= 0) close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!next) begin();
  int result = next(clock, time);
  if (result == 0 && ahead && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += *ahead;
  return result;
}

int gettimeofday(struct timeval *restrict day, void *restrict zone) {
  struct timespec now;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  day->tv_sec = now.tv_sec;
  day->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *seconds) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  if (seconds) *seconds = now.tv_sec;
  return now.tv_sec;
}
