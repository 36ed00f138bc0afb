import Delivery
import Quantities
import Telemetry
import TestSupport
import Testing

@Suite struct DispatcherTests {
  @Test func aPacketGoesOnTheFirstOpenWayAndItsAcknowledgementClearsIt() {
    let scene = ScriptedWays(2)
    scene.take(7)
    #expect(scene.ways[0].taken == [7] && scene.ways[1].taken == [] && scene.acknowledged == [])
    #expect(scene.dispatcher.isHeld(7, by: 0) && !scene.dispatcher.isHeld(7, by: 1))
    scene.deliver(7, 0)
    #expect(scene.acknowledged == [7] && scene.dispatcher.count == 0 && scene.dispatcher.nextDeadline == nil)
  }

  @Test func withoutAnOpenWayTheFirstThatHasNotFailedGetsItElseTheFirst() {
    let scene = ScriptedWays(3)
    scene.set(.failed, 0)
    scene.set(.idle, 1)
    scene.set(.opening, 2)
    scene.take(1)
    #expect(scene.ways[1].taken == [1])
    scene.set(.open, 2)
    scene.take(2)
    #expect(scene.ways[2].taken == [2])
    for way in 0..<3 { scene.set(.failed, way) }
    scene.take(3)
    #expect(scene.ways[0].taken == [3])
  }

  @Test(arguments: [(PacketKind.location, 20.0), (.status, 20), (.movement, 5)])
  func whatIsNotAcknowledgedInTimeGoesOnTheNextWayToo(kind: PacketKind, seconds: Double) {
    let scene = ScriptedWays(3)
    scene.advance(to: 100)
    scene.now = .seconds(100)
    scene.take(7, kind)
    #expect(scene.dispatcher.nextDeadline == .seconds(100) + Interval(microseconds: Int64(seconds * 1e6)))
    scene.advance(to: 100 + seconds - 0.000001)
    #expect(scene.ways[1].taken == [])
    scene.advance(to: 100 + seconds)
    #expect(scene.ways[1].taken == [7] && scene.ways[0].held == [7])
    scene.advance(to: 100 + 2 * seconds)
    #expect(scene.ways[2].taken == [7] && scene.dispatcher.counts.fallbacks == 2)
    // All have it: there is nothing more to do but wait.
    #expect(scene.dispatcher.nextDeadline == nil && scene.dispatcher.attempts(of: 7) == 3)
    scene.deliver(7, 1)
    #expect(scene.acknowledged == [7])
    #expect(scene.ways[0].forgotten == [7] && scene.ways[2].forgotten == [7] && scene.ways[1].forgotten == [])
  }

  @Test func aWayThatFailsHandsOnWhatItHasAtOnce() {
    let scene = ScriptedWays(2)
    scene.take(1)
    scene.set(.failed, 0)
    #expect(scene.ways[1].taken == [1])
    // The failed way goes on trying, and may win.
    scene.set(.open, 0)
    scene.deliver(1, 0)
    #expect(scene.acknowledged == [1] && scene.ways[1].forgotten == [1])
    // Where the other has failed, too, nothing is gained.
    scene.set(.failed, 1)
    scene.take(2)
    scene.set(.failed, 0)
    #expect(scene.ways[1].taken == [1])
  }

  @Test func aBetterWayThatComesBackGetsWhatIsNew() {
    let scene = ScriptedWays(2)
    scene.set(.failed, 0)
    scene.take(1)
    #expect(scene.ways[1].taken == [1])
    scene.set(.open, 0)
    scene.take(2)
    #expect(scene.ways[0].taken == [2])
  }

  /// What a port has in hand can't be overtaken by what is newer; what waits can.
  @Test func aWayThatHasFailedGetsOneReportAtATimeUntilItDelivers() {
    let scene = ScriptedWays([DeliveryWay(port: 0, capacity: 4)])
    scene.set(.failed, 0)
    for sequence in 1...5 as ClosedRange<UInt32> { scene.take(sequence) }
    #expect(scene.ways[0].taken == [1])
    // What is more urgent is not held up by it.
    scene.take(6, .status)
    scene.take(7, .movement)
    #expect(scene.ways[0].taken == [1, 6, 7])
    for state in [WayState.opening, .open] { scene.set(state, 0) }
    #expect(scene.ways[0].taken == [1, 6, 7], "that it is open again says nothing of what it delivers")
    scene.deliver(1, 0)
    #expect(scene.ways[0].taken == [1, 6, 7, 2, 3], "it has room for four")
    // One that never failed takes what there is room for.
    let other = ScriptedWays([DeliveryWay(port: 0, capacity: 4)])
    for state in [WayState.idle, .opening, .open] { other.set(state, 0) }
    for sequence in 1...5 as ClosedRange<UInt32> { other.take(sequence) }
    #expect(other.ways[0].taken == [1, 2, 3, 4])
  }

  /// After an outage each would come at the end of its own wait, the newest before the oldest.
  @Test func whatAWayHandedBackGoesInOrderOnceItWorksAgain() {
    let scene = ScriptedWays([DeliveryWay(port: 0)])
    scene.ways[0].refusesAll = true
    scene.set(.failed, 0)
    for sequence in 1...6 as ClosedRange<UInt32> {
      scene.take(sequence)
      scene.advance(to: Double(sequence) * 2)
    }
    scene.ways[0].refusesAll = false
    scene.take(7)
    #expect(scene.ways[0].held == [7])
    scene.deliver(7, 0)
    for sequence in 1...6 as ClosedRange<UInt32> {
      #expect(scene.ways[0].held == [sequence])
      scene.deliver(sequence, 0)
    }
    #expect(scene.dispatcher.count == 0)
  }

  /// A server that takes all but one packet is not asked about it after each of the others.
  @Test func whatIsRefusedForItselfIsTriedEarlyAFewTimesOnly() {
    let scene = ScriptedWays([DeliveryWay(port: 0)])
    scene.take(1)
    scene.handBack(1, 0)
    for sequence in 2...9 as ClosedRange<UInt32> {
      scene.set(.open, 0)
      scene.set(.failed, 0)
      scene.take(sequence)
      scene.deliver(sequence, 0)
      if scene.ways[0].held.contains(1) { scene.handBack(1, 0) }
    }
    #expect(scene.ways[0].taken.count { $0 == 1 } == 4)
  }

  /// What comes back from a spool was made before what waits.
  @Test func whatWasMadeFirstGoesFirstWhateverTheOrderInWhichItIsTaken() {
    let scene = ScriptedWays([DeliveryWay(port: 0)])
    for sequence in [9, 10, 3, 2, 11, 4] as [UInt32] { scene.take(sequence) }
    for sequence in [9, 2, 3, 4, 10, 11] as [UInt32] {
      #expect(scene.ways[0].held == [sequence])
      scene.deliver(sequence, 0)
    }
  }

  /// 30 s, then twice as long each time up to 600 s, and up to a quarter more.
  @Test(arguments: 1...10) func roundsOfWhatNobodyTakesGrowLonger(seed: UInt64) {
    let scene = ScriptedWays([DeliveryWay(port: 0)], seed: seed)
    scene.ways[0].refusesAll = true
    scene.take(1)
    var before = 0.0
    for wait in [30.0, 60, 120, 240, 480, 600, 600, 600] {
      let due = scene.dispatcher.nextDeadline?.secondsDouble ?? 0
      #expect(due - before >= wait && due - before < wait * 1.25)
      let count = scene.ways[0].taken.count
      scene.advance(to: due - 0.000001)
      #expect(scene.ways[0].taken.count == count)
      scene.advance(to: due)
      #expect(scene.ways[0].taken.count == count + 1)
      before = due
    }
    #expect(scene.dispatcher.counts.retries == 8)
    scene.ways[0].refusesAll = false
    scene.advance(to: 10_000)
    scene.deliver(1, 0)
    #expect(scene.acknowledged == [1])
  }

  @Test func theJitterIsThatOfTheSeed() {
    func waits(_ seed: UInt64) -> [Instant?] {
      let scene = ScriptedWays([DeliveryWay(port: 0)], seed: seed)
      scene.ways[0].refusesAll = true
      scene.take(1)
      return (0..<5).map { _ in
        scene.advance(to: scene.dispatcher.nextDeadline?.secondsDouble ?? 0)
        return scene.dispatcher.nextDeadline
      }
    }
    #expect(waits(4) == waits(4) && waits(4) != waits(5))
  }

  @Test func senselessParametersNeitherTrapNorSpin() {
    for (first, most) in [(Int64.max, Int64.max), (0, 0), (-5, -5), (1, Int64.max)] {
      var parameters = OutboxParameters()
      parameters.acknowledgementTimeout = Interval(microseconds: first)
      parameters.maximumTimeout = Interval(microseconds: most)
      parameters.window = -1
      let scene = ScriptedWays([DeliveryWay(port: 0, capacity: 0)], parameters: parameters)
      scene.ways[0].refusesAll = true
      scene.take(1)
      for _ in 0..<50 {
        guard let due = scene.dispatcher.nextDeadline else { break }
        #expect(due > scene.now)
        scene.advance(to: due.secondsDouble)
      }
      #expect(scene.ways[0].taken.count > 5)
    }
  }

  @Test func alertsGoFirstThenNoticesThenReportsEachInOrder() {
    let scene = ScriptedWays([DeliveryWay(port: 0)])
    scene.take(100, .movement)
    for (place, kind) in [PacketKind.location, .parking, .movement, .ride, .status, .movement, .location].enumerated() {
      scene.take(UInt32(place + 1), kind)
    }
    for next in [100, 3, 6, 2, 5, 1, 4, 7] as [UInt32] {
      #expect(scene.ways[0].held == [next])
      scene.deliver(next, 0)
    }
    #expect(scene.acknowledged == [100, 3, 6, 2, 5, 1, 4, 7] && scene.dispatcher.count == 0)
  }

  @Test func aPortHasNoMoreInHandThanItHoldsButAlertsWhereItTakesThem() {
    let scene = ScriptedWays([DeliveryWay(port: 0, capacity: 3, takesEveryAlert: true)])
    for sequence in UInt32(1)...5 { scene.take(sequence) }
    #expect(scene.ways[0].taken == [1, 2, 3])
    scene.take(6, .movement)
    #expect(scene.ways[0].taken == [1, 2, 3, 6] && scene.ways[0].roomAsked == 0)
    scene.deliver(6, 0)
    #expect(scene.ways[0].taken.count == 4)
    scene.deliver(2, 0)
    #expect(scene.ways[0].taken == [1, 2, 3, 6, 4])
  }

  @Test func aReportMakesRoomForAnAlertOnceAndGoesAgain() {
    let scene = ScriptedWays([DeliveryWay(port: 0)])
    scene.take(1)
    scene.take(2, .movement)
    scene.take(3, .movement)
    #expect(scene.ways[0].roomAsked == 1 && scene.ways[0].held == [1])
    scene.makeRoom(1, 0)
    #expect(scene.ways[0].held == [2] && scene.dispatcher.attempts(of: 1) == 0)
    // An alert makes no room for an alert.
    #expect(scene.ways[0].roomAsked == 1)
    scene.deliver(2, 0)
    scene.deliver(3, 0)
    #expect(scene.ways[0].held == [1] && scene.dispatcher.counts.fallbacks == 0)
    // It is asked again for the next.
    scene.take(4, .movement)
    #expect(scene.ways[0].roomAsked == 2)
  }

  @Test func anAlertThatFindsNoRoomTakesAnotherWayAfterAQuarterOfTheTime() {
    let scene = ScriptedWays([DeliveryWay(port: 0), DeliveryWay(port: 1, capacity: 2)])
    scene.take(1)
    scene.take(2, .movement)
    #expect(scene.ways[1].taken == [] && scene.dispatcher.nextDeadline == .seconds(5))
    scene.advance(to: 5)
    #expect(scene.ways[1].taken == [2])
    // A report waits as long as any.
    scene.take(3)
    scene.deliver(2, 1)
    scene.advance(to: 24.9)
    #expect(!scene.ways[1].taken.contains(3))
    scene.advance(to: 25)
    #expect(scene.ways[1].taken.contains(3))
  }

  /// The transports of a modem are ways through one port.
  @Test func waysThroughOnePortShareItsRoom() {
    let scene = ScriptedWays([DeliveryWay(receiver: 0, port: 3), DeliveryWay(receiver: 1, port: 3)])
    scene.take(1, .movement, for: [ReceiverSet(0), ReceiverSet(1)])
    #expect(scene.ways[0].held == [1] && scene.ways[1].held == [])
    scene.deliver(1, 0)
    #expect(scene.ways[1].held == [1] && scene.outcomes == ["1 to 0"])
    scene.deliver(1, 1)
    #expect(scene.outcomes == ["1 to 0", "1 to 1"])
  }

  @Test func everyReceiverGetsEveryPacketAndOneThatIsAwayHoldsUpNobody() {
    let scene = ScriptedWays([
      DeliveryWay(receiver: 0, port: 0, capacity: 4), DeliveryWay(receiver: 1, port: 1, capacity: 4),
    ])
    scene.set(.failed, 1)
    for sequence in UInt32(1)...20 {
      scene.take(sequence, for: [ReceiverSet(0), ReceiverSet(1)])
      scene.deliver(sequence, 0)
    }
    #expect(scene.outcomes == (1...20).map { "\($0) to 0" } && scene.ways[1].taken == [1])
    scene.set(.open, 1)
    for sequence in UInt32(1)...20 { scene.deliver(sequence, 1) }
    #expect(scene.outcomes.suffix(20) == (1...20).map { "\($0) to 1" })
    #expect(scene.ways[1].taken == Array(1...20) && scene.dispatcher.count == 0)
  }

  @Test func aFormThatCantCarryAPacketLeadsToTheNextWayAndIfNoneCanToAnEndThatIsNoAcknowledgement() {
    let scene = ScriptedWays(2)
    scene.ways[0].cantCarry = PacketKindSet(.ride)
    scene.take(1, .ride)
    #expect(scene.ways[0].taken == [] && scene.ways[1].taken == [1] && scene.dispatcher.attempts(of: 1) == 1)
    scene.deliver(1, 1)
    scene.ways[1].cantCarry = PacketKindSet(.ride)
    scene.take(2, .ride)
    #expect(scene.outcomes == ["1 to 0", "2 never to 0"] && scene.acknowledged == [1])
    #expect(scene.dispatcher.counts.uncarried == 3 && scene.dispatcher.count == 0)
    // A way that could, but is away, is waited for.
    scene.ways[1].cantCarry = []
    scene.ways[1].refusesAll = true
    scene.take(3, .ride)
    #expect(scene.outcomes.count == 2 && scene.dispatcher.count == 1 && scene.dispatcher.nextDeadline != nil)
  }

  @Test func whatNobodyCanCarryToYetWaitsForAWay() {
    let scene = ScriptedWays([])
    scene.take(1)
    #expect(scene.outcomes == [] && scene.dispatcher.count == 1)
  }

  @Test func aPacketOfSeveralMessagesIsDoneWithTheLast() {
    let scene = ScriptedWays(2)
    scene.ways[0].partCount = 3
    scene.take(5)
    scene.deliver(5, 0)
    #expect(scene.ways[0].parts == [0, 1] && scene.acknowledged == [])
    scene.deliver(5, 0)
    #expect(scene.ways[0].parts == [0, 1, 2] && scene.acknowledged == [])
    scene.deliver(5, 0)
    #expect(scene.acknowledged == [5])
    // On another way it begins anew, and what the first tells late of a part is of no use.
    scene.take(6)
    scene.deliver(6, 0)
    scene.handBack(6, 0)
    #expect(scene.ways[1].taken == [6] && scene.ways[1].parts == [0])
    scene.dispatcher.delivered(6, on: 0, at: scene.now)
    scene.run()
    #expect(scene.acknowledged == [5] && scene.dispatcher.counts.unexpected == 1)
    scene.deliver(6, 1)
    #expect(scene.acknowledged == [5, 6])
  }

  @Test func packetsThatWereGivenUpAreForgottenEverywhere() {
    let scene = ScriptedWays(2)
    for sequence in UInt32(1)...5 { scene.take(sequence) }
    scene.dispatcher.keepOnly { $0 == 2 || $0 == 5 }
    scene.run()
    #expect(scene.dispatcher.count == 2 && scene.ways[0].forgotten.sorted() == [1, 3, 4])
    scene.dispatcher.drop(2)
    scene.run()
    #expect(scene.dispatcher.count == 1 && scene.ways[0].forgotten.last == 2 && scene.outcomes == [])
  }

  @Test func lateAndUnknownAcknowledgementsAreCounted() {
    let scene = ScriptedWays(2)
    scene.take(1, .movement)
    scene.advance(to: 5)
    scene.deliver(1, 1)
    scene.deliver(1, 0)
    scene.deliver(99, 0)
    #expect(scene.acknowledged == [1] && scene.dispatcher.counts.unexpected == 2)
    // One that was handed back and arrived all the same has arrived.
    scene.take(2)
    scene.handBack(2, 0)
    scene.deliver(2, 0)
    #expect(scene.acknowledged == [1, 2] && scene.ways[1].forgotten == [2])
    // Numbers are free again.
    scene.take(99)
    scene.deliver(99, 0)
    #expect(scene.acknowledged == [1, 2, 99])
    scene.take(3)
    scene.take(3)
    #expect(scene.ways[0].taken.filter { $0 == 3 } == [3])
  }

  @Test func aHundredAndTwentyEightParcelsFindRoomAndOneMoreIsCounted() {
    let scene = ScriptedWays([DeliveryWay(port: 0)])
    for sequence in UInt32(1)...128 { scene.take(sequence) }
    #expect(scene.dispatcher.count == 128 && scene.dispatcher.counts.refused == 0)
    scene.take(129)
    #expect(scene.dispatcher.count == 128 && scene.dispatcher.counts.refused == 1)
    var isAdded = true
    for _ in 1..<8 where scene.dispatcher.add(DeliveryWay(port: 1)) == nil { isAdded = false }
    #expect(isAdded && scene.dispatcher.add(DeliveryWay(port: 1)) == nil && scene.dispatcher.wayCount == 8)
  }

  /// Every order of what can happen to one packet on two ways, five events long.
  @Test func inEveryOrderNothingIsLostAndNothingIsInvented() {
    let events = 9
    for code in 0..<59_049 {
      let scene = ScriptedWays(2)
      var isDelivered = false
      scene.take(1, .movement)
      var rest = code
      for _ in 0..<5 {
        let event = rest % events
        rest /= events
        let way = event % 2
        switch event {
        case 0, 1:
          // Also late: a way that was told to forget it had sent it already.
          guard scene.ways[way].taken.contains(1) else { continue }
          scene.deliver(1, way)
          isDelivered = true
        case 2, 3: if scene.ways[way].held.contains(1) { scene.handBack(1, way) }
        case 4, 5: scene.set(.failed, way)
        case 6, 7: scene.set(.open, way)
        default: scene.advance(to: scene.now.secondsDouble + 5)
        }
        guard scene.acknowledged.count == (isDelivered ? 1 : 0) else {
          Issue.record("order \(code): told \(scene.acknowledged.count) times")
          return
        }
        // In somebody's hands, or about to be.
        let isHeld = !scene.ways[0].held.isEmpty || !scene.ways[1].held.isEmpty
        guard isDelivered ? !isHeld : isHeld || scene.dispatcher.nextDeadline != nil else {
          Issue.record("order \(code): \(isDelivered ? "still held after it was delivered" : "lost")")
          return
        }
      }
      guard !isDelivered else { continue }
      // When all is well again every way has it within two rounds.
      scene.set(.open, 0)
      scene.set(.open, 1)
      for seconds in [40.0, 40, 80, 80] { scene.advance(to: scene.now.secondsDouble + seconds) }
      guard scene.ways[0].held == [1], scene.ways[1].held == [1] else {
        Issue.record("order \(code): not on both ways in the end")
        return
      }
    }
  }

  /// Three receivers, six ways of two ports each, whatever happens: in the end everybody has everything, and was told once.
  @Test(arguments: 1...40) func whateverTheWaysDoEverybodyGetsEverythingOnce(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let ways = (0..<6).map {
      DeliveryWay(
        receiver: UInt8($0 / 2), port: UInt8($0 % 4), capacity: UInt8(Int.random(in: 1...3, using: &random)),
        takesEveryAlert: Bool.random(using: &random))
    }
    let scene = ScriptedWays(ways, seed: seed)
    var wanted: Set<String> = []
    var next: UInt32 = 1
    for _ in 0..<400 {
      let way = Int.random(in: 0..<6, using: &random)
      let held = scene.ways[way].held.sorted().first
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where scene.dispatcher.count < 90:
        let receivers = ReceiverSet(rawValue: UInt8.random(in: 1...7, using: &random))
        for receiver in 0..<3 where receivers.contains(receiver) { wanted.insert("\(next) to \(receiver)") }
        scene.take(next, PacketKind.allCases.randomElement(using: &random) ?? .location, for: receivers)
        next += 1
      case 1, 2: if let held { scene.deliver(held, way) }
      case 3: if let held { scene.handBack(held, way) }
      case 4: if let held { scene.makeRoom(held, way) }
      case 5: scene.set(WayState(rawValue: UInt8.random(in: 0...3, using: &random)) ?? .open, way)
      default: scene.advance(to: scene.now.secondsDouble + Double.random(in: 0..<30, using: &random))
      }
      // No port has more than it holds, but alerts.
      for port in 0..<4 {
        let own = ways.indices.filter { ways[$0].port == UInt8(port) }
        if own.allSatisfy({ !ways[$0].takesEveryAlert }) {
          let most = own.map { Int(ways[$0].capacity) }.max() ?? 0
          #expect(own.reduce(0) { $0 + scene.ways[$1].held.count } <= most)
        }
      }
    }
    for way in 0..<6 { scene.set(.open, way) }
    var rounds = 0
    while scene.dispatcher.count > 0, rounds < 2000 {
      rounds += 1
      for way in 0..<6 { for sequence in scene.ways[way].held.sorted() { scene.deliver(sequence, way) } }
      if let due = scene.dispatcher.nextDeadline { scene.advance(to: due.secondsDouble) }
    }
    #expect(Set(scene.outcomes) == wanted && scene.outcomes.count == wanted.count, "seed \(seed)")
    #expect(scene.ways.allSatisfy { $0.held.isEmpty } && scene.dispatcher.nextDeadline == nil)
  }
}
