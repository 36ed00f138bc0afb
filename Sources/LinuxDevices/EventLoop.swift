import CLinuxShim
import Glibc
public import Quantities

/// What a descriptor is watched for, and what it became ready for.
public struct Readiness: OptionSet, Sendable {
  /// Bit 0: reading, bit 1: writing.
  public let rawValue: UInt32

  /// From bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// There is something to read, or the other side is gone, which reading shows.
  public static let reading = Readiness(rawValue: 1)
  /// It takes bytes, or the other side is gone, which writing shows.
  public static let writing = Readiness(rawValue: 2)
}

/// Something that lives in an event loop: it owns descriptors, and it is given time.
public protocol LoopMember: AnyObject {
  /// One of its descriptors is ready.
  ///
  /// Called again while it stays ready, so that what is not read now comes again.
  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant)

  /// Lets time pass. Calls before the deadline do nothing.
  func advance(to now: Instant)

  /// When `advance` is wanted next; nil when there is nothing to wait for.
  var nextDeadline: Instant? { get }
}

/// Waits for descriptors and deadlines of its members, and calls them, all on one thread.
///
/// Between two calls of a member any other may have been called, never during one. Nothing polls: a turn sleeps until a
/// descriptor is ready or the earliest deadline has come.
public final class EventLoop {
  private struct Watch {
    unowned var member: any LoopMember
    var interest: Readiness
    /// The turn in which it began. What the kernel told before is of an earlier descriptor with the same number.
    var beginning: UInt64
  }

  /// The time it lives in.
  public let clock: any LoopClock
  private let descriptor: Int32
  private var watches: [Int32: Watch] = [:]
  private var members: [any LoopMember] = []
  private var ready = [leash_ready](repeating: leash_ready(), count: 32)
  /// Turns so far that ended because something was ready or due.
  public private(set) var turnCount: UInt64 = 0
  /// The longest that the members of one turn took together; nothing else is heard in that time.
  public private(set) var longestTurn: Interval = .zero

  /// - Parameter clock: The time it lives in; a test gives one of its own.
  /// - Throws: When the process has no file descriptors left.
  public init(clock: any LoopClock) throws(DeviceFailure) {
    self.clock = clock
    descriptor = leash_epoll()
    guard descriptor >= 0 else { throw DeviceFailure(.create, "epoll", errorNumber: -descriptor, .other) }
  }

  deinit { close(descriptor) }

  /// Gives a member time from now on. The loop holds it until it is removed.
  public func add(_ member: any LoopMember) {
    if !members.contains(where: { $0 === member }) { members.append(member) }
  }

  /// Forgets a member and all its descriptors; also legal inside a call of the loop.
  public func remove(_ member: any LoopMember) {
    members.removeAll { $0 === member }
    for (watched, watch) in watches where watch.member === member { forget(watched) }
  }

  /// Watches a descriptor for a member, which must be in the loop; or changes what it is watched for.
  ///
  /// One that is watched for nothing is not called for a hang-up either, until it is watched for something again.
  ///
  /// - Throws: When the kernel can't watch it, as a file on a disk.
  public func watch(
    _ watched: Int32, for interest: Readiness, by member: any LoopMember
  ) throws(DeviceFailure) {
    let known = watches[watched]
    let isInKernel = known.map { !$0.interest.isEmpty } ?? false
    if interest.isEmpty {
      // The kernel would tell a hang-up all the same, again and again.
      if isInKernel { leash_epoll_forget(descriptor, watched) }
    } else {
      let code = leash_epoll_watch(descriptor, watched, interest.rawValue, isInKernel ? 1 : 0)
      guard code == 0 else { throw DeviceFailure(.create, "epoll watch", errorNumber: -code, .other) }
    }
    let isSame = known.map { $0.member === member } ?? false
    watches[watched] = Watch(
      member: member, interest: interest, beginning: isSame ? known?.beginning ?? turnCount : turnCount)
  }

  /// Forgets a descriptor. Call it before the descriptor is closed.
  public func forget(_ watched: Int32) {
    guard let watch = watches.removeValue(forKey: watched) else { return }
    if !watch.interest.isEmpty { leash_epoll_forget(descriptor, watched) }
  }

  /// The earliest deadline of all members.
  public var nextDeadline: Instant? {
    var earliest: Instant?
    for member in members {
      if let deadline = member.nextDeadline { earliest = min(earliest ?? deadline, deadline) }
    }
    return earliest
  }

  /// Sleeps until something is ready or due, or until `limit`, and calls the members concerned.
  ///
  /// - Parameter limit: When to come back at the latest; nil for no such time.
  public func turn(until limit: Instant? = nil) {
    var deadline = nextDeadline
    if let limit { deadline = min(deadline ?? limit, limit) }
    let count = wait(until: deadline)
    let begin = clock.now
    defer { longestTurn = max(longestTurn, clock.now - begin) }
    turnCount &+= 1
    var place = 0
    while place < count {
      let event = ready[place]
      place += 1
      // A member called before may have forgotten it, or taken its number for another.
      guard let watch = watches[event.descriptor], watch.beginning < turnCount else { continue }
      var readiness = Readiness(rawValue: event.readiness & 3)
      // A hang-up or an error shows at whatever is tried next.
      if event.readiness & 4 != 0 { readiness = watch.interest }
      // A member called before may have changed what is wanted.
      readiness.formIntersection(watch.interest)
      if readiness.isEmpty { continue }
      watch.member.handle(readiness, of: event.descriptor, at: clock.now)
    }
    let now = clock.now
    for member in members {
      // One before it may have removed it.
      guard members.contains(where: { $0 === member }) else { continue }
      if let due = member.nextDeadline, due <= now { member.advance(to: now) }
    }
  }

  /// Waits; gives how many events lie in `ready`.
  private func wait(until deadline: Instant?) -> Int {
    clock.wait(until: deadline) { Int(leash_epoll_wait(descriptor, &ready, Int32(ready.count), $0)) }
  }
}
