// Preloaded into a process: the k-th write to, or sync of, files whose path has a text in it goes wrong, once. Set by the environment:
// FAULT_PATH (the text), FAULT_AT (write, sync), FAULT_NTH (k), FAULT_HOW (kill, torn, short, eio, enospc).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long seen;

static int is_meant(int fd) {
  const char *text = getenv("FAULT_PATH");
  char link[64], path[PATH_MAX];
  if (text == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strstr(path, text) != NULL;
}

// What goes wrong with this call; NULL when nothing does.
static const char *fault_of(int fd, const char *at) {
  const char *wanted = getenv("FAULT_AT"), *nth = getenv("FAULT_NTH");
  int kept = errno;
  const char *how = NULL;
  if (wanted != NULL && nth != NULL && strcmp(wanted, at) == 0 && is_meant(fd) && atomic_fetch_add(&seen, 1) + 1 == atol(nth)) how = getenv("FAULT_HOW");
  errno = kept;
  return how;
}

static int fails(const char *how) {
  if (strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
  errno = strcmp(how, "enospc") == 0 ? ENOSPC : EIO;
  return -1;
}

typedef ssize_t (*write_call)(int, const void *, size_t);
typedef ssize_t (*pwrite_call)(int, const void *, size_t, off64_t);
typedef int (*sync_call)(int);

ssize_t write(int fd, const void *bytes, size_t count) {
  write_call real = (write_call)dlsym(RTLD_NEXT, "write");
  const char *how = fault_of(fd, "write");
  if (how == NULL) return real(fd, bytes, count);
  if (strcmp(how, "torn") != 0 && strcmp(how, "short") != 0) return fails(how);
  ssize_t written = real(fd, bytes, count / 2 + 1);
  if (strcmp(how, "torn") == 0) kill(getpid(), SIGKILL);
  return written;
}

static ssize_t place(const char *name, int fd, const void *bytes, size_t count, off64_t offset) {
  pwrite_call real = (pwrite_call)dlsym(RTLD_NEXT, name);
  const char *how = fault_of(fd, "write");
  if (how == NULL) return real(fd, bytes, count, offset);
  if (strcmp(how, "torn") != 0 && strcmp(how, "short") != 0) return fails(how);
  ssize_t written = real(fd, bytes, count / 2 + 1, offset);
  if (strcmp(how, "torn") == 0) kill(getpid(), SIGKILL);
  return written;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) { return place("pwrite64", fd, bytes, count, offset); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return place("pwrite", fd, bytes, count, offset); }

static int synced(const char *name, int fd) {
  sync_call real = (sync_call)dlsym(RTLD_NEXT, name);
  const char *how = fault_of(fd, "sync");
  return how == NULL ? real(fd) : fails(how);
}

int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
