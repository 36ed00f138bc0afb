#define _GNU_SOURCE
#include "linux_shim.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/timex.h>
#include <unistd.h>

int64_t leash_terminal_rate(int descriptor) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) != 0) return -errno;
  return settings.c_ospeed;
}

int leash_terminal_set_rate(int descriptor, uint32_t bits_per_second) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) != 0) return -errno;
  settings.c_cflag &= ~(CBAUD | (CBAUD << IBSHIFT));
  settings.c_cflag |= BOTHER | (BOTHER << IBSHIFT);
  settings.c_ispeed = bits_per_second;
  settings.c_ospeed = bits_per_second;
  if (ioctl(descriptor, TCSETS2, &settings) != 0) return -errno;
  return 0;
}

int leash_terminal_make_raw(int descriptor) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) != 0) return -errno;
  settings.c_iflag &= ~(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON | IXOFF);
  settings.c_oflag &= ~OPOST;
  settings.c_lflag &= ~(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
  settings.c_cflag &= ~(CSIZE | PARENB | CSTOPB | CRTSCTS);
  settings.c_cflag |= CS8 | CLOCAL | CREAD;
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  if (ioctl(descriptor, TCSETS2, &settings) != 0) return -errno;
  return 0;
}

static void stop_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGHUP);
}

int leash_stop_signals(void) {
  sigset_t set;
  stop_signals(&set);
  if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -errno;
  int descriptor = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

void leash_unblock_stop_signals(void) {
  sigset_t set;
  stop_signals(&set);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int leash_next_signal(int descriptor) {
  struct signalfd_siginfo information;
  for (;;) {
    ssize_t count = read(descriptor, &information, sizeof information);
    if (count == sizeof information) return (int)information.ssi_signo;
    if (count >= 0 || errno != EINTR) return 0;
  }
}

int leash_event(void) {
  int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

int leash_watch_opens(const char *path) {
  int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (descriptor < 0) return -errno;
  if (inotify_add_watch(descriptor, path, IN_OPEN | IN_CLOSE) < 0) {
    int code = errno;
    close(descriptor);
    return -code;
  }
  return descriptor;
}

void leash_count_opens(int descriptor, int *opened, int *closed) {
  char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
  *opened = 0;
  *closed = 0;
  for (;;) {
    ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count <= 0) return;
    for (char *place = buffer; place < buffer + count;) {
      const struct inotify_event *event = (const struct inotify_event *)place;
      if (event->mask & IN_OPEN) *opened += 1;
      if (event->mask & IN_CLOSE) *closed += 1;
      place += sizeof *event + event->len;
    }
  }
}

int leash_poll(struct pollfd *requests, uint32_t count, int64_t microseconds) {
  struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  return ppoll(requests, count, microseconds < 0 ? NULL : &time, NULL);
}

int leash_spawn_closes(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int leash_make_pseudo_terminal(char *path, size_t capacity) {
  int descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return -errno;
  if (grantpt(descriptor) != 0 || unlockpt(descriptor) != 0 || ptsname_r(descriptor, path, capacity) != 0) {
    int code = errno;
    close(descriptor);
    return -code;
  }
  return descriptor;
}

int leash_epoll(void) {
  int descriptor = epoll_create1(EPOLL_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

int leash_epoll_watch(int epoll, int descriptor, uint32_t readiness, int is_known) {
  struct epoll_event event = {.events = (readiness & 1 ? EPOLLIN : 0) | (readiness & 2 ? EPOLLOUT : 0)};
  event.data.fd = descriptor;
  if (epoll_ctl(epoll, is_known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event) == 0) return 0;
  // One that was closed without being forgotten has left epoll by itself, and its number stands for another now.
  if (!is_known || errno != ENOENT) return -errno;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : -errno;
}

void leash_epoll_forget(int epoll, int descriptor) {
  struct epoll_event event = {0};
  epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
}

int leash_epoll_wait(int epoll, struct leash_ready *ready, int capacity, int64_t microseconds) {
  struct epoll_event events[64];
  if (capacity > 64) capacity = 64;
  struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  int count = epoll_pwait2(epoll, events, capacity, microseconds < 0 ? NULL : &time, NULL);
  // Before Linux 5.11 there are only milliseconds; rounded up, or a wait of less than one would be a busy one. A filter of
  // system calls that is older than the call refuses it with EPERM.
  if (count < 0 && (errno == ENOSYS || errno == EPERM)) {
    int64_t milliseconds = microseconds < 0 ? -1 : (microseconds + 999) / 1000;
    count = epoll_wait(epoll, events, capacity, milliseconds > 1000000000 ? 1000000000 : (int)milliseconds);
  }
  for (int place = 0; place < count; place++) {
    uint32_t flags = events[place].events;
    ready[place].descriptor = events[place].data.fd;
    ready[place].readiness = (flags & EPOLLIN ? 1 : 0) | (flags & EPOLLOUT ? 2 : 0) | (flags & (EPOLLERR | EPOLLHUP) ? 4 : 0);
  }
  return count < 0 ? 0 : count;
}

static int local_address(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) return -ENAMETOOLONG;
  strcpy(address->sun_path, path);
  return 0;
}

int leash_listen_local(const char *path) {
  struct sockaddr_un address;
  int code = local_address(path, &address);
  if (code < 0) return code;
  int other = leash_connect_local(path);
  if (other >= 0) close(other);
  // With EAGAIN somebody listens who does not get round to answering.
  if (other >= 0 || other == -EAGAIN) return -EADDRINUSE;
  struct stat status;
  // Only a socket is removed, never a file that somebody keeps there.
  if (lstat(path, &status) == 0) {
    if (!S_ISSOCK(status.st_mode)) return -EEXIST;
    unlink(path);
  }
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -errno;
  // The mode must be right from the first moment.
  mode_t mask = umask(0177);
  int failed = bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0;
  code = errno;
  umask(mask);
  if (!failed && listen(descriptor, 16) == 0) return descriptor;
  if (!failed) code = errno;
  close(descriptor);
  return -code;
}

int leash_accept(int listener) {
  int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

int64_t leash_peer_user(int descriptor) {
  struct ucred caller;
  socklen_t length = sizeof caller;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &caller, &length) != 0) return -errno;
  return caller.uid;
}

int leash_connect_local(const char *path) {
  struct sockaddr_un address;
  int code = local_address(path, &address);
  if (code < 0) return code;
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -errno;
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  code = errno;
  close(descriptor);
  return -code;
}

int leash_i2c_transfer(int descriptor, uint16_t address, const uint8_t *out, uint16_t out_count, uint8_t *in,
                       uint16_t in_count) {
  struct i2c_msg messages[2];
  struct i2c_rdwr_ioctl_data transfer = {.msgs = messages, .nmsgs = 0};
  if (out_count > 0) {
    messages[transfer.nmsgs++] = (struct i2c_msg){.addr = address, .len = out_count, .buf = (uint8_t *)out};
  }
  if (in_count > 0) {
    messages[transfer.nmsgs++] = (struct i2c_msg){.addr = address, .flags = I2C_M_RD, .len = in_count, .buf = in};
  }
  if (transfer.nmsgs == 0) return 0;
  return ioctl(descriptor, I2C_RDWR, &transfer) < 0 ? -errno : 0;
}

int leash_i2c_check(int descriptor, uint16_t address) {
  unsigned long abilities = 0;
  if (ioctl(descriptor, I2C_FUNCS, &abilities) != 0) return -errno;
  if (!(abilities & I2C_FUNC_I2C)) return -EOPNOTSUPP;
  return ioctl(descriptor, I2C_SLAVE, (unsigned long)address) != 0 ? -errno : 0;
}

int leash_i2c_set_limit(int descriptor, int milliseconds) {
  // The kernel counts this one in units of 10 ms.
  return ioctl(descriptor, I2C_TIMEOUT, (unsigned long)(milliseconds + 9) / 10) != 0 ? -errno : 0;
}

int leash_clock_is_synchronised(void) {
  struct timex state = {0};
  int code = adjtimex(&state);
  if (code < 0) return -errno;
  return code == TIME_ERROR || (state.status & STA_UNSYNC) ? 0 : 1;
}

const char *leash_build_date(void) { return __DATE__; }
