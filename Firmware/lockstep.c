// Lets the time of an emulated board and that of a simulated modem go forward together, as fast as this machine is.
//
// day.py puts it before the C library of both programs (LD_PRELOAD). The emulator (QEMU 7.2 with -icount) counts time by instructions
// while its processor is awake, and by its clock while it sleeps. That clock is made here, and jumps to what it waits for; at each
// slice of time, when the processor sleeps, it waits until the script has given it the bytes of the next one. (With sleep=off the
// emulator jumps by itself, but twice for each interrupt of a timer that starts itself anew: a board that sleeps loses every other
// one.) The modem's clock is the emulator's: what it waits for comes when the emulator is there.
//
//   cc -O2 -shared -fPIC -o lockstep.so lockstep.c -ldl
//
// LEASH_LOCKSTEP is ROLE:PLACE:IN:OUT, with the role (board or modem), a file that all three share, and two pipes of the script.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// Times in nanoseconds, and what the processor was awake in instructions. SHARED in day.py has the same order.
struct shared {
  volatile int64_t reached, granted, modem_waits_until, awake, longest_awake, longest_awake_at;
};

typedef int wait_function(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
static struct shared *shared;
static int in, out;
static char role;
static wait_function *real_ppoll;

// Of the emulator: its time, the instructions so far, and whether its processor sleeps.
static int64_t (*clock_ns)(int);
static int64_t (*instructions)(void);
static _Bool (*is_idle)(void);
enum { CLOCK_VIRTUAL = 1 };

__attribute__((constructor)) static void begin(void) {
  real_ppoll = (wait_function *)dlsym(RTLD_NEXT, "ppoll");
  char word[16], path[256];
  const char *text = getenv("LEASH_LOCKSTEP");
  if (text == NULL || sscanf(text, "%15[^:]:%255[^:]:%d:%d", word, path, &in, &out) != 4) return;
  int file = open(path, O_RDWR | O_CLOEXEC);
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  role = word[0];
  if (role != 'b') return;
  clock_ns = (int64_t(*)(int))dlsym(RTLD_DEFAULT, "qemu_clock_get_ns");
  instructions = (int64_t(*)(void))dlsym(RTLD_DEFAULT, "icount_get_raw");
  is_idle = (_Bool(*)(void))dlsym(RTLD_DEFAULT, "all_cpu_threads_idle");
  if (clock_ns && instructions && is_idle) return;
  fprintf(stderr, "lockstep: this emulator does not tell its time\n");
  exit(3);
}

static int64_t nanoseconds(const struct timespec *time) { return time->tv_sec * INT64_C(1000000000) + time->tv_nsec; }

// The clock of the emulator, which stands still but here.
static int64_t board_clock = INT64_C(3600000000000);

// Takes what was told to the emulator's loop; false where it is something else that has come.
static _Bool take_notice(const struct pollfd *requests, nfds_t count) {
  static int notices = -1;
  nfds_t place = 0;
  while (place < count && requests[place].revents == 0) place++;
  if (place == count) return 0;
  if (notices < 0) {
    char path[32], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", requests[place].fd);
    if (readlink(path, name, sizeof name - 1) > 0 && strcmp(name, "anon_inode:[eventfd]") == 0) notices = requests[place].fd;
  }
  uint64_t number;
  return requests[place].fd == notices && read(notices, &number, sizeof number) == sizeof number;
}

// The emulator's loop waits here for bytes, and until time has come for something. While the processor is awake it is only the
// processor that goes on; when it sleeps, its time is let on to what it waits for, or held until the script is there, too.
static int wait_of_board(struct pollfd *requests, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  static const struct timespec none;
  static int64_t count_before;
  static nfds_t most;
  if (count > most) most = count;
  if (!is_idle()) {
    if (timeout && nanoseconds(timeout) == 0) return real_ppoll(requests, count, &none, mask);
    while (1) {
      int result = real_ppoll(requests, count, NULL, mask);
      // The processor tells the loop of this and that. While it is awake, and every port takes bytes, there is nothing to do about it.
      // It tells, too, that it falls asleep, and does so before.
      if (result != 1 || count < most || !take_notice(requests, count) || is_idle()) return result;
    }
  }
  int64_t now = clock_ns(CLOCK_VIRTUAL), count_now = instructions();
  if (count_now - count_before > shared->longest_awake) {
    shared->longest_awake = count_now - count_before;
    shared->longest_awake_at = now;
  }
  count_before = count_now;
  if (now >= shared->granted) {
    shared->reached = now;
    shared->awake = count_now;
    char byte = 0;
    if (write(out, &byte, 1) != 1 || read(in, &byte, 1) != 1) _exit(4);
  }
  int result = real_ppoll(requests, count, timeout ? &none : NULL, mask);
  if (result == 0) board_clock += nanoseconds(timeout);
  return result;
}

// The modem sleeps until something comes, or the emulator's time is that of its next deed.
static int wait_of_modem(struct pollfd *requests, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  static _Bool owes_answer;
  struct pollfd all[65];
  if (count > 64) _exit(4);
  int64_t end = timeout ? shared->reached + nanoseconds(timeout) : INT64_MAX;
  memcpy(all, requests, count * sizeof *all);
  while (1) {
    all[count] = (struct pollfd){.fd = in, .events = POLLIN};
    shared->modem_waits_until = end;
    // The script has waited until what was due is done.
    char byte = 0;
    if (owes_answer && write(out, &byte, 1) != 1) _exit(0);
    owes_answer = 0;
    static const struct timespec none;
    int result = real_ppoll(all, count + 1, end <= shared->reached ? &none : NULL, mask);
    shared->modem_waits_until = INT64_MAX;
    if (result > 0 && all[count].revents) {
      if (read(in, &byte, 1) != 1) _exit(0);
      owes_answer = 1;
      result -= 1;
    }
    if (result == 0 && end > shared->reached) continue;
    memcpy(requests, all, count * sizeof *all);
    return result;
  }
}

static _Bool is_main_thread(void) {
  static __thread int answer;
  if (answer == 0) answer = gettid() == getpid() ? 1 : 2;
  return shared != NULL && answer == 1;
}

int ppoll(struct pollfd *requests, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  if (!is_main_thread()) return real_ppoll(requests, count, timeout, mask);
  return role == 'b' ? wait_of_board(requests, count, timeout, mask) : wait_of_modem(requests, count, timeout, mask);
}

// What programs call that are built with _FORTIFY_SOURCE.
int __ppoll_chk(struct pollfd *requests, nfds_t count, const struct timespec *timeout, const sigset_t *mask, size_t room) {
  return room / sizeof *requests < count ? -1 : ppoll(requests, count, timeout, mask);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  // Other libraries ask for the time before this one has begun.
  static int (*real_clock_gettime)(clockid_t, struct timespec *);
  if (!real_clock_gettime) real_clock_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  if (shared == NULL || clock != CLOCK_MONOTONIC) return real_clock_gettime(clock, time);
  // A clock that is zero at the start is a rare one: an hour.
  int64_t now = role == 'b' ? board_clock : shared->reached + INT64_C(3600000000000);
  time->tv_sec = now / 1000000000;
  time->tv_nsec = now % 1000000000;
  return 0;
}
