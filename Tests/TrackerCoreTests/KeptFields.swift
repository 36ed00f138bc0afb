import Quantities

/// A kept state as another reader sees it: the order, the sizes and the meaning of its fields, written down a second time.
struct KeptFields: Equatable {
  struct Place: Equatable {
    var latitudeE9: Int64
    var longitudeE9: Int64
    var accuracy: Float
  }

  var nextSequence: UInt32 = 1
  var lastAlert: UInt32 = 0
  var firstAlert: UInt32 = 0
  var isAlarmOver: UInt8 = 1
  var distance = 0.0
  var rideStart = 0.0
  var alarmStart = 0.0
  var lastRide = 0.0
  var phase: UInt8 = 0
  var alertsEnabled: UInt8 = 1
  var up: [Float]?
  var place: Place?
  var turningNoise: Float?
  var vibrationNoise: Float?
  var rideAge: Int64?
  var rideIdle: Int64?
  var meterPlace: Place?
  var lastPlace: Place?
  var parkingPlace: Place?
  /// The records of packets, unread.
  var packets: [UInt8] = []

  init() {}

  /// Reads a state; nil when there are too few bytes, or a wrong version.
  init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
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
    guard number(1) == 1 else { return nil }
    nextSequence = UInt32(number(4))
    lastAlert = UInt32(number(4))
    firstAlert = UInt32(number(4))
    isAlarmOver = UInt8(number(1))
    (distance, rideStart, alarmStart, lastRide) = (real(), real(), real(), real())
    phase = UInt8(number(1))
    alertsEnabled = UInt8(number(1))
    up = optional { [single(), single(), single()] }
    self.place = optional(place)
    (turningNoise, vibrationNoise) = (optional(single), optional(single))
    rideAge = optional { Int64(bitPattern: number(8)) }
    rideIdle = optional { Int64(bitPattern: number(8)) }
    (meterPlace, lastPlace, parkingPlace) = (optional(place), optional(place), optional(place))
    packets = Array(rest)
    if isShort { return nil }
  }

  /// Its bytes.
  var bytes: [UInt8] {
    var result: [UInt8] = [1]
    func number(_ value: UInt64, _ count: Int) {
      for place in 0..<count { result.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))) }
    }
    func optional<Value>(_ value: Value?, _ write: (Value) -> Void) {
      result.append(value == nil ? 0 : 1)
      if let value { write(value) }
    }
    func place(_ place: Place) {
      number(UInt64(bitPattern: place.latitudeE9), 8)
      number(UInt64(bitPattern: place.longitudeE9), 8)
      number(UInt64(place.accuracy.bitPattern), 4)
    }
    for value in [nextSequence, lastAlert, firstAlert] { number(UInt64(value), 4) }
    result.append(isAlarmOver)
    for value in [distance, rideStart, alarmStart, lastRide] { number(value.bitPattern, 8) }
    result += [phase, alertsEnabled]
    optional(up) { for value in $0 { number(UInt64(value.bitPattern), 4) } }
    optional(self.place, place)
    for value in [turningNoise, vibrationNoise] { optional(value) { number(UInt64($0.bitPattern), 4) } }
    for value in [rideAge, rideIdle] { optional(value) { number(UInt64(bitPattern: $0), 8) } }
    for value in [meterPlace, lastPlace, parkingPlace] { optional(value, place) }
    return result + packets
  }

  /// The state of a tracker that has just been restored from this one: as it was, but for what a restart ends.
  var asRestored: KeptFields {
    var next = self
    // An alarm that was going on is raised anew by what moves.
    next.isAlarmOver = 1
    switch phase {
    case 3, 4, 5:
      next.phase = 3
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
    next.parkingPlace = known(parkingPlace)
    return next
  }
}
