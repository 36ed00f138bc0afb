import Foundation
import Testing

/// What tables of pages say of capacities and defaults, compared with the constants of the sources.
@Suite struct LimitTests {
  /// Pages, and their rows by the first cell. Below each row is a file of `Sources` with a piece of it for each number of the second cell, in
  /// their order; `#` stands for the number.
  private static let claims = #"""
    docs/limits.md
    NMEA sentence
      NMEA/SentenceFramer: var maximumLength: Int { # }
      NMEA/SentenceFramer: var maximumPositionLength: Int { # }
    `NMEAReceiver`: waiting fixes
      NMEA/EpochAssembler: ready = InlineQueue<#, GNSSFix>
    TXT sentence: stored text
      NMEA/Sentences/TXT: text: InlineBytes<#>
    separators of a sentence
      NMEA/SentenceFields: var capacity: Int { # }
    `MotionMonitor`: waiting events
      MotionDetection/MotionMonitor: InlineQueue<#, StampedMotionEvent>
    `Tracker`: waiting events
      TrackerCore/Parts/TrackerJournal: InlineQueue<#, TrackerEvent>
    outbox
      TrackerCore/Tracker: outbox: Outbox<#>
    spool: packets, packets waiting for the disk
      LinuxRuntime/Configuration/BoardConfiguration: spoolCapacity = #
    name of the tracker
      TrackerCore/TrackerConfiguration: trackerID = InlineBytes<#>
    topics of an uplink with `homeAssistant`
      HomeAssistant/HomeAssistantDevice: var longestTopic: Int { # }
    zones of Home Assistant
      HomeAssistant/HomeAssistantDevice: zones = InlineBytes<#>
    command line of the modem
      ATCommands/ATChannel: var commandCapacity: Int { # }
    `ModemText`: access point, address, URL, topic, header, file, credential, number
      SIM7000/Commands/ModemText: AccessPointName = ModemText<#>
      SIM7000/Commands/ModemText: ServerAddress = ModemText<#>
      SIM7000/Commands/ModemText: RequestTarget = ModemText<#>
      SIM7000/Commands/ModemText: TopicName = ModemText<#>
      SIM7000/Commands/ModemText: HeaderText = ModemText<#>
      SIM7000/Commands/ModemText: FileName = ModemText<#>
      SIM7000/Commands/ModemText: Credential = ModemText<#>
      SIM7000/Commands/ModemText: TelephoneNumber = ModemText<#>
    `ATChannel`: line
      ATCommands/ATChannel: var lineCapacity: Int { # }
    `Modem`: packets in flight
      SIM7000/Session/ModemParts: PacketBytes = InlineBytes<#>
    `Modem`: waiting actions
      SIM7000/Session/Modem: InlineQueue<#, ModemAction>
    `Modem`: waiting replies
      SIM7000/Session/ReplyQueue: var capacity: Int { # }
      SIM7000/Session/ReplyQueue: bytes = InlineBytes<#>
    `Modem`: body of an answer
      SIM7000/Session/Modem+FinishSession: var bodyLimit: Int { # }
    `Modem`: waiting NMEA sentences
      SIM7000/Session/ModemParts: SentenceBytes = InlineBytes<#>
    `Modem`: message read
      SIM7000/Session/ModemParts: MessageBytes = InlineBytes<#>
    `Modem`: messages passed on whose deletion is uncertain
      SIM7000/Session/MessageReading: InlineVector<#, MessageDigest>
    `Modem`: consecutive readings of a message
      SIM7000/Session/MessageReading: var mostTries: UInt8 { # }
      SIM7000/Session/MessageReading: var mostLosses: UInt8 { # }
    `Modem`: line of a connection
      SIM7000/Session/ModemParts: ConnectionBytes = InlineBytes<#>
    `Modem`: exchanges ordered by the ladder
      SIM7000/Session/Modem: InlineQueue<#, ModemStep>
    `Modem`: announced messages
      SIM7000/Session/Modem: announcedMessages = InlineQueue<#,
    `Modem`: starts remembered
      SIM7000/Session/Modem: InlineVector<#, Instant>
    `Modem`: wait for a result
      SIM7000/Session/Modem+Begin: var outcomeLimit: Interval { .seconds(#)
    body in `AT+SHBOD`
      SIM7000/Commands/SHBOD: body: InlineBytes<#>
    simulated modem: command line
      ModemSimulation/Core/CommandLine: capacity = #
      ModemSimulation/Core/CommandLine: maximumCommands = #
    simulated modem: input while a command runs
      ModemSimulation/Core/LineInput: busyCapacity = #
    simulated modem: answer of an HTTP request
      ModemSimulation/Data/SHSession: maximumAnswer = #
      ModemSimulation/Data/LegacyHTTP: maximumBody = #
    local page: connections, request, waiting answers
      StatusPage/StatusPageServer: connections: UInt32 = #
    virtual network: messages a broker keeps for an absent client
      ModemSimulation/Network/VirtualNetwork+Broker: var maximumQueuedMessages: Int { # }
    reported problems of a configuration
      LinuxRuntime/Configuration/ConfigurationReader: problemLimit = #
    `HTTPUplink`: body of an answer
      Uplinks/HTTP/CurlExchange: var bodyLimit: Int { # }
    request, with number and signature
      Requests/RequestEnvelope: var longestText: Int { # }
    remembered numbers of requests
      TrackerCore/Parts/RequestKeeper: numbers = InlineArray<#, UInt32>
    requests between two polls (`PacketDelivery`)
      TrackerRuntime/PacketDelivery: var hearingCapacity: Int { # }
    settings that differ from the file
      TrackerCore/Parts/SettingsKeeper: given = InlineArray<#, Former>
    answer of `get`
      Telemetry/PacketStatus: static var capacity: Int { # }
    `BlueZScanner`: devices with remembered services
      LinuxDevices/Presence/BlueZScanner: deviceLimit: Int { # }
    waiting events of fences, of alarms
      Rules/FenceGuard: InlineQueue<#, FenceEvent>
      Rules/AlarmClock: InlineQueue<#, AlarmEvent>
    `Tracker`: fences, corners of each, secure places, alarms
      TrackerCore/Parts/RuleKeeper: fences = FenceGuard<#,
      TrackerCore/Vocabulary/Rules/FenceOutline: static var capacity: Int { # }
      TrackerCore/Parts/RuleKeeper: secure = PlaceTable<#>
      TrackerCore/Parts/RuleKeeper: alarms = AlarmClock<#>
    small readings of a packet
      Telemetry/PacketReadings: static var capacity: Int { # }
      Telemetry/PacketReadings: var known: UInt# = 0
    JSON from a server
      ASCIIText/JSONValue: var depthLimit: Int { # }
    encrypted message
      OwnTracks/OwnTracksSeal: static var capacity: Int { # }
    `PacketDecoder`: message, fields
      PacketDecoding/PacketDecoder: static var capacity: Int { # }
    stored state: content of any section, of one of the tracker, of a packet
      Telemetry/StoredSection: static var capacity: Int { # }
      TrackerCore/Parts/TrackerPart: SectionContent = InlineBytes<#>
      Telemetry/Packet+Record: content = InlineBytes<#>
    control socket: connections, request, timeout
      LinuxRuntime/Control/ControlServer: var mostCallers: Int { # }
      LinuxRuntime/Control/ControlServer: var longestRequest: Int { # }
      LinuxRuntime/Control/ControlServer: var patience: Interval { .seconds(#)
    live history: positions, curve points, events and packets
      LinuxRuntime/Status/LiveHistory: track.count > #
      LinuxRuntime/Status/LiveHistory: curve.count > #
      LinuxRuntime/Status/LiveHistory: happenings.count > #
    gear, counters of each, rides that can be assigned
      Gear/GearLedger: static var capacity: Int { # }
      Gear/Gear: static var counterCapacity: Int { # }
      Gear/GearLedger: static var rideCapacity: Int { # }
    days of a pet's habit
      Activity/ActivityLedger: static var habitDays: Int { # }
      Activity/ActivityLedger: static var knownDays: Int { # }
    request about gear: what stands behind its word
      TrackerCore/Vocabulary/Request: case gear(InlineBytes<#>)
    gear: kind, id at a service, name of a counter
      Gear/Gear: kind = InlineBytes<#>
      Gear/Gear: serviceID = InlineBytes<#>
    `CellularUplink`: dialogue
      Uplinks/Cellular/ModemDialogue: var capacity: Int { # }
      Uplinks/Cellular/ModemDialogue: var lineLimit: Int { # }
    docs/nmea.md
    bytes of a sentence
      NMEA/SentenceFramer: var maximumLength: Int { # }
    bytes of a position sentence
      NMEA/SentenceFramer: var maximumPositionLength: Int { # }
    fields of a sentence
      NMEA/SentenceFields: var capacity: Int { # }
    waiting fixes
      NMEA/EpochAssembler: ready = InlineQueue<#, GNSSFix>
    silence that ends an epoch
      NMEA/EpochAssembler: silenceAfter: Interval = .milliseconds(#)
    docs/packets.md
    riding
      TrackerCore/TrackerConfiguration: var ridingInterval: Interval = .seconds(#)
      TrackerCore/TrackerConfiguration: var distance: Float = #
      TrackerCore/TrackerConfiguration: since the last report while riding, rad. Default #°
      TrackerCore/TrackerConfiguration: var speedChange: Float = #
      TrackerCore/TrackerConfiguration: var minimumInterval: Interval = .seconds(#)
    alarmed
      TrackerCore/TrackerConfiguration: var alarmInterval: Interval = .seconds(#)
    """#

  /// The second cell of each row of a page, by the first. Of the page of limits only its first table, with each limit once.
  private static func values(of page: String) throws -> [String: String] {
    let text = try Repository.text(of: page)
    let part = page == "docs/limits.md" ? text.components(separatedBy: "\n## ")[0] : text
    let rows = part.split(separator: "\n").filter { $0.hasPrefix("| ") }.map {
      $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in
      if page == "docs/limits.md" { Issue.record("\(page) has two rows of one limit: \(first)") }
      return first
    }
  }

  /// Numbers of a cell or of code, without what groups their digits.
  private static func numbers(_ text: Substring) -> [String] {
    text.matches(of: /\d[\d,_]*/).map { $0.0.filter(\.isNumber) }
  }

  @Test func theNumbersOfTheTablesAreThoseOfTheSources() throws {
    var (page, row) = ("", "")
    var values: [String: String] = [:]
    var left: [String] = []
    var count = 0
    for line in Self.claims.split(separator: "\n") {
      guard !line.hasPrefix("docs/") else {
        page = String(line)
        values = try Self.values(of: page)
        continue
      }
      guard line.hasPrefix("  ") else {
        row = String(line)
        left = Self.numbers(try #require(values[row], "\(page) has no row '\(row)'")[...])
        count += 1
        continue
      }
      let parts = line.dropFirst(2).split(separator: ":", maxSplits: 1)
      let pieces = parts[1].dropFirst().split(separator: "#", omittingEmptySubsequences: false)
      let source = try Repository.text(of: "Sources/\(parts[0]).swift")
      // The first place where a number stands between the pieces.
      let number = source.ranges(of: pieces[0]).lazy.compactMap { place -> String? in
        let rest = source[place.upperBound...]
        let digits = rest.prefix { $0.isNumber || $0 == "_" }
        return digits.isEmpty || !rest.dropFirst(digits.count).hasPrefix(pieces[1]) ? nil : digits.filter(\.isNumber)
      }.first
      let constant = try #require(number, "Sources/\(parts[0]).swift has no '\(parts[1].dropFirst())'")
      let place = left.firstIndex(of: constant)
      #expect(
        place != nil,
        "\(page), '\(row)': \(constant) in Sources/\(parts[0]).swift, '\(values[row] ?? "")' there")
      left = Array(left.dropFirst((place ?? -1) + 1))
    }
    #expect(count > 55)
  }
}
