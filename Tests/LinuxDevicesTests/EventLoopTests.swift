import Glibc
import LinuxDevices
import Quantities
import Testing

/// A member that notes its calls and does what the test says.
private final class Member: LoopMember {
  var nextDeadline: Instant?
  private(set) var calls: [(readiness: Readiness, descriptor: Int32)] = []
  private(set) var advances: [Instant] = []
  var onHandle: (Int32) -> Void = { _ in }
  var onAdvance: (Member) -> Void = { $0.nextDeadline = nil }

  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    calls.append((readiness, descriptor))
    onHandle(descriptor)
  }

  func advance(to now: Instant) {
    advances.append(now)
    onAdvance(self)
  }
}

/// Both ends of a connection; they are closed with it.
private final class Pair {
  private(set) var here: Int32
  private(set) var there: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends)
    (here, there) = (ends[0], ends[1])
  }

  deinit {
    close(here)
    closeThere()
  }

  func speak() { _ = write(there, "x", 1) }
  func listen() { _ = read(here, &scratch, 1) }
  private var scratch: UInt8 = 0

  func closeThere() {
    if there >= 0 { close(there) }
    there = -1
  }
}

private func now() -> Instant { MonotonicClock.now }

@Test func aMemberIsCalledWhenItsDescriptorIsReadableAndAgainWhileItStaysSo() throws {
  let loop = try EventLoop(clock: MachineClock())
  let (member, pair) = (Member(), Pair())
  loop.add(member)
  try loop.watch(pair.here, for: .reading, by: member)
  loop.turn(until: now())
  #expect(member.calls.isEmpty)
  pair.speak()
  loop.turn()
  loop.turn()
  #expect(member.calls.map(\.readiness) == [.reading, .reading])
  #expect(member.calls.allSatisfy { $0.descriptor == pair.here })
  pair.listen()
  loop.turn(until: now())
  #expect(member.calls.count == 2)
  #expect(loop.turnCount == 4)
}

@Test func aChangeOfInterestHoldsAtOnce() throws {
  let loop = try EventLoop(clock: MachineClock())
  let (member, pair) = (Member(), Pair())
  loop.add(member)
  try loop.watch(pair.here, for: [.reading, .writing], by: member)
  loop.turn()
  #expect(member.calls.last?.readiness == .writing)
  try loop.watch(pair.here, for: .reading, by: member)
  loop.turn(until: now())
  #expect(member.calls.count == 1)
  pair.speak()
  loop.turn()
  #expect(member.calls.last?.readiness == .reading)
}

@Test func aDeadlineIsNeitherEarlyNorMissed() throws {
  let loop = try EventLoop(clock: MachineClock())
  let (soon, later) = (Member(), Member())
  loop.add(soon)
  loop.add(later)
  let deadline = now() + .milliseconds(5)
  soon.nextDeadline = deadline
  later.nextDeadline = deadline + .seconds(100)
  #expect(loop.nextDeadline == deadline)
  while soon.advances.isEmpty { loop.turn() }
  #expect(soon.advances[0] >= deadline)
  #expect(later.advances.isEmpty)
  #expect(loop.turnCount <= 2, "it slept until then")
}

@Test func aTurnEndsAtItsLimitThoughNothingHappens() throws {
  let loop = try EventLoop(clock: MachineClock())
  let limit = now() + .milliseconds(3)
  loop.turn(until: limit)
  #expect(now() >= limit)
}

@Test func aDeadlineInThePastIsServedAtOnceAlongWithWhatIsReady() throws {
  let loop = try EventLoop(clock: MachineClock())
  let (member, pair) = (Member(), Pair())
  loop.add(member)
  try loop.watch(pair.here, for: .reading, by: member)
  pair.speak()
  member.nextDeadline = .zero
  loop.turn()
  #expect(member.calls.count == 1 && member.advances.count == 1)
}

@Test func aMemberThatIsRemovedByAnotherIsNotCalledAnyMore() throws {
  let loop = try EventLoop(clock: MachineClock())
  let members = [Member(), Member()]
  let pairs = [Pair(), Pair()]
  for (member, pair) in zip(members, pairs) {
    loop.add(member)
    try loop.watch(pair.here, for: .reading, by: member)
    pair.speak()
    member.nextDeadline = .zero
  }
  // Whichever is called first removes the other.
  members[0].onHandle = { [weak loop] _ in loop?.remove(members[1]) }
  members[1].onHandle = { [weak loop] _ in loop?.remove(members[0]) }
  loop.turn()
  #expect(members.map(\.calls.count).sorted() == [0, 1])
  #expect(members.map(\.advances.count).sorted() == [0, 1], "nor for its deadline")
}

@Test func aMemberThatIsRemovedBeforeItsDeadlineInTheSameTurnIsNotCalled() throws {
  let loop = try EventLoop(clock: MachineClock())
  let (first, second) = (Member(), Member())
  loop.add(first)
  loop.add(second)
  first.nextDeadline = .zero
  second.nextDeadline = .zero
  first.onAdvance = { [weak loop] member in
    member.nextDeadline = nil
    loop?.remove(second)
  }
  loop.turn()
  #expect(first.advances.count == 1 && second.advances.isEmpty)
}

@Test func aMemberMayRemoveItselfAndBeGone() throws {
  let loop = try EventLoop(clock: MachineClock())
  let pair = Pair()
  weak var gone: Member?
  do {
    let member = Member()
    gone = member
    loop.add(member)
    try loop.watch(pair.here, for: .reading, by: member)
    member.onHandle = { [weak loop, weak member] _ in
      if let member { loop?.remove(member) }
    }
  }
  #expect(gone != nil, "the loop holds it")
  pair.speak()
  loop.turn()
  #expect(gone == nil)
  loop.turn(until: now())
}

@Test func whatWasReadyOnAClosedDescriptorIsNotToldToTheNextWithItsNumber() throws {
  let loop = try EventLoop(clock: MachineClock())
  let (first, second, fresh) = (Member(), Member(), Member())
  let pairs = [Pair(), Pair()]
  var replaced = false
  var spare: [Int32] = []
  for member in [first, second, fresh] { loop.add(member) }
  // The one that is called first closes the other's descriptor, and a silent one takes its number.
  func replace(_ other: Pair) {
    guard !replaced else { return }
    replaced = true
    loop.forget(other.here)
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    dup2(ends[0], other.here)
    close(ends[0])
    spare.append(ends[1])
    try? loop.watch(other.here, for: .reading, by: fresh)
  }
  first.onHandle = { _ in replace(pairs[1]) }
  second.onHandle = { _ in replace(pairs[0]) }
  try loop.watch(pairs[0].here, for: .reading, by: first)
  try loop.watch(pairs[1].here, for: .reading, by: second)
  for pair in pairs { pair.speak() }
  loop.turn()
  #expect(replaced && first.calls.count + second.calls.count == 1)
  #expect(fresh.calls.isEmpty)
  _ = write(spare[0], "x", 1)
  loop.turn()
  loop.turn()
  #expect(fresh.calls.count >= 1, "its own news reach it")
  for descriptor in spare { close(descriptor) }
}

@Test func aDescriptorThatWasClosedWithoutBeingForgottenCanBeWatchedAgain() throws {
  let loop = try EventLoop(clock: MachineClock())
  let (old, fresh) = (Member(), Member())
  loop.add(old)
  loop.add(fresh)
  let (pair, other) = (Pair(), Pair())
  let number = pair.here
  try loop.watch(number, for: .reading, by: old)
  // Closed and opened at once: in between the number would be anybody's.
  #expect(dup2(other.here, number) == number)
  try loop.watch(number, for: .reading, by: fresh)
  other.speak()
  loop.turn()
  #expect(fresh.calls.map(\.descriptor) == [number] && old.calls.isEmpty)
}

@Test func aHangUpShowsAtWhateverIsWaitedFor() throws {
  let loop = try EventLoop(clock: MachineClock())
  let (reader, writer) = (Member(), Member())
  let (first, second) = (Pair(), Pair())
  loop.add(reader)
  loop.add(writer)
  try loop.watch(first.here, for: .reading, by: reader)
  first.closeThere()
  loop.turn()
  #expect(reader.calls.last?.readiness == .reading)
  loop.remove(reader)
  var full = [UInt8](repeating: 0, count: 65_536)
  while write(second.here, &full, full.count) > 0 {}
  try loop.watch(second.here, for: .writing, by: writer)
  loop.turn(until: now())
  #expect(writer.calls.isEmpty)
  second.closeThere()
  loop.turn()
  #expect(writer.calls.last?.readiness == .writing)
}

@Test func aHangUpOfADescriptorThatIsWatchedForNothingDoesNotSpinTheLoop() throws {
  let loop = try EventLoop(clock: MachineClock())
  let (member, pair) = (Member(), Pair())
  loop.add(member)
  try loop.watch(pair.here, for: .reading, by: member)
  try loop.watch(pair.here, for: [], by: member)
  pair.closeThere()
  let limit = now() + .milliseconds(5)
  let before = loop.turnCount
  while now() < limit { loop.turn(until: limit) }
  #expect(member.calls.isEmpty)
  #expect(loop.turnCount - before <= 2)
  try loop.watch(pair.here, for: .reading, by: member)
  loop.turn()
  #expect(member.calls.count == 1, "it is told as soon as it matters")
}

@Test func noneOfManyIsForgotten() throws {
  let loop = try EventLoop(clock: MachineClock())
  let count = 100
  let members = (0..<count).map { _ in Member() }
  let pairs = (0..<count).map { _ in Pair() }
  for (member, pair) in zip(members, pairs) {
    loop.add(member)
    try loop.watch(pair.here, for: .reading, by: member)
    member.onHandle = { _ in pair.listen() }
    pair.speak()
  }
  for _ in 0..<8 { loop.turn(until: now()) }
  #expect(members.allSatisfy { $0.calls.count == 1 })
  for member in members { loop.remove(member) }
  for pair in pairs { pair.speak() }
  loop.turn(until: now())
  #expect(members.allSatisfy { $0.calls.count == 1 })
}

@Test func oneThatIsAlwaysReadyDoesNotStarveTheOthers() throws {
  let loop = try EventLoop(clock: MachineClock())
  let busy = (0..<40).map { _ in (Member(), Pair()) }
  for (member, pair) in busy {
    loop.add(member)
    try loop.watch(pair.here, for: .writing, by: member)
  }
  let (quiet, pair) = (Member(), Pair())
  loop.add(quiet)
  quiet.nextDeadline = .zero
  try loop.watch(pair.here, for: .reading, by: quiet)
  pair.speak()
  for _ in 0..<3 { loop.turn() }
  #expect(!quiet.calls.isEmpty && !quiet.advances.isEmpty)
}

@Test func aFileOnADiskIsRefused() throws {
  let loop = try EventLoop(clock: MachineClock())
  let member = Member()
  loop.add(member)
  let file = open("/proc/self/exe", O_RDONLY)
  defer { close(file) }
  let failure = #expect(throws: DeviceFailure.self) { try loop.watch(file, for: .reading, by: member) }
  #expect(failure?.message == "epoll watch: create failed: Operation not permitted")
}

@Test func aThreadWakesTheLoop() throws {
  let loop = try EventLoop(clock: MachineClock())
  let member = Member()
  let wakeUp = try WakeUp()
  loop.add(member)
  try loop.watch(wakeUp.descriptor, for: .reading, by: member)
  member.onHandle = { _ in wakeUp.clear() }
  #expect(BackgroundThread.start { wakeUp.signal() })
  loop.turn(until: now() + .seconds(10))
  #expect(member.calls.count == 1)
  loop.turn(until: now())
  #expect(member.calls.count == 1, "once")
}

@Test func theLongestTurnIsWhatItsMembersTookAndNotWhatItWaited() throws {
  let loop = try EventLoop(clock: MachineClock())
  let (slow, other) = (Member(), Member())
  loop.add(slow)
  loop.add(other)
  func take(_ milliseconds: Int) {
    slow.nextDeadline = now()
    slow.onAdvance = { member in
      member.nextDeadline = nil
      let end = now() + .milliseconds(milliseconds)
      while now() < end {}
    }
    loop.turn()
  }
  take(3)
  let longest = loop.longestTurn
  #expect(longest >= .milliseconds(3))
  take(0)
  #expect(loop.longestTurn >= longest, "the longest stays")
}
