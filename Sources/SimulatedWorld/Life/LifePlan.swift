import FaultInjection
import ModemSimulation
import Quantities

/// What goes wrong in a life, in the order of time.
package struct LifePlan: Equatable, Sendable {
  /// All of it.
  package var events: [LifeEvent] = []

  /// Nothing goes wrong.
  package init() {}

  /// A plan of these.
  package init(_ events: [LifeEvent]) { self.events = events.sorted { $0.time < $1.time } }

  /// A plan drawn from a seed.
  ///
  /// Each class is left out by one seed in four; of the others about one fault an hour happens, and two messages of the owner a day.
  ///
  /// - Parameters:
  ///   - length: Of the life; nothing happens in its last hour, so that what waits can arrive.
  ///   - classes: What may go wrong.
  package static func drawn(seed: UInt64, length: Interval, classes: Set<FaultClass>) -> LifePlan {
    var dice = Dice(seed: seed ^ 0x6C69_6665)
    let end = max(1, length.microseconds - 3_600_000_000)
    func moment() -> Instant { Instant(microseconds: Int64(dice.next() % UInt64(end))) }
    var events: [LifeEvent] = []
    for kind in FaultClass.allCases where kind != .servers && kind != .wheel {
      // Drawn for all, so that leaving one out does not change the others.
      let isOn = dice.below(4) != 0 && classes.contains(kind)
      let count = 1 + Int(end / 5_000_000_000)
      for _ in 0..<min(count, 400) {
        let fault = LifePlan.fault(kind, &dice)
        let time = moment()
        if isOn, let fault { events.append(LifeEvent(fault, at: time)) }
      }
    }
    for _ in 0..<(1 + Int(end / 43_200_000_000)) {
      events.append(LifeEvent(.text(dice.pick(ownersWords), .owner), at: moment()))
    }
    return LifePlan(events + serverFaults(seed: seed, length: length, isOn: classes.contains(.servers)))
  }

  /// A plan of many days: each class has about one, four or twelve faults a day in this life, or none in one life of four.
  ///
  /// The faults of a day depend on the seed and its number alone: a longer life begins as a shorter one of the same seed, but for the last
  /// hour of that, in which nothing happens.
  ///
  /// - Parameter pace: On calm days each fault of these happens with one chance in eight; none of the classes is left out then.
  static func drawn(days count: Int, seed: UInt64, pace: LifePace = .busy, classes: Set<FaultClass>) -> LifePlan {
    var dice = Dice(seed: seed ^ 0x7261_7465)
    let isCalm = pace == .calm
    let rates = FaultClass.allCases.map { _ in (isOn: dice.below(4) != 0 || isCalm, count: dice.pick([1, 4, 12])) }
    var events: [LifeEvent] = []
    for day in 0..<count {
      var dice = Dice(seed: seed ^ 0x706C_616E &+ UInt64(day) &* 0x9E37_79B9_7F4A_7C15)
      // Of a day's own, as all else: a longer life begins as a shorter one.
      var rare = Dice(seed: seed ^ 0x7261_7265 &+ UInt64(day) &* 0x9E37_79B9_7F4A_7C15)
      func happens() -> Bool { rare.below(8) == 0 }
      func moment() -> Instant {
        Instant.seconds(86_400 * day) + Interval(microseconds: Int64(dice.next() % 86_400_000_000))
      }
      for (kind, rate) in zip(FaultClass.allCases, rates) where kind != .wheel {
        // Of each kind as many draws, whatever its rate.
        for number in 0..<12 {
          let fault = kind == .servers ? serverFault(&dice) : fault(kind, &dice)
          let time = moment()
          guard rate.isOn, number < rate.count, classes.contains(kind), let fault, !isCalm || happens() else {
            continue
          }
          events.append(LifeEvent(fault, at: time))
        }
      }
      for _ in 0..<(isCalm ? 1 : 2) { events.append(LifeEvent(.text(dice.pick(ownersWords), .owner), at: moment())) }
      // Behind all others, which were there before.
      for number in 0..<12 {
        let fault = wheelFault(&dice)
        let time = moment()
        let rate = rates[rates.count - 1]
        guard rate.isOn, number < rate.count, classes.contains(.wheel), !isCalm || happens() else { continue }
        events.append(LifeEvent(fault, at: time))
      }
    }
    let end = Instant.seconds(86_400 * count - 3600)
    return LifePlan(
      events.compactMap { event in
        guard event.time < end else { return nil }
        guard case .server(let fault, let length) = event.fault else { return event }
        return LifeEvent(.server(fault, lasting: min(length, end - event.time)), at: event.time)
      })
  }

  static func wheelFault(_ dice: inout Dice) -> LifeFault {
    .wheel(dice.pick(WheelFault.allCases), lasting: .seconds(1 + dice.below(dice.pick([60, 1800, 14_400]))))
  }

  static func serverFault(_ dice: inout Dice) -> LifeFault {
    let fault = dice.pick(ServerFault.allCases)
    return .server(fault, lasting: .seconds(1 + dice.below(dice.pick([60, 1800, 14_400]))))
  }

  /// Those of the second server: with dice of their own, so that the days of before they were thought of are the same. It may be away
  /// for hours, and once in a while to the last hour.
  private static func serverFaults(seed: UInt64, length: Interval, isOn: Bool) -> [LifeEvent] {
    var dice = Dice(seed: seed ^ 0x7365_7276)
    let end = max(1, length.microseconds / 1_000_000 - 3600)
    guard isOn, dice.below(4) != 0 else { return [] }
    return (0..<(1 + dice.below(3))).map { _ in
      let fault = dice.pick(ServerFault.allCases)
      let time = dice.below(Int(end))
      let longest = dice.pick([60, 1800, 14_400])
      let seconds = min(1 + dice.below(longest), max(1, Int(end) - time))
      return LifeEvent(.server(fault, lasting: .seconds(seconds)), at: .seconds(time))
    }
  }

  /// Nothing in them changes what is told of a theft.
  private static let ownersWords = [
    "ping", "locate", "info", "get motion.armAfter", "set reports.distance 400", "track 60 300",
  ]

  /// A fault of a class; nil for those of the second server and of the wheel, which are drawn apart.
  static func fault(_ kind: FaultClass, _ dice: inout Dice) -> LifeFault? {
    switch kind {
    case .servers, .wheel: return nil
    case .modem: return .modem(FaultCampaign.drawnFault(&dice))
    case .line:
      // Nothing between a serial port and a server could tell a packet with a missing byte from a whole one.
      let isRough = dice.below(2) == 0
      return .line(
        to: .none,
        from: isRough
          ? .rough : LineFaultRates(lossPerMillion: 2000, stallPerMillion: 300, fragmentationPerMillion: 100_000),
        lasting: .seconds(10 + dice.below(900)))
    case .network:
      if dice.below(2) == 0 { return .outage(.seconds(1 + dice.below(1800))) }
      return .mishap(
        dice.pick([
          .refuse(.refused), .refuse(.timedOut), .refuse(.noSuchHost), .loseRequest, .loseAnswer, .dropBeforeHandling,
          .dropAfterHandling, .delay(.seconds(40)),
        ]))
    case .power:
      return .power(
        PowerCut(
          off: .seconds(1 + dice.below(dice.below(4) == 0 ? 3600 : 60)), loss: dice.pick(StoreLoss.allCases),
          changesBefore: dice.below(2) == 0 ? dice.below(4) : nil, takesModem: dice.below(2) == 0))
    case .strangers:
      return .text(
        dice.pick(["alerts off", "disarm", "found", "unclaim", "RDY", "OK", "dismiss 1", "set motion.tiltLimit 3"]),
        dice.pick([.echo, .forger, .stranger]))
    case .sensors:
      return .sensor(
        dice.pick(SensorFault.allCases), lasting: .seconds(1 + dice.below(dice.below(4) == 0 ? 1800 : 60)))
    }
  }
}
