import Gear
import InlineStorage
import Quantities
import TrackerRuntime

/// The gear of a running tracker, for `leash gear`.
package struct GearStatus: Codable, Equatable, Sendable {
  /// A service counter.
  package struct Counter: Codable, Equatable, Sendable {
    /// Its name.
    package var name: String
    /// What it counts: `distance`, `moving` or `days`.
    package var counts: String
    /// How much it has counted since it was reset, m, s or days.
    package var value: Int64
    /// At how much it is due.
    package var due: Int64
    /// Whether it is due.
    package var isDue: Bool
  }

  /// The last change of a distance.
  package struct Change: Codable, Equatable, Sendable {
    /// The distance before, m.
    package var beforeMetres: Int64
    /// The distance after, m.
    package var afterMetres: Int64
    /// When; left out where the time was not known.
    package var utc: String?
    /// The number of the request; left out if it had none.
    package var request: UInt32?
  }

  /// A piece of gear.
  package struct Item: Codable, Equatable, Sendable {
    /// Its name.
    package var name: String
    /// What it is.
    package var kind: String
    /// Its UUID.
    package var uuid: String
    /// Who made it; left out where that was not told, as the next three.
    package var make: String?
    /// Its model.
    package var model: String?
    /// Its model year.
    package var year: Int?
    /// Its id at a service.
    package var id: String?
    /// Whether the tracker is on it.
    package var isPresent: Bool
    /// Its distance, m.
    package var distanceMetres: Int64
    /// Where the distance is from: `measured`, `imported` or `corrected`.
    package var source: String
    /// Time of its rides without stops, s.
    package var movingSeconds: Int64
    /// Its rides.
    package var rides: Int
    /// The last change of its distance by its owner.
    package var change: Change?
    /// Its counters.
    package var counters: [Counter]
  }

  /// A ride.
  package struct RiddenRide: Codable, Equatable, Sendable {
    /// Its number.
    package var number: UInt32
    /// The name of its gear; left out for none.
    package var gear: String?
    /// Its length, m.
    package var distanceMetres: Int64
    /// Its time without stops, s.
    package var movingSeconds: Int64
    /// When it began, s since 1970; left out where the time is not known.
    package var start: UInt32?
    /// When it ended, likewise.
    package var end: UInt32?
  }

  /// All gear, in the order of its rows.
  package var gear: [Item] = []
  /// The last rides, the oldest first.
  package var rides: [RiddenRide] = []

  /// The gear of a ledger.
  package init(_ ledger: borrowing GearLedger) {
    var names: [UInt16: String] = [:]
    for row in 0..<GearLedger.capacity {
      guard let gear = ledger.gear(in: row) else { continue }
      names[gear.number] = string(gear.name.span)
      self.gear.append(Item(gear, isPresent: ledger.isPresent(gear), on: ledger.today))
    }
    let first = UInt32(max(1, Int(ledger.lastRide) - GearLedger.rideCapacity + 1))
    for number in first..<max(first, ledger.lastRide + 1) {
      guard let ride = ledger.ride(number) else { continue }
      rides.append(
        RiddenRide(
          number: number, gear: names[ride.gear], distanceMetres: Int64(ride.metres), movingSeconds: Int64(ride.moving),
          start: ride.start > 0 ? ride.start : nil, end: ride.end > 0 ? ride.end : nil))
    }
  }
}

extension GearStatus.Item {
  fileprivate init(_ gear: Gear, isPresent: Bool, on today: Int32) {
    name = string(gear.name.span)
    kind = string(gear.kind.span)
    var text = ByteBuffer()
    gear.uuid.encode(into: &text)
    uuid = String(decoding: text.bytes, as: UTF8.self)
    make = gear.make.isEmpty ? nil : string(gear.make.span)
    model = gear.model.isEmpty ? nil : string(gear.model.span)
    year = gear.year > 0 ? Int(gear.year) : nil
    id = gear.serviceID.isEmpty ? nil : string(gear.serviceID.span)
    self.isPresent = isPresent
    distanceMetres = gear.distance
    source = "\(gear.source.word)"
    movingSeconds = gear.moving
    rides = Int(gear.rides)
    change = gear.change.map {
      GearStatus.Change(
        beforeMetres: $0.before, afterMetres: $0.after, utc: $0.second > 0 ? iso($0.second) : nil,
        request: $0.request > 0 ? $0.request : nil)
    }
    counters = (0..<Int(gear.counterCount)).map { place in
      let counter = gear[counter: place]
      return GearStatus.Counter(
        name: string(counter.name.span), counts: "\(counter.measure.word)", value: counter.value(on: today),
        due: counter.due, isDue: counter.isDue(on: today))
    }
  }
}

extension BoardStatus.GearSummary {
  /// The present gear, and what is due of all; nil where there is none.
  init?(_ ledger: borrowing GearLedger) {
    let status = GearStatus(ledger)
    guard !status.gear.isEmpty else { return nil }
    let present = status.gear.first { $0.isPresent }
    self.present = present?.name
    distanceMetres = present.map { Double($0.distanceMetres) }
    due = status.gear.flatMap { item in item.counters.filter(\.isDue).map { "\($0.name), \(item.name)" } }
    items = status.gear.map { item in
      BoardStatus.GearItem(
        name: item.name, kind: item.kind, isPresent: item.isPresent, distanceMetres: Double(item.distanceMetres),
        movingSeconds: Double(item.movingSeconds),
        counters: item.counters.map { counter in
          BoardStatus.ServiceCounter(
            name: counter.name, counts: counter.counts, value: Double(counter.value), due: Double(counter.due),
            isDue: counter.isDue)
        })
    }
  }
}

extension BoardStatus.RideStatus {
  /// The last rides of a ledger, the newest first.
  static func last(_ count: Int = 10, of ledger: borrowing GearLedger) -> [BoardStatus.RideStatus]? {
    guard ledger.lastRide > 0 else { return nil }
    return GearStatus(ledger).rides.suffix(count).reversed().map { ride in
      BoardStatus.RideStatus(
        number: Int(ride.number), start: ride.start.map(iso), end: ride.end.map(iso),
        distanceMetres: Double(ride.distanceMetres), movingSeconds: Double(ride.movingSeconds), gear: ride.gear)
    }
  }
}

private func iso(_ second: UInt32) -> String { isoText(UTCTime(microseconds: Int64(second) * 1_000_000)) }

private func string(_ span: Span<UInt8>) -> String {
  span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}
