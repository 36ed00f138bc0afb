import ASCIIText
import InlineStorage
import MotionDetection
import Positioning
import Quantities
import Telemetry

/// Where the vehicle is and where it is parked, and whether the receiver has a position.
struct PlaceKeeper: TrackerPart {
  static var sections: StateSections { .places }

  /// The last fix with a position.
  private(set) var lastFix: GNSSFix?

  /// What the odometer needs of it.
  var lastSight: TripMeter.Sight? {
    guard let lastFix, let position = lastFix.position else { return nil }
    return TripMeter.Sight(
      time: lastFix.time, position: position, speed: lastFix.speed, accuracy: lastFix.horizontalAccuracy)
  }

  private var staleAfter: Interval
  private var assumedAccuracy: Double
  private var parkingFix: ParkingFix?
  /// Where it is watched as parked, 1e-7 degree; a latitude that there is not while that is unknown.
  private var parkedE7 = (latitude: Int32.min, longitude: Int32(0))
  /// Where it is watched as parked, whatever fixes have said since; nil while that is unknown.
  var parkedAt: GeodeticPosition? {
    GeodeticPosition(latitudeE9: Int64(parkedE7.latitude) * 100, longitudeE9: Int64(parkedE7.longitude) * 100)
  }
  /// Where it stands by the best fix, or was seen last.
  var restsAt: GeodeticPosition? { parkingFix?.position ?? lastFix?.position }
  private var lastFixTime: Instant?
  private var withoutPositionSince: Instant?
  private var isFixLost = true

  init(_ configuration: TrackerConfiguration) {
    staleAfter = configuration.reports.staleAfter
    assumedAccuracy = Double(configuration.motion.assumedAccuracy)
  }

  mutating func configure(_ configuration: TrackerConfiguration) {
    staleAfter = configuration.reports.staleAfter
    assumedAccuracy = Double(configuration.motion.assumedAccuracy)
  }

  /// Looks at a fix before anybody else does.
  ///
  /// - Returns: Its position; nil when it has none, or is too late to say anything, which is counted.
  mutating func judge(_ fix: GNSSFix, _ journal: inout TrackerJournal) -> GeodeticPosition? {
    let isOld = journal.now - fix.time > staleAfter
    if isOld || lastFixTime.map({ fix.time <= $0 }) ?? false {
      journal.counts.fixesOutOfOrder &+= 1
      return nil
    }
    lastFixTime = fix.time
    if let utc = fix.utc { journal.note(utc, of: fix.time) }
    guard fix.hasPosition, let position = fix.position else {
      noteMissingPosition(at: fix.time, &journal)
      return nil
    }
    noteAcquired(at: fix.time, &journal)
    return position
  }

  private mutating func noteMissingPosition(at time: Instant, _ journal: inout TrackerJournal) {
    journal.counts.fixesWithoutPosition &+= 1
    let since = withoutPositionSince ?? time
    withoutPositionSince = since
    if !isFixLost, time - since >= .seconds(30) {
      isFixLost = true
      journal.emit(.fixLost(since: since), at: journal.now)
    }
  }

  private mutating func noteAcquired(at time: Instant, _ journal: inout TrackerJournal) {
    if isFixLost {
      isFixLost = false
      let since = withoutPositionSince ?? journal.firstInput ?? time
      // A first fix may be of before the first input.
      journal.emit(.fixAcquired(after: max(.zero, time - since)), at: journal.now)
    }
    withoutPositionSince = nil
  }

  /// Takes a fix with a position in, once motion detection has seen it.
  mutating func process(_ fix: GNSSFix, in phase: MotionPhase) {
    lastFix = fix
    // The best fix since the vehicle came to stand tells where it is parked; of equals the latest.
    if phase == .riding || phase == .alarmed || phase == .stolen {
      parkingFix = nil
      return
    }
    let assumed = assumedAccuracy
    if let held = parkingFix, Float(fix.horizontalAccuracy ?? assumed) > held.accuracy ?? Float(assumed) { return }
    parkingFix = ParkingFix(fix)
  }

  /// From now on it is watched as parked there; nil where nobody knows.
  mutating func park(at position: GeodeticPosition?) {
    parkedE7 = (.min, 0)
    guard let position else { return }
    parkedE7.latitude = Int32(clamping: roundedToE7(position.latitudeE9))
    parkedE7.longitude = Int32(clamping: roundedToE7(position.longitudeE9))
  }

  /// From this age on a packet is told with its own time: further behind the last that was told than `Handover.noteTold` looks, two of one
  /// position would have one time.
  private static var oldAge: Interval { .seconds(7) }

  func describe(in packet: inout Packet) {
    packet.position = lastFix.flatMap { PacketPosition($0) }
    packet.isStale = packet.fixAge > staleAfter
    packet.isToldWhenMade = packet.fixAge >= PlaceKeeper.oldAge
    describeReception(lastFix?.dilution.horizontal, lastFix?.satellitesInView.packed ?? 0, in: &packet)
  }

  /// Puts an earlier fix into a packet, in the place of the last position.
  func describe(_ point: PathPoint, in packet: inout Packet) {
    packet.position = point.position
    packet.isStale = packet.fixAge > staleAfter
    // Where it was then is a point of the path, and has its own time.
    packet.isToldWhenMade = false
    describeReception(point.dilution, point.satellitesInView, in: &packet)
  }

  /// Puts the parking place into a packet, in the place of the last position.
  func describeParking(in packet: inout Packet) {
    guard let fix = parkingFix, let position = fix.told else { return }
    packet.position = position
    packet.isStale = packet.fixAge > staleAfter
    packet.isToldWhenMade = packet.fixAge >= PlaceKeeper.oldAge
    describeReception(fix.dilution, fix.satellitesInView, in: &packet)
  }

  /// Of a fix only what is needed: a copy of it would be in the frame of every packet.
  @inline(never) private func describeReception(_ dilution: Float?, _ packed: UInt64, in packet: inout Packet) {
    var counts = SatelliteCounts()
    counts.packed = packed
    let inView = counts.total
    packet.readings[.satellitesInView] = inView > 0 ? Int64(inView) : nil
    guard let value = dilution, value.isFinite, value >= 0 else {
      packet.readings[.dilution] = nil
      return
    }
    packet.readings[.dilution] = Elementary.roundedInteger(Double(min(value, 1000)) * 100)
  }
}

/// The fix of a parking place, as far as anybody asks for it: half of a whole one.
private struct ParkingFix {
  var position: GeodeticPosition
  /// m
  var accuracy: Float?
  var dilution: Float?
  var satellitesInView: UInt64
  /// What packets tell of it; nil where they can't.
  var told: PacketPosition?

  /// - Returns: nil without a position.
  init?(_ fix: GNSSFix) {
    guard let position = fix.position else { return nil }
    self.position = position
    accuracy = fix.horizontalAccuracy.map { Float($0) }
    told = PacketPosition(fix)
    dilution = fix.dilution.horizontal
    satellitesInView = fix.satellitesInView.packed
  }
}

// What is kept of it over a restart.
extension PlaceKeeper {
  /// Two places with their accuracies, m; negative for one that is not known.
  struct Kept {
    var lastPosition: GeodeticPosition?
    var lastAccuracy: Float = -1
    var parkingPosition: GeodeticPosition?
    var parkingAccuracy: Float = -1

    init() {}

    init(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
      if let place = reader.place(bytes) {
        lastPosition = place.position
        lastAccuracy = place.accuracy
      }
      if let place = reader.place(bytes) {
        parkingPosition = place.position
        parkingAccuracy = place.accuracy
      }
    }
  }

  func encode(_ section: StateSections, at time: Instant, into content: inout SectionContent) {
    content.append(place: lastFix?.position, accuracy: Float(lastFix?.horizontalAccuracy ?? -1))
    content.append(place: parkingFix?.position, accuracy: parkingFix?.accuracy ?? -1)
  }

  mutating func restore(_ kept: borrowing KeptState, at time: Instant) {
    lastFix = fix(kept.places.lastPosition, kept.places.lastAccuracy, at: time)
    parkingFix = fix(kept.places.parkingPosition, kept.places.parkingAccuracy, at: time).flatMap { ParkingFix($0) }
  }

  /// A fix of an earlier life: older than what is fresh, however short the restart was.
  private func fix(_ position: GeodeticPosition?, _ accuracy: Float, at time: Instant) -> GNSSFix? {
    guard let position else { return nil }
    var fix = GNSSFix(time: time - staleAfter - .seconds(1))
    fix.mode = .twoDimensional
    fix.position = position
    fix.horizontalAccuracy = accuracy >= 0 ? Double(accuracy) : nil
    return fix
  }
}
