public import Quantities

/// The time a loop lives in: the machine's, or one that a test moves.
public protocol LoopClock: AnyObject, Sendable {
  /// Its time; it never goes back.
  var now: Instant { get }

  /// Lets time pass until a descriptor is ready or the deadline has come.
  ///
  /// - Parameters:
  ///   - deadline: Nil to wait for descriptors alone.
  ///   - look: Waits in the kernel for so many microseconds at most, below zero without end; gives how many descriptors are ready.
  /// - Returns: What the last look gave.
  func wait(until deadline: Instant?, _ look: (_ microseconds: Int64) -> Int) -> Int
}

/// The machine's time, and waits in the kernel.
public final class MachineClock: LoopClock {
  /// All are the same.
  public init() {}

  /// The machine's clock that never jumps.
  public var now: Instant { MonotonicClock.now }

  /// Waits in the kernel, once.
  public func wait(until deadline: Instant?, _ look: (_ microseconds: Int64) -> Int) -> Int {
    look(deadline.map { max(0, ($0 - now).microseconds) } ?? -1)
  }
}
