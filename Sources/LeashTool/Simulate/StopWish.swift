import Glibc
import Synchronization

/// Whether the user wants a long calculation to end with what it has: Ctrl-C, or SIGTERM. The second one ends the process.
///
/// Of all that exist in a process at once each hears it.
final class StopWish: Sendable {
  private static let isWanted = Atomic<Bool>(false)

  /// Listens from now on.
  init() {
    // Also makes it before a signal can come.
    StopWish.isWanted.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        StopWish.isWanted.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }

  /// True as soon as it was told.
  var isWanted: Bool { StopWish.isWanted.load(ordering: .relaxed) }

  deinit { for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) } }
}
