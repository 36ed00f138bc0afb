#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Sees what this thread asks of the storage below one folder, and lets chosen calls fail.
///
/// The functions of the C library that change files are replaced in the whole process, those that SQLite calls too. On a thread
/// that watches nothing, and for files elsewhere, they do what they always do.

/// What is asked of the storage.
enum storage_kind {
  STORAGE_OPEN,
  STORAGE_WRITE,
  STORAGE_TRUNCATE,
  STORAGE_SYNC,
  STORAGE_RENAME,
  STORAGE_UNLINK,
  STORAGE_CLOSE,
  /// Not a call: a remark of the test.
  STORAGE_MARK,
};

/// What becomes of a call that is chosen to fail.
enum storage_failure {
  /// It fails and does nothing.
  STORAGE_REFUSE,
  /// A write writes half of its bytes and fails; others fail.
  STORAGE_TEAR,
  /// A write writes half of its bytes and says so, which is no failure; others succeed.
  STORAGE_SHORTEN,
};

/// A call that was made and succeeded, or a mark.
typedef struct {
  int32_t kind;
  /// Place in a file; the number of a mark.
  int64_t offset;
  /// Bytes written, or the new length of a file.
  int64_t length;
  /// True when opening made the file or emptied it.
  bool begins;
  /// The bytes written; valid until the watch ends.
  const uint8_t *bytes;
  /// The file; valid until the watch ends.
  const char *path;
  /// The new name; NULL when there is none.
  const char *target;
} storage_call;

/// Begins to watch the files below a folder; ends what was watched before. Calls that synchronise take no time while it lasts.
void storage_watch(const char *folder);
/// Ends it.
void storage_watch_end(void);

/// What was done so far.
size_t storage_call_count(void);
storage_call storage_call_at(size_t number);
/// Notes a number among the calls.
void storage_mark(int64_t number);

/// Lets the calls of some kinds fail, from the first to the last of them (counted from 1, from now on).
///
/// - kinds: a bit for each kind, 1 << STORAGE_WRITE.
void storage_fail(uint32_t kinds, int64_t first, int64_t last, int error, enum storage_failure how);
/// Lets everything succeed again.
void storage_heal(void);
/// Calls of the chosen kinds since `storage_fail`, and how many of them failed.
int64_t storage_counted(void);
int64_t storage_failed(void);
/// Watched files that are open.
int storage_open_files(void);

/// Lets every call that synchronises a file below a folder wait, on whatever thread, until it is released: a storage that hangs.
/// At most eight folders at a time; false when there are more.
bool storage_hold(const char *folder);
/// Lets those calls go on; they succeed.
void storage_release(const char *folder);
