#define _GNU_SOURCE
#include "StorageCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define MOST_DESCRIPTORS 4096

typedef struct {
  char *folder;
  storage_call *calls;
  size_t count, room;
  char *names[MOST_DESCRIPTORS];
  uint32_t kinds;
  int64_t first, last, counted, failed;
  int error;
  enum storage_failure how;
} watch;

static _Thread_local watch *watched;

#define MOST_HOLDS 8
static pthread_mutex_t hold_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t hold_ended = PTHREAD_COND_INITIALIZER;
static char *held[MOST_HOLDS];

bool storage_hold(const char *folder) {
  bool is_held = false;
  pthread_mutex_lock(&hold_lock);
  for (int place = 0; place < MOST_HOLDS && !is_held; place++) {
    if (held[place]) continue;
    held[place] = strdup(folder);
    is_held = true;
  }
  pthread_mutex_unlock(&hold_lock);
  return is_held;
}

void storage_release(const char *folder) {
  pthread_mutex_lock(&hold_lock);
  for (int place = 0; place < MOST_HOLDS; place++) {
    if (!held[place] || strcmp(held[place], folder)) continue;
    free(held[place]);
    held[place] = NULL;
  }
  pthread_cond_broadcast(&hold_ended);
  pthread_mutex_unlock(&hold_lock);
}

/// True when a folder of this file is held; called with the lock.
static bool is_held(const char *path) {
  for (int place = 0; place < MOST_HOLDS; place++) {
    size_t length = held[place] ? strlen(held[place]) : 0;
    if (length && strncmp(path, held[place], length) == 0 && path[length] == '/') return true;
  }
  return false;
}

static void wait_for_release(int descriptor) {
  char link[64], path[4096];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof(path) - 1);
  if (length < 0) return;
  path[length] = 0;
  pthread_mutex_lock(&hold_lock);
  while (is_held(path)) pthread_cond_wait(&hold_ended, &hold_lock);
  pthread_mutex_unlock(&hold_lock);
}

void storage_watch(const char *folder) {
  storage_watch_end();
  watched = calloc(1, sizeof(watch));
  watched->folder = strdup(folder);
}

void storage_watch_end(void) {
  watch *w = watched;
  watched = NULL;
  if (!w) return;
  for (size_t place = 0; place < w->count; place++) {
    free((void *)w->calls[place].bytes);
    free((void *)w->calls[place].path);
    free((void *)w->calls[place].target);
  }
  for (int place = 0; place < MOST_DESCRIPTORS; place++) free(w->names[place]);
  free(w->calls);
  free(w->folder);
  free(w);
}

size_t storage_call_count(void) { return watched ? watched->count : 0; }
storage_call storage_call_at(size_t number) { return watched->calls[number]; }

void storage_fail(uint32_t kinds, int64_t first, int64_t last, int error, enum storage_failure how) {
  if (!watched) return;
  watched->kinds = kinds;
  watched->first = first;
  watched->last = last;
  watched->error = error;
  watched->how = how;
  watched->counted = watched->failed = 0;
}

void storage_heal(void) {
  if (watched) watched->kinds = 0;
}

int64_t storage_counted(void) { return watched ? watched->counted : 0; }
int64_t storage_failed(void) { return watched ? watched->failed : 0; }

int storage_open_files(void) {
  int count = 0;
  for (int place = 0; watched && place < MOST_DESCRIPTORS; place++) count += watched->names[place] != NULL;
  return count;
}

static storage_call *note(int kind, const char *path) {
  watch *w = watched;
  if (w->count == w->room) {
    w->room = w->room ? w->room * 2 : 64;
    w->calls = realloc(w->calls, w->room * sizeof(storage_call));
  }
  storage_call *call = &w->calls[w->count++];
  memset(call, 0, sizeof(*call));
  call->kind = kind;
  call->path = path ? strdup(path) : NULL;
  return call;
}

void storage_mark(int64_t number) {
  if (watched) note(STORAGE_MARK, NULL)->offset = number;
}

/// True when this call is one that is to fail.
static bool fails(int kind) {
  watch *w = watched;
  if (!(w->kinds >> kind & 1)) return false;
  w->counted++;
  if (w->counted < w->first || w->counted > w->last) return false;
  w->failed++;
  errno = w->error;
  return true;
}

static bool isBelow(const char *path) {
  if (!watched || !path) return false;
  size_t length = strlen(watched->folder);
  return strncmp(path, watched->folder, length) == 0 && path[length] == '/';
}

static const char *nameOf(int descriptor) {
  return watched && descriptor >= 0 && descriptor < MOST_DESCRIPTORS ? watched->names[descriptor] : NULL;
}

static int opened(const char *path, int flags, mode_t mode) {
  bool isWatched = isBelow(path) && (flags & O_ACCMODE) != O_RDONLY && !(flags & O_DIRECTORY);
  if (!isWatched) return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  struct stat status;
  bool begins = (flags & O_TRUNC) || stat(path, &status) != 0;
  if (fails(STORAGE_OPEN) && watched->how != STORAGE_SHORTEN) return -1;
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS) return descriptor;
  free(watched->names[descriptor]);
  watched->names[descriptor] = strdup(path);
  note(STORAGE_OPEN, path)->begins = begins;
  return descriptor;
}

static ssize_t written(int descriptor, const void *bytes, size_t length, off_t offset, bool isPlaced) {
  const char *name = nameOf(descriptor);
  if (name) {
    if (!isPlaced) offset = syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
    bool isTorn = false;
    if (fails(STORAGE_WRITE)) {
      if (watched->how == STORAGE_REFUSE) return -1;
      if (length > 1) length /= 2;
      isTorn = watched->how == STORAGE_TEAR;
    }
    ssize_t count = isPlaced ? syscall(SYS_pwrite64, descriptor, bytes, length, offset)
                             : syscall(SYS_write, descriptor, bytes, length);
    if (count > 0) {
      storage_call *call = note(STORAGE_WRITE, name);
      call->offset = offset;
      call->length = count;
      void *copy = malloc((size_t)count);
      memcpy(copy, bytes, (size_t)count);
      call->bytes = copy;
    }
    if (isTorn) {
      errno = watched->error;
      return -1;
    }
    return count;
  }
  return isPlaced ? syscall(SYS_pwrite64, descriptor, bytes, length, offset)
                  : syscall(SYS_write, descriptor, bytes, length);
}

static int truncated(int descriptor, off_t length) {
  const char *name = nameOf(descriptor);
  if (name && fails(STORAGE_TRUNCATE) && watched->how != STORAGE_SHORTEN) return -1;
  int result = (int)syscall(SYS_ftruncate, descriptor, length);
  if (name && result == 0) note(STORAGE_TRUNCATE, name)->length = length;
  return result;
}

static int synchronised(int descriptor, long call) {
  const char *name = nameOf(descriptor);
  wait_for_release(descriptor);
  if (!name) return (int)syscall(call, descriptor);
  if (fails(STORAGE_SYNC) && watched->how != STORAGE_SHORTEN) return -1;
  note(STORAGE_SYNC, name);
  return 0;
}

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return opened(path, flags | O_LARGEFILE, mode);
}

int mkstemp(char *path) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  static _Thread_local unsigned number;
  size_t length = strlen(path);
  for (int attempt = 0; attempt < 10000; attempt++) {
    unsigned rest = ++number * 2654435761u ^ (unsigned)getpid() ^ (unsigned)syscall(SYS_gettid) * 40503u;
    for (size_t place = length - 6; place < length; place++) {
      path[place] = letters[rest % 36];
      rest = rest / 36 + number * 7919u;
    }
    int descriptor = opened(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

ssize_t write(int descriptor, const void *bytes, size_t length) { return written(descriptor, bytes, length, 0, false); }
ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  return written(descriptor, bytes, length, offset, true);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  return written(descriptor, bytes, length, offset, true);
}
int ftruncate(int descriptor, off_t length) { return truncated(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return truncated(descriptor, length); }
int fsync(int descriptor) { return synchronised(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return synchronised(descriptor, SYS_fdatasync); }

int rename(const char *from, const char *to) {
  bool isWatched = isBelow(from);
  if (isWatched && fails(STORAGE_RENAME) && watched->how != STORAGE_SHORTEN) return -1;
  int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (isWatched && result == 0) note(STORAGE_RENAME, from)->target = strdup(to);
  return result;
}

int unlink(const char *path) {
  bool isWatched = isBelow(path);
  if (isWatched && fails(STORAGE_UNLINK) && watched->how != STORAGE_SHORTEN) return -1;
  int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (isWatched && result == 0) note(STORAGE_UNLINK, path);
  return result;
}

int close(int descriptor) {
  const char *name = nameOf(descriptor);
  if (name) {
    bool isFailing = fails(STORAGE_CLOSE) && watched->how != STORAGE_SHORTEN;
    int error = errno;
    note(STORAGE_CLOSE, name);
    free(watched->names[descriptor]);
    watched->names[descriptor] = NULL;
    int result = (int)syscall(SYS_close, descriptor);
    if (!isFailing) return result;
    errno = error;
    return -1;
  }
  return (int)syscall(SYS_close, descriptor);
}
