import Quantities

/// A kept state as another reader sees it: sections, the order, the sizes and the meaning of their fields, written down a second
/// time.
struct KeptFields: Equatable {
  struct Place: Equatable {
    var latitudeE9: Int64
    var longitudeE9: Int64
    var accuracy: Float
  }

  /// Times of a ride as ages, µs, and its numbers.
  struct Ride: Equatable {
    var age: Int64?
    var endAge: Int64?
    var moved: Int64?
    var movingAge: Int64?
    var topSpeed: Float?
    var climb: Float?
    var climbUncertainty: Float?
  }

  struct Waiting: Equatable {
    var sequence: UInt32
    var kind: UInt8
    var pending: UInt8
  }

  /// A section: its tag, version and revision, and its content.
  struct Section: Equatable {
    var tag: UInt8
    var version: UInt8 = 1
    var revision: UInt32 = 0
    var content: [UInt8]

    /// With its head: sign, tag, version, length, revision, checksum.
    var bytes: [UInt8] {
      let head = [tag, version] + little(UInt64(content.count), 2) + little(UInt64(revision), 4)
      return [0x53] + head + little(UInt64(checksum(head + content)), 4) + content
    }

    /// All sections that are intact, in their order.
    static func all(in bytes: [UInt8]) -> [Section] {
      var result: [Section] = []
      var place = 0
      while place + 13 <= bytes.count {
        defer { place += 1 }
        guard bytes[place] == 0x53 else { continue }
        let length = Int(bytes[place + 3]) | Int(bytes[place + 4]) << 8
        guard length <= 1024, place + 13 + length <= bytes.count else { continue }
        let section = Section(
          tag: bytes[place + 1], version: bytes[place + 2],
          revision: (5...8).reversed().reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) },
          content: Array(bytes[place + 13..<place + 13 + length]))
        guard section.bytes == Array(bytes[place..<place + 13 + length]) else { continue }
        result.append(section)
        place += 12 + length
      }
      return result
    }
  }

  var boot: UInt32 = 1
  var nextSequence: UInt32 = 1
  var lastAlert: UInt32 = 0
  /// The latest second that a position was told of; in states of before that there is none.
  var toldSecond: UInt32?
  var firstAlert: UInt32 = 0
  /// Only before there were sections.
  var isAlarmOver: UInt8 = 1
  var distance = 0.0
  var rideStart = 0.0
  var alarmStart = 0.0
  /// What caused the last alert, its ratio, and number of repetitions.
  var detector: UInt8 = 0
  var ratio: Float = 0
  var repetition: UInt16 = 0
  /// 8 while nobody has answered it; in records of before that there is none.
  var alarmFlags: UInt8 = 0
  var lastRide = 0.0
  var corners = 0.0
  var silences = 0.0
  var disagreement: Float = 0
  var keptUTC: Int64?
  var ends: Float = 0
  var ride: Ride?
  var phase: UInt8 = 0
  /// On by 1; by 2 whether it is known how the tracker was made, and by 4 with alerts on.
  var alertsEnabled: UInt8 = 7
  var up: [Float]?
  var place: Place?
  var turningNoise: Float?
  var vibrationNoise: Float?
  var rideAge: Int64?
  var rideIdle: Int64?
  var meterPlace: Place?
  var lastPlace: Place?
  var parkingPlace: Place?
  /// How long it has stood there, s.
  var parkingSeconds: Float?
  var receivers: UInt32 = 0
  var waiting: [Waiting] = []
  /// What the sections of packets hold.
  var packets: [[UInt8]] = []

  init() {}

  /// Reads a state; nil when a part of it is not there, or not as it should be.
  init?(_ bytes: [UInt8]) {
    for tag in UInt8(1)...6 {
      let found = Section.all(in: bytes).filter { $0.tag == tag && $0.version == 1 }
      guard let section = found.max(by: { $0.revision < $1.revision }), read(section) else { return nil }
    }
    packets = Section.all(in: bytes).filter { $0.tag == 16 && $0.version == 1 }.map(\.content)
  }

  private mutating func read(_ section: Section) -> Bool {
    var rest = section.content[...]
    var isShort = false
    func number(_ count: Int) -> UInt64 {
      guard rest.count >= count else {
        isShort = true
        return 0
      }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    func real() -> Double { Double(bitPattern: number(8)) }
    func single() -> Float { Float(bitPattern: UInt32(number(4))) }
    func optional<Value>(_ read: () -> Value) -> Value? { number(1) == 1 ? read() : nil }
    func place() -> Place {
      Place(
        latitudeE9: Int64(bitPattern: number(8)), longitudeE9: Int64(bitPattern: number(8)), accuracy: single())
    }
    switch section.tag {
    case 1:
      (boot, nextSequence, lastAlert) = (UInt32(number(4)), UInt32(number(4)), UInt32(number(4)))
      if !rest.isEmpty { toldSecond = UInt32(number(4)) }
    case 2:
      (firstAlert, alarmStart) = (UInt32(number(4)), real())
      (detector, ratio, repetition) = (UInt8(number(1)), single(), UInt16(number(2)))
      if !rest.isEmpty { alarmFlags = UInt8(number(1)) }
    case 3:
      (distance, rideStart, lastRide) = (real(), real(), real())
      meterPlace = optional(place)
      // What is in doubt about the distance came later.
      if !rest.isEmpty { (corners, silences) = (real(), real()) }
      // So did the numbers of the ride.
      if !rest.isEmpty {
        let age = { Int64(bitPattern: number(8)) }
        let parts = number(1)
        if parts & 2 != 0 { disagreement = single() }
        if parts & 4 != 0 { keptUTC = Int64(bitPattern: number(8)) }
        if parts & 8 != 0 { ends = single() }
        if parts & 1 != 0 {
          ride = Ride(
            age: optional(age), endAge: optional(age), moved: optional(age), movingAge: optional(age),
            topSpeed: optional(single), climb: optional(single), climbUncertainty: optional(single))
        }
      }
    case 4:
      (phase, alertsEnabled) = (UInt8(number(1)), UInt8(number(1)))
      up = optional { [single(), single(), single()] }
      self.place = optional(place)
      (turningNoise, vibrationNoise) = (optional(single), optional(single))
      rideAge = optional { Int64(bitPattern: number(8)) }
      rideIdle = optional { Int64(bitPattern: number(8)) }
    case 5:
      (lastPlace, parkingPlace) = (optional(place), optional(place))
      // How long it has stood there came later.
      if !rest.isEmpty { parkingSeconds = optional(single) }
    default:
      receivers = UInt32(number(4))
      guard UInt32(number(4)) == nextSequence else { return false }
      waiting = (0..<number(1)).map { _ in
        Waiting(sequence: UInt32(number(4)), kind: UInt8(number(1)), pending: UInt8(number(1)))
      }
    }
    return !isShort && rest.isEmpty
  }

  /// Its sections of the state, in the order of their tags.
  var sections: [Section] {
    var result: [UInt8] = []
    func number(_ value: UInt64, _ count: Int) { result += little(value, count) }
    func optional<Value>(_ value: Value?, _ write: (Value) -> Void) {
      result.append(value == nil ? 0 : 1)
      if let value { write(value) }
    }
    func place(_ place: Place) {
      number(UInt64(bitPattern: place.latitudeE9), 8)
      number(UInt64(bitPattern: place.longitudeE9), 8)
      number(UInt64(place.accuracy.bitPattern), 4)
    }
    var all: [Section] = []
    func end(_ tag: UInt8) {
      all.append(Section(tag: tag, content: result))
      result = []
    }
    for value in [boot, nextSequence, lastAlert] + (toldSecond.map { [$0] } ?? []) { number(UInt64(value), 4) }
    end(1)
    number(UInt64(firstAlert), 4)
    number(alarmStart.bitPattern, 8)
    result.append(detector)
    number(UInt64(ratio.bitPattern), 4)
    number(UInt64(repetition), 2)
    if alarmFlags != 0 { result.append(alarmFlags) }
    end(2)
    for value in [distance, rideStart, lastRide] { number(value.bitPattern, 8) }
    optional(meterPlace, place)
    for value in [corners, silences] { number(value.bitPattern, 8) }
    result.append((ride == nil ? 0 : 1) | (disagreement == 0 ? 0 : 2) | (keptUTC == nil ? 0 : 4) | (ends == 0 ? 0 : 8))
    if disagreement != 0 { number(UInt64(disagreement.bitPattern), 4) }
    if let keptUTC { number(UInt64(bitPattern: keptUTC), 8) }
    if ends != 0 { number(UInt64(ends.bitPattern), 4) }
    if let ride {
      for age in [ride.age, ride.endAge, ride.moved, ride.movingAge] {
        optional(age) { number(UInt64(bitPattern: $0), 8) }
      }
      for value in [ride.topSpeed, ride.climb, ride.climbUncertainty] {
        optional(value) { number(UInt64($0.bitPattern), 4) }
      }
    }
    end(3)
    result += [phase, alertsEnabled]
    optional(up) { for value in $0 { number(UInt64(value.bitPattern), 4) } }
    optional(self.place, place)
    for value in [turningNoise, vibrationNoise] { optional(value) { number(UInt64($0.bitPattern), 4) } }
    for value in [rideAge, rideIdle] { optional(value) { number(UInt64(bitPattern: $0), 8) } }
    end(4)
    for value in [lastPlace, parkingPlace] { optional(value, place) }
    optional(parkingSeconds) { number(UInt64($0.bitPattern), 4) }
    end(5)
    number(UInt64(receivers), 4)
    number(UInt64(nextSequence), 4)
    result.append(UInt8(waiting.count))
    for packet in waiting {
      number(UInt64(packet.sequence), 4)
      result += [packet.kind, packet.pending]
    }
    end(6)
    return all
  }

  /// Its bytes.
  var bytes: [UInt8] { (sections + packets.map { Section(tag: 16, content: $0) }).flatMap(\.bytes) }

  /// The same in the form of before there were sections, in which packets have no life.
  var firstForm: [UInt8] {
    let parts = sections.map(\.content)
    let distances = parts[2].prefix(16) + parts[1][4..<12] + parts[2][16..<24]
    let head = [1] + parts[0].suffix(8) + parts[1].prefix(4) + [isAlarmOver]
    var placeOnly = self
    placeOnly.ride = nil
    let place = placeOnly.sections[2].content.dropFirst(24).dropLast(17)
    let motion = [phase, alertsEnabled & 1] + parts[3].dropFirst(2)
    let places = parts[4].dropLast(parkingSeconds == nil ? 1 : 5)
    return head + distances + motion + place + places + packets.flatMap { $0.dropFirst(4) }
  }

  /// The state of a tracker that has just been restored from this one: as it was, but for what a restart ends.
  var asRestored: KeptFields {
    var next = self
    next.boot += 1
    next.firstAlert = min(firstAlert, lastAlert)
    next.alarmFlags = lastAlert > 0 && (alarmFlags & 8 != 0 || phase == 6 && alertsEnabled & 1 == 1) ? 8 : 0
    // Not kept: an alarm that was going on is raised anew by what moves.
    next.isAlarmOver = 1
    switch phase {
    case 3, 4, 5, 6:
      // A theft goes on.
      next.phase = phase == 6 && alertsEnabled & 1 == 1 ? 6 : 3
      // A ride is nothing of a parked vehicle's.
      (next.rideAge, next.rideIdle) = (nil, nil)
      // Half a noise is none; the meter of a vehicle that was parked without a fix has no place to be parked at.
      if turningNoise == nil || vibrationNoise == nil { (next.turningNoise, next.vibrationNoise) = (nil, nil) }
    default:
      next.phase = 2
      if phase == 0 || rideAge == nil || rideIdle == nil { (next.rideAge, next.rideIdle) = (nil, nil) }
      (next.up, next.turningNoise, next.vibrationNoise) = (nil, nil, nil)
    }
    func known(_ place: Place?) -> Place? {
      guard var place else { return nil }
      if place.accuracy < 0 { place.accuracy = -1 }
      return place
    }
    next.place = place.map {
      Place(latitudeE9: $0.latitudeE9, longitudeE9: $0.longitudeE9, accuracy: max(0, $0.accuracy))
    }
    next.meterPlace = meterPlace.map { Place(latitudeE9: $0.latitudeE9, longitudeE9: $0.longitudeE9, accuracy: 0) }
    next.lastPlace = known(lastPlace)
    next.parkingPlace = parkingPlace
    // Where no accuracy was stated that of a usual receiver counts.
    if let accuracy = parkingPlace?.accuracy, accuracy < 0 { next.parkingPlace?.accuracy = 8 }
    next.parkingSeconds = parkingPlace == nil ? nil : min(3600, max(1, parkingSeconds ?? 1))
    return next
  }
}

private func little(_ value: UInt64, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
}

/// CRC-32 by a table, as most write it.
private func checksum(_ bytes: [UInt8]) -> UInt32 {
  ~bytes.reduce(UInt32.max) { sum, byte in (sum >> 8) ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
}

private let table: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ (sum >> 1) }
}
