import Positioning
import Quantities
import Rules
import Telemetry
import TrackerCore
import TrackerRuntime

/// How fences, secure places and alarms stand.
extension BoardRun {
  /// How they stand; nil when there is nothing to tell.
  func rulesStatus(of tracker: borrowing Tracker, _ now: Instant) -> BoardStatus.RulesStatus? {
    let tables = RuleTables(tracker)
    guard !tables.isEmpty || tracker.placeQuestion != nil || !ruleProblems.isEmpty else { return nil }
    var presence: [UInt8: PresenceState] = [:]
    for row in 0..<Tracker.ruleRows(.fence) {
      if let status = tracker.fenceStatus(row: row) { presence[status.number] = status.presence }
    }
    let zone = PosixTimeZone(Array((tables.timeZone ?? "").utf8).span) ?? PosixTimeZone()
    let here = tracker.parkedPlace
    var alarms: [BoardStatus.AlarmRuleStatus] = []
    for row in 0..<Tracker.ruleRows(.alarm) {
      guard let rule = tracker.alarmStatus(row: row) else { continue }
      alarms.append(BoardStatus.AlarmRuleStatus(rule, zone, utc: tracker.utc(of: now)))
    }
    return BoardStatus.RulesStatus(
      fences: tables.fences.map { BoardStatus.FenceStatus($0, presence[$0.outline.number] ?? .unknown) },
      state: "\(tracker.fenceState)", openAlert: tracker.openFenceAlert, placeQuestion: tracker.placeQuestion,
      places: tables.places.map { BoardStatus.PlaceStatus($0, isHere: $0.number == here) }, alarms: alarms,
      timeZone: tables.timeZone, problems: ruleProblems)
  }
}

extension BoardRun {
  /// The fences as GeoJSON, for the local page.
  var fencesJSON: [UInt8] {
    let features = rules.fences.map { fence -> String in
      let outline = fence.outline
      func text(_ ring: [(latitudeE7: Int32, longitudeE7: Int32)]) -> String {
        "[\(ring.map { "[\(degrees($0.longitudeE7)),\(degrees($0.latitudeE7))]" }.joined(separator: ","))]"
      }
      let (type, coordinates, size) =
        switch outline.shape {
        case .circle:
          (
            "Point", String(text(outline.rings[0]).dropFirst().dropLast()),
            "\"radiusMetres\":\(decimetres(outline.width)),"
          )
        case .corridor: ("LineString", text(outline.rings[0]), "\"widthMetres\":\(decimetres(outline.width)),")
        // A ring of GeoJSON ends where it began.
        case .polygon: ("Polygon", "[\(outline.rings.map { text($0 + [$0[0]]) }.joined(separator: ","))]", "")
        }
      return "{\"type\":\"Feature\",\"geometry\":{\"type\":\"\(type)\",\"coordinates\":\(coordinates)},"
        + "\"properties\":{\(size)\"number\":\(outline.number),\"name\":\(quoted(outline.name.string)),\"isActive\":\(fence.isActive)}}"
    }
    return Array("{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}".utf8)
  }
}

extension BoardStatus.FenceStatus {
  fileprivate init(_ fence: RuleTables.FenceRow, _ presence: PresenceState) {
    number = Int(fence.outline.number)
    name = fence.outline.name.string
    isActive = fence.isActive
    self.presence = "\(presence)"
    shape = "\(fence.outline.shape)"
    widthMetres = fence.outline.shape == .polygon ? nil : decimetres(fence.outline.width)
    rings = fence.outline.rings.map { ring in
      BoardStatus.Ring(
        corners: ring.map {
          BoardStatus.Corner(
            latitudeDegrees: Double($0.latitudeE7) / 1e7, longitudeDegrees: Double($0.longitudeE7) / 1e7)
        })
    }
  }
}

extension BoardStatus.PlaceStatus {
  fileprivate init(_ place: PlaceOutline, isHere: Bool) {
    self.init(
      number: Int(place.number), name: place.name.string, latitudeDegrees: Double(place.latitudeE7) / 1e7,
      longitudeDegrees: Double(place.longitudeE7) / 1e7, radiusMetres: decimetres(place.radius), isHere: isHere)
  }
}

extension BoardStatus.AlarmRuleStatus {
  fileprivate init(_ rule: AlarmRule, _ zone: PosixTimeZone, utc: UTCTime?) {
    number = Int(rule.number)
    label = rule.label.string
    isEnabled = rule.isEnabled
    // Behind number and label, which stand by themselves.
    let text = Request.alarm(.set(rule)).text
    self.rule = String(text.dropFirst("alarm \(rule.number) set \"\(rule.label.string)\" ".count))
    let due = [rule.next, rule.snoozed].compactMap { $0 }.min()
    isSnoozed = due != nil && due == rule.snoozed
    guard rule.isEnabled || isSnoozed, let due else { return }
    let local = zone.local(due)
    func padded(_ number: Int, _ digits: Int) -> String {
      String(repeating: "0", count: max(0, digits - "\(number)".count)) + "\(number)"
    }
    let date =
      "\(padded(Int(local.date.year), 4))-\(padded(Int(local.date.month), 2))-\(padded(Int(local.date.day), 2))"
    next = "\(date) \(padded(local.secondOfDay / 3600, 2)):\(padded(local.secondOfDay / 60 % 60, 2))"
    nextSeconds = utc.map { Double(due.microseconds - $0.microseconds) / 1_000_000 }
  }
}

/// A length to a decimetre, without the noise of a binary fraction.
private func decimetres(_ value: Float) -> Double { (Double(value) * 10).rounded() / 10 }
