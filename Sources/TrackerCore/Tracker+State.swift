public import ASCIIText
import MotionDetection
import Positioning
public import Quantities
import Telemetry

/// What a tracker keeps over a restart: counters, odometer, phase, places, and the packets that wait.
///
/// A state is one record of the tracker followed by one record for each packet. Whoever stores them must store them
/// together: a packet that is gone while its number is not yet used up would lose or double an alert.
extension Tracker {
  private static var stateVersion: UInt8 { 1 }

  /// Writes everything but the packets that wait, 150 bytes at most.
  public func encodeState(into sink: inout some ByteSink) {
    let motion = monitor.snapshot
    sink.append(Tracker.stateVersion)
    sink.append(littleEndian: UInt64(outbox.nextSequence), bytes: 4)
    sink.append(littleEndian: UInt64(lastAlert), bytes: 4)
    sink.append(littleEndian: UInt64(firstAlert), bytes: 4)
    sink.append(isAlarmOver ? 1 : 0)
    encode(distance: trip.distance, into: &sink)
    encode(distance: rideStartDistance, into: &sink)
    encode(distance: alarmStartDistance, into: &sink)
    encode(distance: lastRideDistance, into: &sink)
    sink.append(motion.phase.rawValue)
    sink.append(motion.alertsEnabled ? 1 : 0)
    encode(motion.up, into: &sink)
    encode(motion.place, accuracy: motion.placeAccuracy, into: &sink)
    encode(motion.turningNoise, into: &sink)
    encode(motion.vibrationNoise, into: &sink)
    encode(motion.rideAge, into: &sink)
    encode(motion.rideIdle, into: &sink)
    encode(trip.last, accuracy: 0, into: &sink)
    encode(lastFix?.position, accuracy: Float(lastFix?.horizontalAccuracy ?? -1), into: &sink)
    encode(parkingFix?.position, accuracy: Float(parkingFix?.horizontalAccuracy ?? -1), into: &sink)
  }

  /// Writes the packet at a place of the outbox, 130 bytes at most.
  public func encodePacket(at place: Int, into sink: inout some ByteSink) {
    outbox.packet(at: place).encodeRecord(into: &sink)
  }

  /// Writes a state in which nothing is known but how far numbering had come, for a life whose state can't be read.
  public static func encodeNumbering(
    nextSequence: UInt32, lastAlert: UInt32, into sink: inout some ByteSink
  ) {
    var tracker = Tracker()
    tracker.outbox.continueNumbering(at: nextSequence)
    tracker.lastAlert = lastAlert
    tracker.firstAlert = lastAlert
    tracker.encodeState(into: &sink)
  }

  // What sensors and receivers say may be no number, or a time beyond reason. It is written as unknown, or at the end of what is
  // reasonable: a state that can't be read would lose all the rest.

  private func encode(distance: Double, into sink: inout some ByteSink) {
    sink.append(bits: distance.isFinite && distance >= 0 ? distance : 0)
  }

  private func encode(_ vector: Vector3?, into sink: inout some ByteSink) {
    guard let vector, vector.x.isFinite, vector.y.isFinite, vector.z.isFinite else {
      sink.append(0)
      return
    }
    sink.append(1)
    sink.append(bits: vector.x)
    sink.append(bits: vector.y)
    sink.append(bits: vector.z)
  }

  private func encode(_ position: GeodeticPosition?, accuracy: Float, into sink: inout some ByteSink) {
    sink.append(position == nil ? 0 : 1)
    guard let position else { return }
    sink.append(littleEndian: UInt64(bitPattern: position.latitudeE9), bytes: 8)
    sink.append(littleEndian: UInt64(bitPattern: position.longitudeE9), bytes: 8)
    sink.append(bits: accuracy.isFinite ? accuracy : -1)
  }

  private func encode(_ value: Float?, into sink: inout some ByteSink) {
    guard let value, value.isFinite, value >= 0 else {
      sink.append(0)
      return
    }
    sink.append(1)
    sink.append(bits: value)
  }

  private func encode(_ interval: Interval?, into sink: inout some ByteSink) {
    sink.append(interval == nil ? 0 : 1)
    guard let interval else { return }
    let age = min(max(0, interval.microseconds), KeptState.longestAge)
    sink.append(littleEndian: UInt64(age), bytes: 8)
  }

  /// Goes on where an earlier life was; the first input of a tracker.
  ///
  /// Packets that waited are sent again under their numbers. Positions are stale until there is a new fix, as nobody knows how
  /// long the tracker was off.
  ///
  /// - Parameters:
  ///   - state: What `encodeState` wrote, and then what `encodePacket` wrote for each packet.
  ///   - time: Now.
  /// - Returns: False when the bytes are no state of this version, or when the tracker has seen something already; it is as
  ///   it was then.
  @discardableResult public mutating func restore(_ state: Span<UInt8>, at time: Instant) -> Bool {
    defer { noteDeadline() }
    guard firstInput == nil, isPossible(time) else { return false }
    var reader = RecordReader()
    let kept = KeptState(state, &reader, version: Tracker.stateVersion)
    // Looked through before anything is changed.
    var ahead = reader
    while ahead.isValid, ahead.place < state.count { _ = Packet(record: state, &ahead) }
    guard ahead.isValid else { return false }
    outbox.continueNumbering(at: kept.nextSequence)
    monitor.restore(kept.motion, at: time)
    lastAlert = kept.lastAlert
    firstAlert = kept.firstAlert
    // An alarm that was going on is raised anew by what moves now.
    isAlarmOver = true
    trip = TripMeter(distance: kept.distance, last: kept.tripPosition)
    rideStartDistance = kept.rideStartDistance
    alarmStartDistance = kept.alarmStartDistance
    lastRideDistance = kept.lastRideDistance
    lastFix = fix(kept.lastPosition, kept.lastAccuracy, at: time)
    parkingFix = fix(kept.parkingPosition, kept.parkingAccuracy, at: time)
    noteKept()
    while reader.place < state.count {
      if let packet = Packet(record: state, &reader) { outbox.restore(packet, at: time) }
    }
    _ = begin(at: time)
    emit(.restored(packets: UInt8(clamping: outbox.count), phase: monitor.phase), at: time)
    return true
  }

  /// A fix of an earlier life: older than what is fresh, however short the restart was.
  private func fix(_ position: GeodeticPosition?, _ accuracy: Float, at time: Instant) -> GNSSFix? {
    guard let position else { return nil }
    var fix = GNSSFix(time: time - configuration.reports.staleAfter - .seconds(1))
    fix.mode = .twoDimensional
    fix.position = position
    fix.horizontalAccuracy = accuracy >= 0 ? Double(accuracy) : nil
    return fix
  }
}

/// A state as read, checked.
private struct KeptState {
  var nextSequence: UInt32
  var lastAlert: UInt32
  var firstAlert: UInt32
  var isAlarmOver: Bool
  var distance: Double
  var rideStartDistance: Double
  var alarmStartDistance: Double
  var lastRideDistance: Double
  var motion = MotionSnapshot()
  var tripPosition: GeodeticPosition?
  var lastPosition: GeodeticPosition?
  var lastAccuracy: Float = -1
  var parkingPosition: GeodeticPosition?
  var parkingAccuracy: Float = -1

  init(_ bytes: Span<UInt8>, _ reader: inout RecordReader, version: UInt8) {
    reader.require(reader.byte(bytes) == version)
    nextSequence = reader.uint32(bytes)
    lastAlert = reader.uint32(bytes)
    firstAlert = reader.uint32(bytes)
    isAlarmOver = KeptState.flag(bytes, &reader)
    distance = KeptState.distance(bytes, &reader)
    rideStartDistance = KeptState.distance(bytes, &reader)
    alarmStartDistance = KeptState.distance(bytes, &reader)
    lastRideDistance = KeptState.distance(bytes, &reader)
    let phase = MotionPhase(rawValue: reader.byte(bytes))
    reader.require(phase != nil)
    motion.phase = phase ?? .starting
    motion.alertsEnabled = KeptState.flag(bytes, &reader)
    if KeptState.flag(bytes, &reader) {
      let x = reader.float(bytes)
      let y = reader.float(bytes)
      motion.up = Vector3(x, y, reader.float(bytes))
    }
    if let place = KeptState.place(bytes, &reader) {
      motion.place = place.position
      motion.placeAccuracy = max(0, place.accuracy)
    }
    motion.turningNoise = KeptState.noise(bytes, &reader)
    motion.vibrationNoise = KeptState.noise(bytes, &reader)
    motion.rideAge = KeptState.age(bytes, &reader)
    motion.rideIdle = KeptState.age(bytes, &reader)
    tripPosition = KeptState.place(bytes, &reader)?.position
    if let place = KeptState.place(bytes, &reader) {
      lastPosition = place.position
      lastAccuracy = place.accuracy
    }
    if let place = KeptState.place(bytes, &reader) {
      parkingPosition = place.position
      parkingAccuracy = place.accuracy
    }
  }

  private static func flag(_ bytes: Span<UInt8>, _ reader: inout RecordReader) -> Bool {
    let value = reader.byte(bytes)
    reader.require(value <= 1)
    return value == 1
  }

  private static func distance(_ bytes: Span<UInt8>, _ reader: inout RecordReader) -> Double {
    let value = reader.double(bytes)
    reader.require(value >= 0)
    return value
  }

  private static func noise(_ bytes: Span<UInt8>, _ reader: inout RecordReader) -> Float? {
    guard flag(bytes, &reader) else { return nil }
    let value = reader.float(bytes)
    reader.require(value >= 0)
    return value
  }

  /// A century is more than any ride, µs.
  static var longestAge: Int64 { (1 << 52) - 1 }

  private static func age(_ bytes: Span<UInt8>, _ reader: inout RecordReader) -> Interval? {
    guard flag(bytes, &reader) else { return nil }
    let microseconds = reader.int64(bytes)
    reader.require(microseconds >= 0 && microseconds <= longestAge)
    return Interval(microseconds: reader.isValid ? microseconds : 0)
  }

  private static func place(
    _ bytes: Span<UInt8>, _ reader: inout RecordReader
  ) -> (position: GeodeticPosition, accuracy: Float)? {
    guard flag(bytes, &reader) else { return nil }
    let latitude = reader.int64(bytes)
    let longitude = reader.int64(bytes)
    let accuracy = reader.float(bytes)
    guard let position = GeodeticPosition(latitudeE9: latitude, longitudeE9: longitude) else {
      reader.refuse()
      return nil
    }
    return (position, accuracy)
  }
}
