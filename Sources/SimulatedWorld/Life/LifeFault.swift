import FaultInjection
import ModemSimulation
import Quantities

/// Kinds of faults in the life of a tracker; each seed leaves some out.
package enum FaultClass: String, CaseIterable, Sendable {
  /// The modem's own (`ModemFault`).
  case modem
  /// Bytes on the serial line, both ways.
  case line
  /// Connections, requests and answers between modem and servers, and times without any server.
  case network
  /// The tracker's supply.
  case power
  /// Text messages of people who have nothing to say to it.
  case strangers
  /// The inertial sensor and the receiver.
  case sensors
  /// The second server.
  case servers
}

/// What is left of the changes that were on their way to the storage when the power went.
package enum StoreLoss: String, CaseIterable, Sendable {
  /// All of them.
  case nothing
  /// The earlier half.
  case later
  /// None.
  case unsettled
}

/// A loss of the tracker's supply.
package struct PowerCut: Equatable, Sendable {
  /// How long it is off.
  package var off: Interval
  /// What becomes of changes under way.
  package var loss: StoreLoss
  /// Changes of the state that the tracker still begins to keep after the moment; the next one it does not. Nil: it goes at the moment.
  package var changesBefore: Int?
  /// True when the modem has the same supply.
  package var takesModem: Bool
}

/// Who writes a text message to the tracker.
package enum TextSender: String, CaseIterable, Sendable {
  /// The owner, who signs.
  case owner
  /// The owner's message once more, as somebody has heard it.
  case echo
  /// Somebody without the key, who signs with another.
  case forger
  /// Somebody who does not sign.
  case stranger
}

/// Something that goes wrong, or is asked, at an instant.
package enum LifeFault: Equatable, Sendable {
  /// A fault of the modem.
  case modem(ModemFault)
  /// The line between driver and modem is bad for a time.
  case line(to: LineFaultRates, from: LineFaultRates, lasting: Interval)
  /// No server can be reached for a time.
  case outage(Interval)
  /// The next such occasion goes wrong.
  case mishap(NetworkMishap)
  /// The supply goes.
  case power(PowerCut)
  /// A text message arrives.
  case text(String, TextSender)
  /// A sensor is out of order for a time.
  case sensor(SensorFault, lasting: Interval)
  /// The second server has a fault for a time.
  case server(ServerFault, lasting: Interval)

  /// The class; nil for a message of the owner.
  package var kind: FaultClass? {
    switch self {
    case .modem: .modem
    case .line: .line
    case .outage, .mishap: .network
    case .power: .power
    case .text(_, .owner): nil
    case .text: .strangers
    case .sensor: .sensors
    case .server: .servers
    }
  }

  /// In words, such as `modem freeze`.
  package var name: String {
    switch self {
    case .modem(let fault): "modem \(fault.name)"
    case .line(_, _, let lasting): "bad line for \(lasting.microseconds / 1_000_000) s"
    case .outage(let length): "no server for \(length.microseconds / 1_000_000) s"
    case .mishap(let mishap): "network \(mishap)"
    case .power(let cut):
      "no supply for \(cut.off.microseconds / 1_000_000) s\(cut.takesModem ? ", modem included" : ""), "
        + (cut.changesBefore.map { "at the \($0 + 1). change of the state after it, " } ?? "")
        + "lost of what was being kept: \(cut.loss.rawValue)"
    case .sensor(let fault, let length): "sensor \(fault.rawValue) for \(length.microseconds / 1_000_000) s"
    case .server(let fault, let length): "second server \(fault.rawValue) for \(length.microseconds / 1_000_000) s"
    case .text(let text, let sender): "text message of \(sender.rawValue): \(text)"
    }
  }
}

/// A fault and its instant.
package struct LifeEvent: Equatable, Sendable {
  /// When, on the world's clock.
  package var time: Instant
  /// What.
  package var fault: LifeFault

  /// A fault at an instant.
  package init(_ fault: LifeFault, at time: Instant) {
    self.time = time
    self.fault = fault
  }
}

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
    for kind in FaultClass.allCases where kind != .servers {
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

  /// A fault of a class; nil for those of the second server, which `serverFaults` draws.
  private static func fault(_ kind: FaultClass, _ dice: inout Dice) -> LifeFault? {
    switch kind {
    case .servers: return nil
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
