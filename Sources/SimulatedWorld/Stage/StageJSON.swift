import FaultInjection
import ModemSimulation
import Quantities
import Telemetry
import TrackerRuntime

extension LifeStage {
  /// A fault to be dropped in by hand.
  package struct Choice: Sendable {
    /// As it is asked for and shown.
    package let name: String
    /// What happens.
    package let fault: LifeFault
  }

  /// Faults that can be dropped in.
  package static let choices: [Choice] = {
    let cuts: [LifeFault] = [
      .power(PowerCut(off: .seconds(10), loss: .nothing, changesBefore: nil, takesModem: false)),
      .power(PowerCut(off: .seconds(10), loss: .torn, changesBefore: 0, takesModem: false)),
      .power(PowerCut(off: .seconds(300), loss: .unsettled, changesBefore: nil, takesModem: true)),
    ]
    let network: [LifeFault] = [
      .outage(.seconds(60)), .outage(.seconds(900)), .mishap(.loseAnswer), .mishap(.loseRequest),
    ]
    let sensors: [LifeFault] = SensorFault.allCases.map { .sensor($0, lasting: .seconds(60)) }
    let servers: [LifeFault] = ServerFault.allCases.map { .server($0, lasting: .seconds(300)) }
    let texts: [LifeFault] = [
      .text("ping", .owner), .text("locate", .owner), .text("alerts off", .forger), .text("disarm", .stranger),
    ]
    let modem: [LifeFault] = ModemFault.all.map { .modem($0) }
    let line: [LifeFault] = [.line(to: .none, from: .rough, lasting: .seconds(120))]
    return (cuts + network + sensors + servers + texts + line + modem).map { Choice(name: $0.name, fault: $0) }
  }()

  /// Everything that a page needs to show it.
  ///
  /// - Parameters:
  ///   - entry: Entries and places with a number up to this one are left out; those of another generation are all there.
  ///   - place: The same for places.
  ///   - generation: The one that the reader knows.
  ///   - playing: How fast it goes on, times real time; 0 when it is held.
  ///   - goal: Where it is on its way to; nil when it is there.
  package func json(after entry: Int, places place: Int, of generation: Int, playing: Double, goal: Instant?) -> [UInt8]
  {
    let isKnown = generation == self.generation
    var buffer: [UInt8] = []
    func text(_ text: String) { buffer += text.utf8 }
    func number(_ value: Double, _ name: String) { text(",\"\(name)\":\(value.isFinite ? "\(value)" : "null")") }
    text("{\"generation\":\(self.generation),\"now\":\(now.secondsDouble),\"end\":\(end.secondsDouble)")
    text(",\"isOver\":\(isOver),\"speed\":\(playing),\"goal\":\(goal.map { "\($0.secondsDouble)" } ?? "null")")
    text(",\"seed\":\"\(scenario.seed)\",\"deed\":\"\(deedName)\",\"broken\":\(broken.count)")
    text(",\"name\":")
    buffer += StageEntry.quoted(scenario.name)
    if let place = truePosition {
      text(",\"truth\":[\(Double(place.latitudeE9) / 1e9),\(Double(place.longitudeE9) / 1e9)]")
    }
    if let tracker {
      text(",\"tracker\":{\"phase\":\"\(tracker.phase.name)\",\"isArmed\":\(tracker.isArmed)")
      number(tracker.distance, "odometer")
      text(",\"alert\":\(tracker.look { $0.lastAlert }),\"waiting\":\(tracker.look { $0.outbox.count })")
      if let fix = tracker.lastFix, let place = fix.position {
        text(",\"fix\":[\(Double(place.latitudeE9) / 1e9),\(Double(place.longitudeE9) / 1e9)]")
        if let accuracy = fix.horizontalAccuracy { number(accuracy, "accuracy") }
        number((tracker.now - fix.time).secondsDouble, "age")
      }
      text("}")
    }
    text(",\"entries\":[")
    var isFirst = true
    for item in entries where !isKnown || item.number > entry {
      text("\(isFirst ? "" : ",")[\(item.number),\(item.time.secondsDouble),\"\(item.kind.rawValue)\",")
      buffer += item.json
      text("]")
      isFirst = false
    }
    text("],\"places\":[")
    isFirst = true
    for item in places where !isKnown || item.number > place {
      text("\(isFirst ? "" : ",")[\(item.number),\(item.time.secondsDouble),\(item.latitude),\(item.longitude)")
      text(item.phase.map { ",\"\($0)\"]" } ?? "]")
      isFirst = false
    }
    text("]")
    if !isKnown {
      text(",\"timeline\":[")
      for (number, event) in scenario.truth.enumerated() {
        text("\(number == 0 ? "" : ",")[\(event.from.secondsDouble),\(event.until.secondsDouble),\"\(event.kind)\",")
        buffer += StageEntry.quoted(event.words)
        text("]")
      }
      text("],\"faults\":[")
      for (number, choice) in LifeStage.choices.enumerated() {
        if number > 0 { text(",") }
        buffer += StageEntry.quoted(choice.name)
      }
      text("],\"thieves\":[\(StageThief.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]")
    }
    text("}")
    return buffer
  }
}
