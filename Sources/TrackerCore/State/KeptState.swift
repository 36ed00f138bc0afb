import MotionDetection
import Positioning
import Quantities
import Telemetry

/// A state as read: what is intact as it was kept, the rest as a tracker begins.
struct KeptState {
  var boot: UInt32 = 0
  var nextSequence: UInt32 = 1
  var lastAlert: UInt32 = 0
  var firstAlert: UInt32 = 0
  var alarmStartDistance = 0.0
  var distance = 0.0
  var rideStartDistance = 0.0
  var lastRideDistance = 0.0
  var tripPosition: GeodeticPosition?
  var motion = MotionSnapshot()
  var lastPosition: GeodeticPosition?
  var lastAccuracy: Float = -1
  var parkingPosition: GeodeticPosition?
  var parkingAccuracy: Float = -1
  var waiting: WaitingList?
  /// nil when the state has none: not every tracker has a second place.
  var mark: NumberingMark?
  /// Sections that were read.
  var found = StateSections()
  /// True when it is in the form of before there were sections.
  var isFirstForm = false
  /// Where the records of packets begin when nothing is in sections; nil when packets are sections.
  var records: Int?

  /// What such a state begins with when it is no section.
  static var firstFormVersion: UInt8 { 1 }

  /// Reads all sections, wherever they stand; of two with one tag the newer one counts.
  init(_ bytes: Span<UInt8>, alertsEnabled: Bool) {
    motion.alertsEnabled = alertsEnabled
    if !bytes.isEmpty, bytes[0] == KeptState.firstFormVersion {
      var older = KeptState(alertsEnabled: alertsEnabled)
      var reader = RecordReader()
      older.readFirstForm(bytes, &reader)
      older.records = reader.place
      if reader.isValid { self = older }
      return
    }
    var newest = InlineArray<8, UInt32>(repeating: 0)
    var place = 0
    while let section = StoredSection.next(in: bytes, from: place) {
      place = section.end
      if section.tag == StateSections.firstFormTag, section.version == KeptState.firstFormVersion {
        var reader = RecordReader(at: section.start)
        var older = KeptState(alertsEnabled: alertsEnabled)
        older.readFirstForm(bytes, &reader)
        // What was written since has the form of today.
        if reader.isValid, reader.place == section.end, found.isEmpty { self = older }
        continue
      }
      let name = StateSections(tag: section.tag)
      guard !name.isEmpty, section.version == 1 else { continue }
      if found.contains(name), section.revision < newest[Int(section.tag)] { continue }
      var read = self
      guard read.take(section, of: bytes) else { continue }
      self = read
      newest[Int(section.tag)] = section.revision
      found.insert(name)
    }
  }

  /// A tracker that begins.
  private init(alertsEnabled: Bool) { motion.alertsEnabled = alertsEnabled }

  private mutating func take(_ section: StoredSection, of bytes: Span<UInt8>) -> Bool {
    var reader = RecordReader(at: section.start)
    switch StateSections(tag: section.tag) {
    case .numbering:
      boot = reader.uint32(bytes)
      nextSequence = reader.uint32(bytes)
      lastAlert = reader.uint32(bytes)
    case .alarm:
      firstAlert = reader.uint32(bytes)
      alarmStartDistance = KeptState.distance(bytes, &reader)
    case .trip:
      distance = KeptState.distance(bytes, &reader)
      rideStartDistance = KeptState.distance(bytes, &reader)
      lastRideDistance = KeptState.distance(bytes, &reader)
      tripPosition = KeptState.place(bytes, &reader)?.position
    case .motion: readMotion(bytes, &reader)
    case .places: readPlaces(bytes, &reader)
    case .waiting:
      waiting = WaitingList(section, of: bytes)
      if waiting != nil { reader.place = section.end }
    case .mark:
      var mark = NumberingMark()
      mark.boot = reader.uint32(bytes)
      mark.sequence = reader.uint32(bytes)
      mark.alert = reader.uint32(bytes)
      self.mark = mark
    default: return false
    }
    return reader.isValid && reader.place == section.end
  }

  private mutating func readMotion(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
    motion = MotionSnapshot()
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
  }

  private mutating func readPlaces(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
    (lastPosition, lastAccuracy) = (nil, -1)
    if let place = KeptState.place(bytes, &reader) {
      lastPosition = place.position
      lastAccuracy = place.accuracy
    }
    (parkingPosition, parkingAccuracy) = (nil, -1)
    if let place = KeptState.place(bytes, &reader) {
      parkingPosition = place.position
      parkingAccuracy = place.accuracy
    }
  }

  /// The form of before there were sections: one record, and no list of what waits.
  private mutating func readFirstForm(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
    reader.require(reader.byte(bytes) == KeptState.firstFormVersion)
    nextSequence = reader.uint32(bytes)
    lastAlert = reader.uint32(bytes)
    firstAlert = reader.uint32(bytes)
    _ = KeptState.flag(bytes, &reader)
    distance = KeptState.distance(bytes, &reader)
    rideStartDistance = KeptState.distance(bytes, &reader)
    alarmStartDistance = KeptState.distance(bytes, &reader)
    lastRideDistance = KeptState.distance(bytes, &reader)
    readMotion(bytes, &reader)
    tripPosition = KeptState.place(bytes, &reader)?.position
    readPlaces(bytes, &reader)
    found = .state
    isFirstForm = true
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
