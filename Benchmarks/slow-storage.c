// A card that takes STORAGE_DELAY_MS (300) for every synchronisation, for LD_PRELOAD.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wait_for_card(void) {
  const char *text = getenv("STORAGE_DELAY_MS");
  long milliseconds = text ? atol(text) : 300;
  struct timespec delay = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&delay, NULL);
}

int fsync(int descriptor) {
  wait_for_card();
  return (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
  wait_for_card();
  return (int)syscall(SYS_fdatasync, descriptor);
}
