// What Swift cannot reach of Linux: structures that clash with glibc's own, and headers its module map leaves out.
#pragma once
#include <poll.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>

/// The day on which this was compiled, as in "Nov  4 2026"; SOURCE_DATE_EPOCH sets it.
const char *leash_build_date(void);

/// Bits per second a terminal sends at, any number; or -errno.
int64_t leash_terminal_rate(int descriptor);

/// Sets both directions to any number of bits per second that the driver can make; 0 or -errno.
int leash_terminal_set_rate(int descriptor, uint32_t bits_per_second);

/// Makes a terminal raw, eight bits, without touching its speed; 0 or -errno.
int leash_terminal_make_raw(int descriptor);

/// A descriptor that becomes readable when the process gets SIGINT, SIGTERM or SIGHUP, which are blocked in this thread
/// and in those it makes; or -errno.
int leash_stop_signals(void);

/// Lets the signals of leash_stop_signals end the process again.
void leash_unblock_stop_signals(void);

/// The number of the next signal that came to a descriptor of leash_stop_signals; 0 when there is none.
int leash_next_signal(int descriptor);

/// A descriptor that counts what is written to it, or -errno.
int leash_event(void);

/// A descriptor that becomes readable when the file is opened or closed by anybody, or -errno.
int leash_watch_opens(const char *path);

/// Reads a descriptor of leash_watch_opens to its end and counts what it told.
void leash_count_opens(int descriptor, int *opened, int *closed);

/// As poll, to the microsecond; below zero waits without end.
int leash_poll(struct pollfd *requests, uint32_t count, int64_t microseconds);

/// The program that is started has none of the descriptors from this one on; 0 or the error.
int leash_spawn_closes(posix_spawn_file_actions_t *actions, int first);

/// The master's side of a new pseudo-terminal, non-blocking, with the path of the other side; or -errno.
int leash_make_pseudo_terminal(char *path, size_t capacity);

/// What leash_epoll_wait tells of a descriptor.
struct leash_ready {
  int descriptor;
  /// 1: to be read, 2: to be written, 4: hung up or in error.
  uint32_t readiness;
};

/// A new epoll descriptor, or -errno.
int leash_epoll(void);

/// Watches a descriptor for reading (1), writing (2) or both, newly or differently; 0 or -errno.
int leash_epoll_watch(int epoll, int descriptor, uint32_t readiness, int is_known);

/// Forgets a descriptor.
void leash_epoll_forget(int epoll, int descriptor);

/// Sleeps until a descriptor is ready or the time is over, to the microsecond; below zero waits without end. The number of
/// descriptors that are ready; 0 also when a signal came.
int leash_epoll_wait(int epoll, struct leash_ready *ready, int capacity, int64_t microseconds);

/// A local socket that listens at a path, for its owner alone, non-blocking; or -errno. One that nobody listens at any more is
/// replaced; -EADDRINUSE when somebody does.
int leash_listen_local(const char *path);

/// The next caller of a listening socket, non-blocking; or -errno.
int leash_accept(int listener);

/// The user number of a local socket's other side, or -errno.
int64_t leash_peer_user(int descriptor);

/// A connection to a local socket, non-blocking; or -errno, -EAGAIN when too many wait for its owner.
int leash_connect_local(const char *path);

/// Writes bytes to a device on an I²C bus, then reads from it without letting the bus go in between; either count may be 0.
/// 0 or -errno.
int leash_i2c_transfer(int descriptor, uint16_t address, const uint8_t *out, uint16_t out_count, uint8_t *in,
                       uint16_t in_count);

/// 0 when plain transfers with the address are possible, -EBUSY when a driver of the kernel has it, -EOPNOTSUPP when the
/// adapter can't do plain transfers; or -errno.
int leash_i2c_check(int descriptor, uint16_t address);

/// Bounds how long a transfer on the adapter may take; 0 or -errno.
int leash_i2c_set_limit(int descriptor, int milliseconds);

/// 1 when the kernel holds the machine's clock for synchronised, 0 when not; or -errno.
int leash_clock_is_synchronised(void);
