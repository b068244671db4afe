// Preloaded into a process: whoever opens something whose path has STALL_PATH in it waits for ever, as on a network file system whose server is gone.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*open_call)(const char *, int, ...);

static int stalled(const char *name, const char *path, int flags, int mode) {
  const char *text = getenv("STALL_PATH");
  if (text != NULL && strstr(path, text) != NULL)
    for (;;) pause();
  return ((open_call)dlsym(RTLD_NEXT, name))(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  return stalled("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  return stalled("open64", path, flags, mode);
}
