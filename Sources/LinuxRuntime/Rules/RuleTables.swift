import InlineStorage
import Rules
import Telemetry
import TrackerCore
import TrackerRuntime

/// One row of a table.
package struct RuleName: Hashable, Sendable, CustomStringConvertible {
  /// Which table.
  package var table: PacketRule.Table
  /// Its number.
  package var number: UInt8

  /// `fence 3`.
  package var description: String { "\(table.name) \(number)" }
}

/// Fences, secure places, alarms and the time zone: what a file holds, and what a tracker has.
package struct RuleTables: Equatable, Sendable {
  /// A fence, and whether it is one of those that must not be left.
  package struct FenceRow: Equatable, Sendable {
    /// Number, name and outline.
    package var outline: FenceOutline
    /// It must not be left.
    package var isActive = false
  }

  /// The time zone as POSIX writes it; nil where none is told.
  package var timeZone: String?
  /// Fences in their order; no two have one number.
  package var fences: [FenceRow] = []
  /// Places in their order.
  package var places: [PlaceOutline] = []
  /// Alarms in their order.
  package var alarms: [AlarmRule] = []

  /// Nothing.
  package init() {}

  /// What a tracker has.
  package init(_ tracker: borrowing Tracker) {
    let zone = tracker.alarmZone.string
    if !zone.isEmpty { timeZone = zone }
    for row in 0..<Tracker.ruleRows(.fence) {
      guard let status = tracker.fenceStatus(row: row),
        case .fence(.set(let outline))? = RuleTables.request(.fence, row, tracker)
      else { continue }
      fences.append(FenceRow(outline: outline, isActive: status.isActive))
    }
    for row in 0..<Tracker.ruleRows(.place) {
      if case .place(.set(let outline))? = RuleTables.request(.place, row, tracker) { places.append(outline) }
    }
    for row in 0..<Tracker.ruleRows(.alarm) {
      if case .alarm(.set(let rule))? = RuleTables.request(.alarm, row, tracker) { alarms.append(rule) }
    }
  }

  private static func request(_ table: PacketRule.Table, _ row: Int, _ tracker: borrowing Tracker) -> Request? {
    var text = ByteBuffer()
    text.append(table.name)
    guard tracker.encodeRule(table, row: row, into: &text) else { return nil }
    return Request(text: String(decoding: text.bytes, as: UTF8.self))
  }

  /// Those of a tracker with the zone that its alarms go by where none was set.
  package var withZone: RuleTables {
    var result = self
    result.timeZone = timeZone ?? "UTC0"
    return result
  }

  /// True when there is nothing in it, not even a zone.
  package var isEmpty: Bool { self == RuleTables() }

  /// The requests that make these tables.
  ///
  /// - Parameters:
  ///   - known: What the tracker has: what is there as it should be is not told again. Rows of other numbers stay.
  ///   - clears: Takes out first what is not here. The zone stays where none is told.
  package func requests(after known: RuleTables = RuleTables(), clears: Bool = false) -> [(
    rule: RuleName?, request: Request
  )] {
    var result: [(rule: RuleName?, request: Request)] = []
    // A fence can't go while an alarm depends on it: those go first, and come again if they are here.
    var remaining = known.alarms
    if clears {
      remaining.removeAll { alarm in
        let isGone = !alarms.contains { $0.number == alarm.number }
        let losesFence =
          known.fences.contains { $0.outline.number == alarm.fence }
          && !fences.contains { $0.outline.number == alarm.fence }
        guard isGone || losesFence else { return false }
        result.append((nil, .alarm(.delete(alarm.number))))
        return true
      }
      for fence in known.fences where !fences.contains(where: { $0.outline.number == fence.outline.number }) {
        result.append((nil, .fence(.delete(fence.outline.number))))
      }
      for place in known.places where !places.contains(where: { $0.number == place.number }) {
        result.append((nil, .place(.delete(place.number))))
      }
    }
    if let timeZone, timeZone != known.timeZone { result.append((nil, .zone(InlineBytes(text: timeZone)))) }
    for fence in fences {
      let number = fence.outline.number
      let before = known.fences.first { $0.outline.number == number }
      if before?.outline != fence.outline { result.append((RuleName(.fence, number), .fence(.set(fence.outline)))) }
    }
    // Those that must not be left first: there is no moment without any.
    for isOn in [true, false] {
      for fence in fences where fence.isActive == isOn {
        let number = fence.outline.number
        let wasActive = known.fences.first { $0.outline.number == number }?.isActive ?? false
        guard wasActive != isOn else { continue }
        result.append((RuleName(.fence, number), .fence(.enable(number, isOn: isOn))))
      }
    }
    for place in places where known.places.first(where: { $0.number == place.number }) != place {
      result.append((RuleName(.place, place.number), .place(.set(place))))
    }
    for alarm in alarms where remaining.first(where: { $0.number == alarm.number }) != alarm {
      result.append((RuleName(.alarm, alarm.number), .alarm(.set(alarm))))
    }
    return result
  }
}

extension RuleName {
  init(_ table: PacketRule.Table, _ number: UInt8) {
    self.table = table
    self.number = number
  }
}

extension InlineBytes {
  /// A text, or as much of it as there is room for.
  init(text: String) {
    self.init()
    for byte in text.utf8 { append(byte) }
  }

  /// The bytes as text.
  var string: String { span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
}
