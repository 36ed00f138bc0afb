public import ASCIIText
public import InlineStorage
import Quantities

/// How Home Assistant is told what there is.
@frozen public enum HomeAssistantForm: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// One message for all entities, as servers since 2024.12 take it.
  case device
  /// A message for each entity, which servers before take, too; with an id of 24 bytes and usual topics 512 bytes at most.
  case components

  /// The name used in configurations.
  public var name: StaticString { self == .device ? "device" : "components" }
}

/// A tracker as Home Assistant is to see it, and the messages of MQTT discovery that say so.
///
/// Home Assistant reads the packets themselves, in their `json` form, from the topic that they are published on, and beside it
/// `TOPIC/alert`, `TOPIC/status` and `TOPIC/ride`, on which the last packet of that kind stays when others have come, and `TOPIC/state`,
/// on which the board says how many packets wait, whether it is tracked live, and how its switch against tampering stands.
///
/// - Source: Home Assistant's manual, "MQTT", "MQTT Discovery", and the integration's source of 2024.3 and 2025.4.
@frozen public struct HomeAssistantDevice: Equatable, BitwiseCopyable, Sendable {
  /// The longest topic there may be, bytes.
  public static var longestTopic: Int { 96 }

  /// What stands for the tracker in topics and identifiers: letters, digits, `_` and `-`.
  public private(set) var id = InlineBytes<104>()
  /// What people call it.
  public var name = InlineBytes<64>()
  /// The program's version; empty for none.
  public var version = InlineBytes<32>()
  /// Where the packets are.
  public var topic = InlineBytes<96>()
  /// Where requests go; empty when there is no such topic.
  public var commandTopic = InlineBytes<96>()
  /// Where `online` and `offline` are.
  public var availabilityTopic = InlineBytes<96>()
  /// Whether the board tells of itself beside the packets (`TOPIC/state`); over a modem each change would cost a message. Default: yes.
  public var hasState = true
  /// What may be asked there without a signature: no control is shown that would be refused.
  public var requests: HomeAssistantRequests = []
  /// Home Assistant's zones for the tracker's fences 1, 2 …, in single quotes with commas between them; empty to have coordinates decide.
  public private(set) var zones = InlineBytes<192>()

  /// A tracker by its id, UTF-8.
  public init(trackerID: Span<UInt8>) {
    id.append("leash_")
    var place = 0
    while place < trackerID.count {
      let byte = trackerID[place]
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: id.append(byte)
      default:
        // An id of other letters has a name of its own, too.
        id.append(0x5F)
        let isAmbiguous = isHexadecimal(trackerID, place + 1) && isHexadecimal(trackerID, place + 2)
        if byte != 0x5F || isAmbiguous { id.append(hexadecimal: byte) }
      }
      place += 1
    }
    name.append(contentsOf: trackerID)
  }

  /// Has the tracker's next fence stand for a zone, in place of its coordinates.
  ///
  /// - Parameter name: Letters, digits, blanks, `_`, `-` and `.`.
  /// - Returns: False, and nothing changed, when the name has others or there is no room.
  public mutating func addZone(_ name: Span<UInt8>) -> Bool {
    var place = 0
    while place < name.count {
      switch name[place] {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x2D, 0x2E, 0x5F, 0x80...: break
      default: return false
      }
      place += 1
    }
    guard name.count > 0, zones.count + name.count + 3 <= 192 else { return false }
    if !zones.isEmpty { zones.append(0x2C) }
    zones.append(0x27)
    zones.append(contentsOf: name)
    zones.append(0x27)
    return true
  }

  /// True when an entity is shown: it has what its control needs.
  public func offers(_ entity: HomeAssistantEntity) -> Bool {
    if !hasState, entity.source == .state { return false }
    switch entity {
    case .dismiss, .found, .locate, .buzzer, .ask, .alerts, .privacy, .live:
      return !commandTopic.isEmpty && requests.isSuperset(of: entity.needs)
    // Home Assistant has no panel that only shows.
    case .alarm: return !commandTopic.isEmpty
    default: return true
    }
  }

  // MARK: Topics

  /// Writes the topic of the message of one entity.
  public func encodeTopic(of entity: HomeAssistantEntity, prefix: Span<UInt8>, into sink: inout some ByteSink) {
    sink.append(bytes: prefix)
    sink.append("/")
    sink.append(entity.platform)
    sink.append("/")
    sink.append(bytes: id.span)
    sink.append("/")
    sink.append(entity.key)
    sink.append("/config")
  }

  /// Writes the topic of the message of all entities.
  public func encodeTopic(prefix: Span<UInt8>, into sink: inout some ByteSink) {
    sink.append(bytes: prefix)
    sink.append("/device/")
    sink.append(bytes: id.span)
    sink.append("/config")
  }

  // MARK: Messages

  /// Writes the message of one entity.
  ///
  /// - Returns: False, and nothing written, when it is not shown: then an empty message takes it away.
  public func encode(_ entity: HomeAssistantEntity, into sink: inout some ByteSink) -> Bool {
    guard offers(entity) else { return false }
    sink.write { write(entity, into: &$0) }
    return true
  }

  private func write(_ entity: HomeAssistantEntity, into sink: inout TextWriter) {
    let own = topic.span
    let base = baseCount(of: own)
    sink.append(#"{"~":"#)
    sink.append(jsonString: own.extracting(0..<base))
    if entity.sourceKey == nil {
      sink.append(#","avty_t":"#)
      HomeAssistantDevice.append(availabilityTopic.span, beside: own, base: base, into: &sink)
    }
    sink.append(#","dev":{"ids":""#)
    sink.append(bytes: id.span)
    sink.append(#"","name":"#)
    sink.append(jsonString: name.span)
    // Once is enough, in a short message; the others are known by the identifier.
    if entity == .moving { encodeMaker(into: &sink) }
    sink.append("}")
    if entity == .moving { encodeOrigin(into: &sink) }
    encodeMembers(of: entity, beside: own, base: base, into: &sink)
    sink.append("}")
  }

  /// Writes the message of all entities; what is not shown is taken away by it.
  public func encode(into sink: inout some ByteSink) {
    sink.write { writeAll(into: &$0) }
  }

  private func writeAll(into sink: inout TextWriter) {
    let own = topic.span
    let base = baseCount(of: own)
    // A list, as an entity's own list takes its place: with a single topic beside that the message would be refused.
    sink.append(#"{"avty":[{"t":"#)
    sink.append(jsonString: availabilityTopic.span)
    sink.append(#"}],"dev":{"ids":""#)
    sink.append(bytes: id.span)
    sink.append(#"","name":"#)
    sink.append(jsonString: name.span)
    encodeMaker(into: &sink)
    sink.append("}")
    encodeOrigin(into: &sink)
    sink.append(#","cmps":{"#)
    var place: UInt8 = 0
    while place < HomeAssistantEntity.count {
      defer { place += 1 }
      guard let entity = HomeAssistantEntity(rawValue: place) else { continue }
      if place > 0 { sink.append(",") }
      sink.append("\"")
      sink.append(entity.key)
      sink.append(#"":{"p":""#)
      sink.append(entity.platform)
      sink.append("\"")
      if offers(entity) {
        // The short word for a topic holds for one entity only.
        sink.append(#","~":"#)
        sink.append(jsonString: own.extracting(0..<base))
        encodeMembers(of: entity, beside: own, base: base, into: &sink)
      }
      sink.append("}")
    }
    sink.append("}}")
  }

  /// How many bytes of the packets' topic stand for `~`: the levels that it shares with the other topics, or all where it shares none.
  private func baseCount(of own: Span<UInt8>) -> Int {
    var shared = HomeAssistantDevice.sharedCount(own, availabilityTopic.span, own.count)
    if !commandTopic.isEmpty { shared = HomeAssistantDevice.sharedCount(own, commandTopic.span, shared) }
    return shared > 0 ? shared : own.count
  }

  /// The bytes of whole levels at the beginning of a topic, `limit` at most, with which another begins, too.
  private static func sharedCount(_ own: Span<UInt8>, _ other: Span<UInt8>, _ limit: Int) -> Int {
    let count = limit < other.count ? limit : other.count
    var place = 0
    var end = 0
    while place < count, own[place] == other[place] {
      if own[place] == 0x2F { end = place }
      place += 1
    }
    // The last level is whole where both end it.
    let isWhole = (place == own.count || own[place] == 0x2F) && (place == other.count || other[place] == 0x2F)
    return isWhole ? place : end
  }

  /// Writes a topic, with `~` for what it shares with that of the packets.
  private static func append(_ other: Span<UInt8>, beside own: Span<UInt8>, base: Int, into sink: inout TextWriter) {
    guard sharedCount(own, other, base) == base else {
      sink.append(jsonString: other)
      return
    }
    sink.append("\"~")
    sink.append(jsonText: other.extracting(base..<other.count))
    sink.append("\"")
  }

  /// Writes the topic of the packets, or one below it.
  private static func append(
    _ source: HomeAssistantSource, of own: Span<UInt8>, base: Int, into sink: inout TextWriter
  ) {
    sink.append("\"~")
    sink.append(jsonText: own.extracting(base..<own.count))
    sink.append(source.suffix)
    sink.append("\"")
  }

  private func encodeMaker(into sink: inout TextWriter) {
    sink.append(#","mf":"Leash","mdl":"Leash tracker""#)
    guard !version.isEmpty else { return }
    sink.append(#","sw":"#)
    sink.append(jsonString: version.span)
  }

  private func encodeOrigin(into sink: inout TextWriter) {
    sink.append(#","o":{"name":"Leash""#)
    if !version.isEmpty {
      sink.append(#","sw":"#)
      sink.append(jsonString: version.span)
    }
    sink.append("}")
  }

  /// Members of one entity, each with a comma before it.
  private func encodeMembers(
    of entity: HomeAssistantEntity, beside own: Span<UInt8>, base: Int, into sink: inout TextWriter
  ) {
    sink.append(#","uniq_id":""#)
    sink.append(bytes: id.span)
    sink.append("_")
    sink.append(entity.key)
    sink.append(#"","name":"#)
    if entity == .position {
      sink.append("null")
    } else {
      sink.append("\"")
      sink.append(entity.name)
      sink.append("\"")
    }
    switch entity {
    case .position:
      sink.append(#","json_attr_t":"#)
      HomeAssistantDevice.append(.packet, of: own, base: base, into: &sink)
      sink.append(#","src_type":"gps""#)
      guard !zones.isEmpty else {
        sink.append(HomeAssistantEntity.positionTemplate)
        return
      }
      sink.append(HomeAssistantEntity.zonesTemplate.start)
      sink.append(bytes: zones.span)
      sink.append(HomeAssistantEntity.zonesTemplate.end)
      return
    case .dismiss, .found, .locate, .buzzer, .ask: break
    default:
      sink.append(#","stat_t":"#)
      HomeAssistantDevice.append(entity.source, of: own, base: base, into: &sink)
    }
    if let key = entity.sourceKey {
      // There while the tracker is, and what measures it.
      sink.append(#","avty":[{"t":"#)
      HomeAssistantDevice.append(availabilityTopic.span, beside: own, base: base, into: &sink)
      sink.append(#"},{"t":"#)
      HomeAssistantDevice.append(entity.source, of: own, base: base, into: &sink)
      sink.append(#","val_tpl":"{{iif('"#)
      sink.append(key)
      sink.append(#"' in value_json,'online','offline')}}"}],"avty_mode":"all""#)
    }
    switch entity {
    case .lastAlert, .ride, .dismiss:
      sink.append(#","json_attr_t":"#)
      HomeAssistantDevice.append(entity.source, of: own, base: base, into: &sink)
    default: break
    }
    switch entity {
    case .alarm, .dismiss, .found, .locate, .buzzer, .ask, .alerts, .privacy, .live:
      sink.append(#","cmd_t":"#)
      HomeAssistantDevice.append(commandTopic.span, beside: own, base: base, into: &sink)
      sink.append(#","qos":1"#)
    case .alert: sink.append(#","qos":1"#)
    default: break
    }
    switch entity {
    case .alarm:
      sink.append(HomeAssistantEntity.alarmTemplate)
      sink.append(#","pl_arm_away":"arm","pl_disarm":"disarm","cod_arm_req":false,"sup_feat":["#)
      if requests.contains(.arm) { sink.append(#""arm_away""#) }
      sink.append("]")
    case .alert:
      sink.append(HomeAssistantEntity.eventTemplate)
      sink.append(#","evt_typ":["#)
      var place: UInt8 = 0
      while let detector = MovementDetector(rawValue: place) {
        if place > 0 { sink.append(",") }
        sink.append("\"")
        sink.append(detector.name)
        sink.append("\"")
        place += 1
      }
      sink.append("]")
    default: sink.append(entity.members)
    }
  }
}

/// True where there is such a digit.
private func isHexadecimal(_ text: Span<UInt8>, _ place: Int) -> Bool {
  guard place < text.count else { return false }
  switch text[place] {
  case 0x30...0x39, 0x41...0x46, 0x61...0x66: return true
  default: return false
  }
}
