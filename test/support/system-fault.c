// Preloaded before a program (LD_PRELOAD), fails system calls on some of its files. FAULT_CALL is one of open, read,
// write, sync, rename, mkdir, unlink, lock (every lock is refused) and nolock (every lock is granted). FAULT_PLACE is a
// part of the path; FAULT_ERRNO the error; the first FAULT_AFTER such calls succeed, and of the others all fail, or with
// FAULT_ONCE the first alone. With FAULT_SEEN, each failed call adds a byte to that file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static long count;

static long number(const char *name) {
  const char *said = getenv(name);
  return said ? atol(said) : 0;
}

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static void tell(void) {
  const char *seen = getenv("FAULT_SEEN");
  if (!seen) return;
  int (*open_)(const char *, int, ...) = real("open");
  ssize_t (*write_)(int, const void *, size_t) = real("write");
  int (*close_)(int) = real("close");
  int file = open_(seen, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0) return;
  if (write_(file, "x", 1) < 0) errno = 0;
  close_(file);
}

static int fails(const char *call, const char *path) {
  const char *wanted = getenv("FAULT_CALL"), *place = getenv("FAULT_PLACE");
  if (!wanted || !place || !path || strcmp(wanted, call) || !strstr(path, place)) return 0;
  long turn = __sync_add_and_fetch(&count, 1), after = number("FAULT_AFTER");
  if (turn <= after || (number("FAULT_ONCE") && turn > after + 1)) return 0;
  tell();
  errno = (int)number("FAULT_ERRNO");
  return 1;
}

static int failsAt(const char *call, int file) {
  if (!getenv("FAULT_CALL")) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return fails(call, path);
}

#define OPENING(NAME)                                                              \
  int NAME(const char *path, int flags, ...) {                                     \
    va_list more;                                                                  \
    va_start(more, flags);                                                         \
    mode_t mode = va_arg(more, mode_t);                                            \
    va_end(more);                                                                  \
    if (fails("open", path)) return -1;                                            \
    return ((int (*)(const char *, int, ...))real(#NAME))(path, flags, mode);      \
  }
OPENING(open)
OPENING(open64)

#define FILE_CALL(CALL, TYPE, NAME, PARAMETERS, ARGUMENTS)                         \
  TYPE NAME PARAMETERS {                                                           \
    if (failsAt(CALL, file)) return -1;                                            \
    return ((TYPE (*) PARAMETERS)real(#NAME)) ARGUMENTS;                           \
  }
FILE_CALL("read", ssize_t, read, (int file, void *at, size_t size), (file, at, size))
FILE_CALL("read", ssize_t, pread, (int file, void *at, size_t size, off_t from), (file, at, size, from))
FILE_CALL("read", ssize_t, pread64, (int file, void *at, size_t size, off64_t from), (file, at, size, from))
FILE_CALL("write", ssize_t, write, (int file, const void *at, size_t size), (file, at, size))
FILE_CALL("write", ssize_t, pwrite, (int file, const void *at, size_t size, off_t from), (file, at, size, from))
FILE_CALL("write", ssize_t, pwrite64, (int file, const void *at, size_t size, off64_t from), (file, at, size, from))
FILE_CALL("write", ssize_t, writev, (int file, const struct iovec *parts, int size), (file, parts, size))
FILE_CALL("sync", int, fsync, (int file), (file))
FILE_CALL("sync", int, fdatasync, (int file), (file))

#define PATH_CALL(CALL, NAME, PARAMETERS, ARGUMENTS)                               \
  int NAME PARAMETERS {                                                            \
    if (fails(CALL, path)) return -1;                                              \
    return ((int (*) PARAMETERS)real(#NAME)) ARGUMENTS;                            \
  }
PATH_CALL("rename", rename, (const char *from, const char *path), (from, path))
PATH_CALL("mkdir", mkdir, (const char *path, mode_t mode), (path, mode))
PATH_CALL("unlink", unlink, (const char *path), (path))

static int locking(const char *name, int file, int command, void *about) {
  int takes = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
  if (takes && failsAt("lock", file)) return -1;
  if (takes && failsAt("nolock", file)) return 0;
  return ((int (*)(int, int, ...))real(name))(file, command, about);
}

#define CONTROL(NAME)                                                              \
  int NAME(int file, int command, ...) {                                           \
    va_list more;                                                                  \
    va_start(more, command);                                                       \
    void *about = va_arg(more, void *);                                            \
    va_end(more);                                                                  \
    return locking(#NAME, file, command, about);                                   \
  }
CONTROL(fcntl)
CONTROL(fcntl64)
