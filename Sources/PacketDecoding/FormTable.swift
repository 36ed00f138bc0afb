import ASCIIText
import PacketForms
import Quantities
import Telemetry

/// What each form carries of a packet, found out by changing one thing at a time and looking whether any byte of its messages changes.
public enum FormTable {
  /// A thing that a packet says.
  public struct Content: Sendable {
    /// For people.
    public let name: String
    let kind: PacketKind
    /// What the change is compared with, beside the sample.
    let basis: @Sendable (inout Packet) -> Void
    let change: @Sendable (inout Packet) -> Void

    init(
      _ name: String, _ kind: PacketKind = .location, from basis: @escaping @Sendable (inout Packet) -> Void = { _ in },
      _ change: @escaping @Sendable (inout Packet) -> Void
    ) {
      self.name = name
      self.kind = kind
      self.basis = basis
      self.change = change
    }
  }

  /// All there is to say, in the order of `docs/packets.md`.
  public static let contents = state + fields + rest

  private static let state: [Content] = [
    Content("kind") { $0.kind = .parking },
    Content("sequence") { $0.sequence += 1 },
    Content("life of the tracker") { $0.boot += 1 },
    Content("time of the position") { $0.position?.fixTime = .seconds(40) },
    Content("time of the packet") {
      // The position stays where it was in UTC.
      $0.utc = $0.utc.map { $0 + .seconds(3600) }
      $0.position?.fixTime = .seconds(100 - 3600)
    },
    Content("its own clock") { packet in
      packet.time = packet.time + .seconds(500)
      if let time = packet.position?.fixTime { packet.position?.fixTime = time + .seconds(500) }
    },
    Content("phase") { $0.phase = .stolen },
    Content("armed") { $0.isArmed = false },
    Content("latitude, longitude") { $0.position?.latitudeE7 += 1000 },
    Content("accuracy") { $0.position?.accuracyDecimetres = 90 },
    Content("stale") { $0.isStale = true },
    Content("private") { $0.isPrivate = true },
    Content("disabled") { $0.isDisabled = true },
    Content("altitude") { $0.position?.altitudeDecimetres = 990 },
    Content("speed") { $0.position?.speedCentimetres = 900 },
    Content("course") { $0.position?.courseCentidegrees = 900 },
    // Another value may stand for one that is not known: the one that the form would write for it.
    Content("accuracy: that it is unknown", from: { $0.position?.accuracyDecimetres = 1000 }) {
      $0.position?.accuracyDecimetres = nil
    },
    Content("altitude: that it is unknown", from: { $0.position?.altitudeDecimetres = 0 }) {
      $0.position?.altitudeDecimetres = nil
    },
    Content("speed: that it is unknown", from: { $0.position?.speedCentimetres = 0 }) {
      $0.position?.speedCentimetres = nil
    },
    Content("course: that it is unknown", from: { $0.position?.courseCentidegrees = 0 }) {
      $0.position?.courseCentidegrees = nil
    },
    Content("distance") { $0.distanceMetres += 5000 },
    Content("roll, pitch") { ($0.rollDecidegrees, $0.pitchDecidegrees) = (99, 99) },
  ]

  private static let fields = PacketField.allCases.compactMap { content($0) }

  /// A change of a field; nil for what is a part of another's row. A field that is a small number needs no line here.
  static func content(_ field: PacketField) -> Content? {
    switch field {
    case .motion: return Content("motion") { $0.phase = .parked }
    case .satellites: return Content("satellites") { $0.position?.satellites = 4 }
    case .battery: return Content("battery") { $0.supply?.charge = 5 }
    case .batteryVoltage: return Content("battery voltage") { $0.supply?.millivolts = 3333 }
    case .charging: return Content("charging") { $0.supply?.isCharging = true }
    case .externalPower: return Content("external power") { $0.supply?.isExternal = true }
    case .near: return Content("near") { $0.isOwnerNear = true }
    case .cell: return Content("cell") { $0.cell?.cell += 1 }
    case .country, .network, .area: return nil
    case .movingTime: return Content("ride: time without stops", .ride) { $0.ride?.movingSeconds = 70 }
    case .topSpeed: return Content("ride: highest speed", .ride) { $0.ride?.topSpeedCentimetres = 900 }
    case .climb: return Content("ride: climb", .ride) { $0.ride?.climbMetres = 40 }
    case .carried: return Content("ride: carried", .ride) { $0.carriedMetres = 700 }
    case .activeMinutes: return activity("active minutes", "100 9 20")
    case .restMinutes: return activity("minutes at rest", "100 10 99")
    default:
      return field.reading.map { reading in Content("\(field.name)") { $0.readings[reading] = 99 } }
    }
  }

  /// A change of what a status tells of a pet's day.
  private static func activity(_ name: String, _ changed: String) -> Content {
    @Sendable func tell(_ text: String, _ packet: inout Packet) {
      packet.status = PacketStatus(reason: .activity, alertsEnabled: true)
      packet.value = PacketText(Array(text.utf8).span)
    }
    return Content("pet: \(name)", .status, from: { tell("100 10 20", &$0) }) { tell(changed, &$0) }
  }

  private static let rest: [Content] = [
    Content("alert: number", .movement) { $0.alert?.id += 1 },
    Content("alert: repetition", .movement) { $0.alert?.repetition += 1 },
    Content("alert: what it means", .movement) { $0.alert?.evidence.detector = .tilt },
    Content("alert: detector", .movement) { $0.alert?.evidence.detector = .displacement },
    Content("alert: ratio", .movement) { $0.alert?.evidence.ratio = 9 },
    Content("alert: onset, duration", .movement) { $0.alert?.evidence.duration = .seconds(9) },
    Content("alert: tilt, displacement, turn", .movement) { $0.alert?.evidence.displacement = 9 },
    Content("ride: distance, start, end", .ride) { $0.ride?.distanceMetres += 1000 },
    Content("fence: name", .transition) { $0.setRule("field") },
    Content("fence: number", .transition) { $0.setRule("garden", number: 4) },
    Content("fence: entered or left", .transition) { $0.setRule("garden", isEntry: false) },
    Content("fence: when crossed", .transition) { $0.setRule("garden", ago: .seconds(60)) },
    Content("status: reason", .status) { $0.status?.reason = .alertsOff },
    Content("status: alerts enabled", .status) { $0.status?.alertsEnabled = false },
    Content("status: request", .status) { $0.status?.request += 1 },
    Content("status: value", .status) { $0.value = PacketText(Array("9".utf8).span) },
  ]

  /// A packet of a kind with all that it can have.
  static func sample(_ kind: PacketKind) -> Packet {
    var packet = Packet(
      kind: kind, time: .seconds(100), utc: UTCTime(microseconds: 1_700_000_000_000_000), phase: .alarmed, isArmed: true
    )
    (packet.sequence, packet.boot) = (17, 3)
    var fix = GNSSFix(time: .seconds(100))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: 48_858_330_000, longitudeE9: 2_295_130_000)
    (fix.heightAboveSeaLevel, fix.speed, fix.course, fix.horizontalAccuracy) = (35, 5, 4.73, 5)
    fix.satellitesUsed = 9
    packet.position = PacketPosition(fix)
    packet.distanceMetres = 1_234_567
    (packet.rollDecidegrees, packet.pitchDecidegrees) = (-12, 34)
    packet.supply = Supply(charge: 67, millivolts: 3950, isCharging: false, isExternal: false)
    packet.isOwnerNear = false
    packet.cell = NetworkCell(country: 262, network: 1, area: 4256, cell: 19_088_743)
    for reading in PacketReading.allCases where reading != .cell { packet.readings[reading] = 3 }
    if kind == .movement {
      let evidence = MovementEvidence(
        detector: .speed, ratio: 2, onset: .seconds(99), duration: .seconds(1), displacement: 30)
      packet.alert = PacketAlert(id: 9, repetition: 1, evidence: evidence)
    }
    if kind == .ride { packet.ride = PacketRide(start: .seconds(10), end: .seconds(90), distanceMetres: 700) }
    if kind == .transition { packet.setRule("garden") }
    if kind == .status {
      packet.status = PacketStatus(reason: .info, alertsEnabled: true, request: 7)
      packet.value = PacketText(Array("2".utf8).span)
    }
    return packet
  }

  /// All messages of a packet in a form; none when it can't carry it.
  static func messages(_ packet: Packet, as form: some PacketForm) -> [UInt8] {
    var bytes = DecodedBytes()
    var part = 0
    while let head = packet.encode(part: part, as: form, trackerID: Array("bike-42".utf8).span, into: &bytes) {
      bytes.append(0x0A)
      if head.isLast { break }
      part += 1
    }
    return bytes.bytes
  }

  /// True when a form carries a content.
  public static func carries(_ content: Content, _ form: some PacketForm) -> Bool {
    var before = sample(content.kind)
    content.basis(&before)
    var after = before
    content.change(&after)
    return plain(messages(before, as: form)) != plain(messages(after, as: form))
  }

  /// Bytes in which 0.0 is 0: whoever reads a number sees no difference.
  private static func plain(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("0.0,", with: "0,").replacing("0.0}", with: "0}")
  }

  /// True when a form carries a packet of a kind that has no position.
  public static func carriesWithoutPosition(_ kind: PacketKind, _ form: some PacketForm) -> Bool {
    var packet = sample(kind)
    packet.position = nil
    return !messages(packet, as: form).isEmpty
  }

  /// True when a form carries a packet from before the time is known.
  public static func carriesWithoutTime(_ form: some PacketForm) -> Bool {
    var packet = sample(.location)
    packet.utc = nil
    return !messages(packet, as: form).isEmpty
  }

  /// What packets mean in the words of other makers, as Markdown.
  public static var alarms: String {
    var lines = ["| packet | Traccar | OwnTracks | Codec 8 |", "|---|---|---|---|"]
    func add(_ packet: String, _ words: PacketMeaning.Words?) {
      let trigger = words.map { "`\(String(decoding: [$0.ownTracks], as: UTF8.self))`" } ?? ""
      let element = words.flatMap { $0.codec8 == 0 ? nil : "\($0.codec8) = \($0.codec8Value)" } ?? ""
      lines.append("| \(packet) | \(words?.traccar.map { "`\($0)`" } ?? "") | \(trigger) | \(element) |")
    }
    var told: Set<PacketMeaning> = []
    for kind in PacketKind.allCases {
      for detector in kind == .movement ? MovementDetector.allCases.map(Optional.some) : [nil] {
        for isEntry in kind == .transition ? [true, false] : [false] {
          var packet = Packet(kind: kind, time: .zero, utc: nil, phase: .parked, isArmed: false)
          packet.alert = detector.map {
            PacketAlert(id: 1, evidence: MovementEvidence(detector: $0, ratio: 1, onset: .zero, duration: .zero))
          }
          if kind == .transition { packet.setRule("", isEntry: isEntry) }
          let meaning = PacketMeaning(packet)
          if let meaning { told.insert(meaning) }
          let detail =
            detector.map { " by `\($0.name)`" } ?? (kind == .transition ? (isEntry ? ", come" : ", gone") : "")
          add("`\(kind.name)`\(detail)", meaning?.words)
        }
      }
      guard kind == .status else { continue }
      for reason in StatusReason.allCases {
        var packet = Packet(kind: kind, time: .zero, utc: nil, phase: .parked, isArmed: false)
        packet.status = PacketStatus(reason: reason, alertsEnabled: true)
        guard let meaning = PacketMeaning(packet), meaning != .answer else { continue }
        told.insert(meaning)
        add("`\(kind.name)`, `\(reason.name)`", meaning.words)
      }
    }
    for meaning in PacketMeaning.allCases where !told.contains(meaning) { add("none, only read", meaning.words) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The table as Markdown.
  public static var text: String {
    let forms = PacketFormat.allCases
    func row(_ name: String, _ isCarried: (PacketFormat) -> Bool) -> String {
      "| \(name) |" + forms.map { isCarried($0) ? " yes |" : " – |" }.joined()
    }
    var lines = ["| |" + forms.map { " `\($0.name)` |" }.joined(), "|---|" + forms.map { _ in "---|" }.joined()]
    lines.append(row("a packet without a position") { carriesWithoutPosition(.location, $0) })
    lines.append(row("an alert without a position") { carriesWithoutPosition(.movement, $0) })
    lines.append(row("an answer without a position") { carriesWithoutPosition(.status, $0) })
    lines.append(row("a packet from before the time is known") { carriesWithoutTime($0) })
    for content in contents { lines.append(row(content.name) { carries(content, $0) }) }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Packet {
  fileprivate mutating func setRule(
    _ name: String, number: UInt8 = 3, isEntry: Bool = true, ago: Interval = .seconds(20)
  ) {
    rule = PacketRule(.fence, number, name: Array(name.utf8).span, isEntry: isEntry, ago: ago)
  }
}
