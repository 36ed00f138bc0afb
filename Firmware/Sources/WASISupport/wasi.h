// What a module asks of whoever runs it: bytes in, bytes out, and an end.
//
// Source: WASI preview 1, wasi_snapshot_preview1.witx: args_sizes_get, fd_read, fd_write, proc_exit.
#pragma once
#include <stdint.h>

#define WASI(name) __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name)))

struct wasi_piece {
  const uint8_t *bytes;
  uint32_t count;
};

WASI(args_sizes_get) uint32_t wasi_args_sizes_get(uint32_t *count, uint32_t *bytes);
WASI(fd_read) uint32_t wasi_fd_read(uint32_t file, const struct wasi_piece *pieces, uint32_t count, uint32_t *done);
WASI(fd_write) uint32_t wasi_fd_write(uint32_t file, const struct wasi_piece *pieces, uint32_t count, uint32_t *done);
WASI(proc_exit) __attribute__((noreturn)) void wasi_proc_exit(uint32_t code);

enum { wasi_window_size = 1 << 21, wasi_output_size = 4096, wasi_outputs = 3 };

// Room for the longest record that a log may have (1 MiB and its head), twice.
static inline uint8_t *wasi_window(void) {
  static uint8_t window[wasi_window_size];
  return window;
}

// Bytes that wait to be written to a file, 1 to 3.
struct wasi_output {
  uint32_t count;
  uint8_t bytes[wasi_output_size];
};

static inline struct wasi_output *wasi_output(uint32_t file) {
  static struct wasi_output outputs[wasi_outputs];
  return &outputs[file - 1];
}

// How many arguments there are, the name of the module included.
static inline uint32_t wasi_argument_count(void) {
  uint32_t count = 0, bytes = 0;
  return wasi_args_sizes_get(&count, &bytes) == 0 ? count : 0;
}

// Reads standard input; 0 at its end, or when it can't be read.
static inline uint32_t wasi_read(uint8_t *place, uint32_t count) {
  struct wasi_piece piece = { place, count };
  uint32_t done = 0;
  return wasi_fd_read(0, &piece, 1, &done) == 0 && done <= count ? done : 0;
}

// What a file does not take is lost: nobody may be there for file 3.
static inline void wasi_flush(uint32_t file) {
  struct wasi_output *output = wasi_output(file);
  uint32_t begin = 0, done = 0;
  while (begin < output->count) {
    struct wasi_piece piece = { output->bytes + begin, output->count - begin };
    if (wasi_fd_write(file, &piece, 1, &done) != 0 || done == 0 || done > piece.count) break;
    begin += done;
  }
  output->count = 0;
}

static inline void wasi_put(uint32_t file, uint8_t byte) {
  struct wasi_output *output = wasi_output(file);
  output->bytes[output->count++] = byte;
  if (output->count == wasi_output_size) wasi_flush(file);
}

static inline __attribute__((noreturn)) void wasi_exit(uint32_t code) {
  for (uint32_t file = 1; file <= wasi_outputs; file++) wasi_flush(file);
  wasi_proc_exit(code);
}
