import LinuxDevices
import Quantities
import Telemetry
import Testing

@testable import Uplinks

/// A way that does what it is told.
private final class ScriptedUplink: Uplink {
  let name: String
  var state = UplinkState.open { didSet { onNews() } }
  var onNews: () -> Void = {}
  var facts: [(name: String, value: String)] { [] }
  var nextDeadline: Instant? { nil }
  private(set) var taken: [UInt32] = []
  private(set) var held: Set<UInt32> = []
  private(set) var forgotten: [UInt32] = []
  private var news: [UplinkNews] = []
  /// Hands everything back as soon as it comes.
  var refusesAll = false

  init(_ name: String) { self.name = name }

  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {}
  func stop() {}
  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  func advance(to now: Instant) {}

  func take(_ packet: OutgoingPacket, at now: Instant) {
    taken.append(packet.sequence)
    held.insert(packet.sequence)
    if refusesAll { handBack(packet.sequence) }
  }
  func forget(_ sequence: UInt32) {
    forgotten.append(sequence)
    held.remove(sequence)
  }
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }

  func tell(_ item: UplinkNews) {
    news.append(item)
    onNews()
  }
  func deliver(_ sequence: UInt32) {
    held.remove(sequence)
    tell(.delivered(sequence: sequence))
  }
  func handBack(_ sequence: UInt32) {
    held.remove(sequence)
    tell(.undelivered(sequence: sequence, reason: "\(name) says no"))
  }
  func fail() { state = .failed(reason: "down", retryAt: nil) }
}

/// A way that keeps what it gets.
private final class PacketWay: Uplink {
  let name = "kept"
  let state = UplinkState.idle
  var onNews: () -> Void = {}
  var facts: [(name: String, value: String)] { [] }
  var nextDeadline: Instant? { nil }
  private(set) var packets: [OutgoingPacket] = []
  private(set) var times: [Instant] = []
  func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {}
  func stop() {}
  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}
  func advance(to now: Instant) {}
  func take(_ packet: OutgoingPacket, at now: Instant) {
    packets.append(packet)
    times.append(now)
  }
  func forget(_ sequence: UInt32) {}
  func nextNews() -> UplinkNews? { nil }
}

@Suite struct UplinkChainTests {
  private let ways = [ScriptedUplink("a"), ScriptedUplink("b"), ScriptedUplink("c")]

  private func chain(_ count: Int = 2) -> UplinkChain {
    UplinkChain(Array(ways[..<count]), fallbackAfter: .seconds(20))
  }

  private func acknowledgements(_ chain: UplinkChain) -> [UInt32] {
    var all: [UInt32] = []
    while let next = chain.nextAcknowledgement() { all.append(next) }
    return all
  }

  @Test func aPacketGoesOnTheFirstOpenWayAndItsAcknowledgementClearsIt() {
    let chain = chain()
    chain.take(sequence: 7, kind: .location, bytes: [1], at: .seconds(1))
    #expect(ways[0].taken == [7] && ways[1].taken == [])
    #expect(acknowledgements(chain) == [])
    ways[0].deliver(7)
    #expect(chain.nextDeadline == .seconds(1))
    chain.advance(to: .seconds(2))
    #expect(acknowledgements(chain) == [7])
    #expect(chain.count == 0 && chain.nextDeadline == nil)
  }

  @Test func withoutAnOpenWayTheFirstThatHasNotFailedGetsItElseTheFirst() {
    let chain = chain(3)
    ways[0].fail()
    ways[1].state = .idle
    ways[2].state = .opening
    chain.take(sequence: 1, kind: .location, bytes: [1], at: .zero)
    #expect(ways[1].taken == [1])
    ways[2].state = .open
    chain.take(sequence: 2, kind: .location, bytes: [1], at: .zero)
    #expect(ways[2].taken == [2])
    for way in ways { way.fail() }
    chain.take(sequence: 3, kind: .location, bytes: [1], at: .zero)
    #expect(ways[0].taken == [3])
  }

  @Test(arguments: [(PacketKind.location, 20), (.status, 20), (.movement, 5)])
  func whatIsNotAcknowledgedInTimeGoesOnTheNextWayToo(kind: PacketKind, seconds: Int) {
    let chain = chain(3)
    chain.take(sequence: 7, kind: kind, bytes: [1], at: .seconds(100))
    #expect(chain.nextDeadline == .seconds(100 + seconds))
    chain.advance(to: .seconds(100 + seconds) - Interval(microseconds: 1))
    #expect(ways[1].taken == [])
    chain.advance(to: .seconds(100 + seconds))
    #expect(ways[1].taken == [7] && ways[0].held == [7])
    chain.advance(to: .seconds(100 + 2 * seconds))
    #expect(ways[2].taken == [7])
    // All have it: there is nothing more to do but wait.
    #expect(chain.nextDeadline == nil)
    ways[1].deliver(7)
    chain.advance(to: .seconds(300))
    #expect(acknowledgements(chain) == [7])
    #expect(ways[0].forgotten == [7] && ways[2].forgotten == [7] && ways[1].forgotten == [])
  }

  @Test func aWayThatFailsHandsOnWhatItHasAtOnce() {
    let chain = chain()
    chain.take(sequence: 1, kind: .location, bytes: [1], at: .zero)
    ways[0].fail()
    chain.advance(to: .seconds(1))
    #expect(ways[1].taken == [1])
    // The failed way goes on trying, and may win.
    ways[0].state = .open
    ways[0].deliver(1)
    chain.advance(to: .seconds(2))
    #expect(acknowledgements(chain) == [1] && ways[1].forgotten == [1])
  }

  @Test func aBetterWayThatComesBackGetsWhatIsNew() {
    let chain = chain()
    ways[0].fail()
    chain.take(sequence: 1, kind: .location, bytes: [1], at: .zero)
    #expect(ways[1].taken == [1])
    ways[0].state = .open
    chain.take(sequence: 2, kind: .location, bytes: [1], at: .seconds(1))
    #expect(ways[0].taken == [2])
  }

  @Test func whatAllHandBackIsTriedAgainAfterAWhile() {
    let chain = chain()
    for way in ways { way.refusesAll = true }
    chain.take(sequence: 1, kind: .location, bytes: [1], at: .zero)
    chain.advance(to: .zero)
    #expect(ways[0].taken == [1] && ways[1].taken == [1])
    #expect(chain.refusals == ["a says no", "b says no"])
    #expect(chain.nextDeadline == .seconds(20))
    ways[0].refusesAll = false
    chain.advance(to: .seconds(20))
    #expect(ways[0].taken == [1, 1])
    ways[0].deliver(1)
    chain.advance(to: .seconds(21))
    #expect(acknowledgements(chain) == [1])
  }

  @Test func roundsOfWhatNobodyTakesGrowLonger() {
    let chain = chain(1)
    ways[0].refusesAll = true
    chain.take(sequence: 1, kind: .location, bytes: [1], at: .zero)
    chain.advance(to: .zero)
    var before = Instant.zero
    for wait in [20, 40, 80, 160, 320, 640, 640, 640] {
      #expect(chain.nextDeadline == before + .seconds(wait))
      before = before + .seconds(wait)
      chain.advance(to: before)
    }
    #expect(ways[0].taken.count == 9)
  }

  @Test func packetsThatTheTrackerGaveUpAreForgottenEverywhere() {
    let chain = chain()
    for sequence in UInt32(1)...5 {
      chain.take(sequence: sequence, kind: .location, bytes: [1], at: .zero)
    }
    chain.keepOnly { $0 == 2 || $0 == 5 }
    #expect(chain.count == 2)
    #expect(ways[0].forgotten.sorted() == [1, 3, 4])
    chain.keepOnly { _ in true }
    #expect(chain.count == 2)
  }

  @Test func aWayThatHandedBackGetsItAgainWhileAnotherTriesInVain() {
    let chain = chain()
    chain.take(sequence: 1, kind: .location, bytes: [1], at: .zero)
    ways[0].handBack(1)
    ways[1].state = .opening
    chain.advance(to: .zero)
    #expect(ways[1].held == [1])
    chain.advance(to: .seconds(20))
    chain.advance(to: .seconds(40))
    #expect(ways[0].held == [1] && ways[1].held == [1])
  }

  @Test func aPacketGivenAgainIsNotGivenOn() {
    let chain = chain()
    chain.take(sequence: 1, kind: .location, bytes: [1], at: .zero)
    chain.take(sequence: 1, kind: .location, bytes: [1], at: .seconds(1))
    #expect(ways[0].taken == [1])
  }

  @Test func lateAndUnknownAcknowledgementsAreToldOnce() {
    let chain = chain()
    chain.take(sequence: 1, kind: .movement, bytes: [1], at: .zero)
    chain.advance(to: .seconds(5))
    ways[1].deliver(1)
    ways[0].tell(.delivered(sequence: 1))
    ways[0].tell(.delivered(sequence: 99))
    ways[1].tell(.delivered(sequence: 99))
    chain.advance(to: .seconds(6))
    #expect(acknowledgements(chain) == [1, 99])
    #expect(chain.lateCount == 2)
    // Numbers are free again once the tracker uses them.
    chain.take(sequence: 99, kind: .location, bytes: [1], at: .seconds(7))
    ways[0].deliver(99)
    chain.advance(to: .seconds(8))
    #expect(acknowledgements(chain) == [99])
  }

  /// A second acknowledgement is told apart as long as it is among the last 256.
  @Test func acknowledgementsAreRememberedForTheLastTwoHundredAndFiftySix() {
    let chain = chain()
    for sequence in UInt32(0)..<257 { ways[0].tell(.delivered(sequence: sequence)) }
    chain.advance(to: .seconds(1))
    #expect(acknowledgements(chain) == Array(0..<257) && chain.lateCount == 0)
    ways[1].tell(.delivered(sequence: 1))
    chain.advance(to: .seconds(2))
    #expect(acknowledgements(chain) == [] && chain.lateCount == 1)
    ways[1].tell(.delivered(sequence: 0))
    chain.advance(to: .seconds(3))
    #expect(acknowledgements(chain) == [0] && chain.lateCount == 1)
  }

  @Test func refusalsAreKeptByWayAndCountsAreThoseOfWhatHappened() {
    let chain = chain(3)
    chain.take(sequence: 1, kind: .location, bytes: [1], at: .zero)
    #expect(chain.refusals == [nil, nil, nil] && chain.fallbackCount == 0)
    ways[0].handBack(1)
    chain.advance(to: .zero)
    #expect(chain.refusals == ["a says no", nil, nil] && chain.fallbackCount == 1 && ways[1].taken == [1])
    ways[1].handBack(1)
    chain.advance(to: .zero)
    #expect(chain.refusals == ["a says no", "b says no", nil] && chain.fallbackCount == 2 && ways[2].taken == [1])
    // What was handed back by somebody who does not have it is no news for the packet.
    ways[0].tell(.undelivered(sequence: 1, reason: "late"))
    ways[0].tell(.undelivered(sequence: 77, reason: "unknown"))
    chain.advance(to: .seconds(1))
    #expect(chain.refusals[0] == "unknown" && chain.fallbackCount == 2 && ways[2].held == [1])
  }

  /// The packet that a way gets is the one that was taken, whatever way it is.
  @Test func thePacketItselfGoesOnEachWay() throws {
    let chain = chain()
    let packets = PacketWay()
    let both = UplinkChain([ways[0], packets], fallbackAfter: .seconds(3))
    both.take(sequence: 9, kind: .parking, bytes: [1, 2, 3], at: .seconds(1))
    both.advance(to: .seconds(4))
    #expect(packets.packets == [OutgoingPacket(sequence: 9, kind: .parking, bytes: [1, 2, 3])])
    #expect(packets.times == [.seconds(4)])
    #expect(chain.count == 0)
  }

  @Test func requestsSentencesAndFixesAreHandedOn() {
    let chain = chain()
    var sentences: [[UInt8]] = []
    var fixes = 0
    var calls = 0
    chain.onSentences = { sentences.append($0) }
    chain.onFix = { _ in fixes += 1 }
    chain.onNews = { calls += 1 }
    ways[0].tell(.request([1, 2]))
    ways[1].tell(.sentences([3]))
    ways[1].tell(.fix(GNSSFix(time: .zero)))
    #expect(calls == 3)
    chain.advance(to: .seconds(1))
    #expect(chain.nextRequest() == [1, 2] && chain.nextRequest() == nil)
    #expect(sentences == [[3]] && fixes == 1)
  }

  /// Every order of what can happen to one packet on two ways, five events long.
  @Test func inEveryOrderNothingIsLostAndNothingIsInvented() {
    let events = 9
    for code in 0..<59_049 {
      let a = ScriptedUplink("a")
      let b = ScriptedUplink("b")
      let both = [a, b]
      let chain = UplinkChain(both, fallbackAfter: .seconds(20))
      var now = Instant.zero
      var told = 0
      var isDelivered = false
      chain.take(sequence: 1, kind: .movement, bytes: [1], at: now)
      var rest = code
      for _ in 0..<5 {
        let event = rest % events
        rest /= events
        let way = both[event % 2]
        switch event {
        case 0, 1:
          // Also late: a way that was told to forget it had sent it already.
          guard way.taken.contains(1) else { continue }
          way.deliver(1)
          isDelivered = true
        case 2, 3: if way.held.contains(1) { way.handBack(1) }
        case 4, 5: way.fail()
        case 6, 7: way.state = .open
        default: now = now + .seconds(5)
        }
        chain.advance(to: now)
        while chain.nextAcknowledgement() != nil { told += 1 }
        guard told == (isDelivered ? 1 : 0) else {
          Issue.record("order \(code): told \(told) times")
          return
        }
        // In somebody's hands, or about to be.
        guard isDelivered || !a.held.isEmpty || !b.held.isEmpty || chain.nextDeadline != nil else {
          Issue.record("order \(code): lost")
          return
        }
        guard !isDelivered || (a.held.isEmpty && b.held.isEmpty) else {
          Issue.record("order \(code): still held after it was delivered")
          return
        }
      }
      guard !isDelivered else { continue }
      // When all is well again every way has it within two rounds.
      a.state = .open
      b.state = .open
      for seconds in [20, 20, 40, 40] {
        now = now + .seconds(seconds)
        chain.advance(to: now)
      }
      guard a.held == [1], b.held == [1] else {
        Issue.record("order \(code): not on both ways in the end")
        return
      }
    }
  }
}
