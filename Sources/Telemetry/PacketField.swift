import ASCIIText
import Quantities

/// A value of a packet that every form writes in the same way, each under its own name.
///
/// A new field is a stored property of `Packet` with its place in the record, and a case here with its value and its names.
@frozen public enum PacketField: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Whether the vehicle is under way, by its own wheels or not.
  case motion
  /// Satellites the position was made of.
  case satellites
  /// Charge of the battery in percent.
  case battery
  /// Voltage of the battery in volts.
  case batteryVoltage
  /// Whether the battery is being charged.
  case charging
  /// Whether there is power from outside.
  case externalPower
  /// Whether the owner is near.
  case near

  /// A value of a field as text has it.
  @frozen public enum Value: BitwiseCopyable, Sendable {
    /// A number in units of its last digit.
    case fixed(Int64, decimals: Int)
    /// Yes or no.
    case flag(Bool)
  }

  /// The number of fields.
  static var count: UInt8 { 7 }

  /// What a form calls it; nil in forms that have no such field.
  ///
  /// - Source: Leash's own JSON is ours; the others are those of the decoders named at each form.
  public func name(in format: PacketFormat) -> StaticString? {
    switch format {
    case .json:
      switch self {
      case .motion: return "motion"
      case .satellites: return "satellites"
      case .battery: return "battery"
      case .batteryVoltage: return "batteryVoltage"
      case .charging: return "charging"
      case .externalPower: return "externalPower"
      case .near: return "near"
      }
    case .ownTracks:
      switch self {
      case .motion: return "motion"
      case .battery: return "batt"
      case .batteryVoltage: return "ubatt"
      case .charging: return "bs"
      case .near: return "near"
      case .satellites, .externalPower: return nil
      }
    case .osmAnd:
      switch self {
      case .motion: return "motion"
      case .satellites: return "sat"
      case .battery: return "batt"
      case .batteryVoltage: return "battery"
      case .charging: return "charge"
      case .externalPower: return "externalPower"
      case .near: return "near"
      }
    case .traccar:
      switch self {
      case .satellites: return "satellites"
      case .batteryVoltage: return "battery"
      case .externalPower: return "externalPower"
      case .near: return "near"
      // These have places of their own in that form.
      case .motion, .battery, .charging: return nil
      }
    case .minimal, .text: return nil
    }
  }

  /// Its value in a packet, as a form has it; nil when it is unknown.
  func value(in packet: borrowing Packet, as format: PacketFormat) -> Value? {
    let supply = packet.supply
    switch self {
    case .motion: return .flag(packet.isMoving)
    case .satellites: return packet.position?.satellites.map { .fixed(Int64($0), decimals: 0) }
    case .battery: return supply?.charge.map { .fixed(Int64($0), decimals: 0) }
    case .batteryVoltage: return supply?.millivolts.map { .fixed(Int64($0), decimals: 3) }
    case .charging:
      guard format == .ownTracks else { return supply?.isCharging.map { .flag($0) } }
      return supply.flatMap { PacketField.ownTracksBatteryState($0) }
    case .externalPower: return supply?.isExternal.map { .flag($0) }
    case .near: return packet.isOwnerNear.map { .flag($0) }
    }
  }

  /// 1: unplugged, 2: charging, 3: full; nil when it is none of these or not known.
  ///
  /// - Source: booklet of OwnTracks, "JSON", `bs`.
  private static func ownTracksBatteryState(_ supply: Supply) -> Value? {
    if supply.isCharging == true { return .fixed(2, decimals: 0) }
    if supply.isExternal == false { return .fixed(1, decimals: 0) }
    return supply.isExternal == true && supply.charge == 100 ? .fixed(3, decimals: 0) : nil
  }
}

extension Packet {
  /// Writes all fields that a form has and the packet knows: `,"name":value` or, in a form, `&name=value`.
  func encodeFields(as format: PacketFormat, into sink: inout some ByteSink) {
    var place: UInt8 = 0
    while place < PacketField.count {
      defer { place += 1 }
      guard let field = PacketField(rawValue: place), let name = field.name(in: format),
        let value = field.value(in: self, as: format)
      else { continue }
      if format == .osmAnd {
        sink.append("&")
        sink.append(name)
        sink.append("=")
      } else {
        sink.append(",\"")
        sink.append(name)
        sink.append("\":")
      }
      switch value {
      case .fixed(let number, let decimals): sink.append(fixed: number, decimals: decimals)
      case .flag(let flag): sink.append(flag ? "true" : "false")
      }
    }
  }
}

extension Packet {
  /// Writes what forms of other makers have no words for, as members of their object: which alert it is and what noticed it.
  func encodeAlertMembers(into sink: inout some ByteSink) {
    if let alert {
      sink.append(",\"alert\":")
      sink.append(decimal: Int64(alert.id))
      sink.append(",\"detector\":\"")
      sink.append(alert.evidence.detector.name)
      sink.append(0x22)
    }
  }

  /// The same of what a status says.
  func encodeStatusMembers(into sink: inout some ByteSink) {
    if let status {
      sink.append(",\"alertsEnabled\":")
      sink.append(status.alertsEnabled ? "true" : "false")
      sink.append(",\"reason\":\"")
      sink.append(status.reason.name)
      sink.append(0x22)
      if status.request != 0 {
        sink.append(",\"request\":")
        sink.append(decimal: Int64(status.request))
      }
    }
  }
}
