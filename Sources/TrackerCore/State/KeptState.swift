import MotionDetection
import Telemetry

/// A state as read: what is intact as it was kept, the rest as a tracker begins.
struct KeptState {
  var boot: UInt32 = 0
  var nextSequence: UInt32 = 1
  var lastAlert: UInt32 = 0
  /// The latest second that a position was told of.
  var toldSecond: UInt32 = 0
  var alarm = AlarmLedger.Kept()
  var trip = TripRecorder.Kept()
  var odometer = TripRecorder.KeptOdometer()
  var motion = MotionSnapshot()
  var places = PlaceKeeper.Kept()
  var requests = RequestKeeper.Kept()
  var rules = RuleKeeper.Kept()
  /// Where the profile is; nil when there is none.
  var profile: StoredSection?
  var waiting: WaitingList?
  /// Where the changed settings are; nil when there are none.
  var settings: StoredSection?
  /// nil when the state has none: not every tracker has a second place.
  var mark: NumberingMark?
  /// Sections that were read.
  var found = StateSections()
  /// The highest revision of all that is intact.
  var revision: UInt32 = 0
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
    // Room for every tag that is none of a row: those end before `StateSections.firstFormTag`, as bit 16 is of the first row.
    var newest = InlineArray<16, UInt32>(repeating: 0)
    var place = 0
    var highest: UInt32 = 0
    defer { revision = highest }
    while let section = StoredSection.next(in: bytes, from: place) {
      place = section.end
      highest = max(highest, section.revision)
      if section.tag == StateSections.firstFormTag, section.version == KeptState.firstFormVersion {
        var reader = RecordReader(at: section.start)
        var older = KeptState(alertsEnabled: alertsEnabled)
        older.readFirstForm(bytes, &reader)
        // What was written since has the form of today.
        if reader.isValid, reader.place == section.end, found.isEmpty { self = older }
        continue
      }
      let name = StateSections(tag: section.tag)
      // Rows of tables are read where they belong.
      guard !name.isEmpty, section.tag <= StateSections.lastTag, section.version == 1 else { continue }
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
      // Earlier versions have none.
      if reader.place < section.end { toldSecond = reader.uint32(bytes) }
    case .alarm: alarm = AlarmLedger.Kept(bytes, &reader, end: section.end)
    case .trip: trip = TripRecorder.Kept(bytes, &reader, end: section.end)
    case .odometer: odometer = TripRecorder.KeptOdometer(bytes, &reader, end: section.end)
    case .motion: motion = MotionSnapshot(bytes, &reader)
    case .places: places = PlaceKeeper.Kept(bytes, &reader, end: section.end)
    case .waiting:
      waiting = WaitingList(section, of: bytes)
      if waiting != nil { reader.place = section.end }
    case .mark:
      var mark = NumberingMark()
      mark.boot = reader.uint32(bytes)
      mark.sequence = reader.uint32(bytes)
      mark.alert = reader.uint32(bytes)
      self.mark = mark
    case .settings:
      guard TrackerConfiguration.isKept(section) else { return false }
      settings = section
      reader.place = section.end
    case .requests: requests = RequestKeeper.Kept(bytes, &reader)
    case .rules: rules = RuleKeeper.Kept(bytes, &reader)
    case .profile:
      guard ProfileKeeper.isKept(section, of: bytes) else { return false }
      profile = section
      reader.place = section.end
    default: return false
    }
    return reader.isValid && reader.place == section.end
  }

  /// The form of before there were sections: one record, and no list of what waits.
  private mutating func readFirstForm(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
    reader.require(reader.byte(bytes) == KeptState.firstFormVersion)
    nextSequence = reader.uint32(bytes)
    lastAlert = reader.uint32(bytes)
    alarm.firstAlert = reader.uint32(bytes)
    _ = reader.flag(bytes)
    trip.distance = reader.distance(bytes)
    trip.rideStart = reader.distance(bytes)
    alarm.startDistance = reader.distance(bytes)
    trip.lastRideDistance = reader.distance(bytes)
    motion = MotionSnapshot(bytes, &reader)
    trip.position = reader.place(bytes)?.position
    places = PlaceKeeper.Kept(bytes, &reader, end: 0)
    found = .state
    isFirstForm = true
  }
}
