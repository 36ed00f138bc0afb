import ASCIIText
import InlineStorage
import Quantities

/// A value of a packet that every form writes in the same way, each under its own name.
///
/// A new field is a case of `PacketReading`, and a case here with its value, its names, its unit and its meaning. Each form has its names
/// in a property of its own, so that firmware without that form has none of them.
@frozen public enum PacketField: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Whether the vehicle is under way, by its own wheels or not.
  case motion
  /// Satellites the position was made of.
  case satellites
  /// Horizontal dilution of precision.
  case dilution
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
  /// Strength of the mobile network's signal, dBm.
  case signal
  /// Temperature at the tracker, degrees Celsius.
  case temperature
  /// Steps of the day.
  case steps
  /// Numbers of the fences it is in.
  case fences
  /// Mobile country code of the serving cell.
  case country
  /// Mobile network code of the serving cell.
  case network
  /// Location or tracking area of the serving cell.
  case area
  /// Identity of the serving cell.
  case cell
  /// Satellites in view of the receiver, used or not.
  case satellitesInView
  /// Of a ride: time without stops.
  case movingTime
  /// Of a ride: highest speed.
  case topSpeed
  /// Of a ride: how far it went up.
  case climb
  /// Of a ride: what was carried and not ridden.
  case carried
  /// Of a pet: minutes of the day in which it was active.
  case activeMinutes
  /// Of a pet: minutes of the day in which it rested.
  case restMinutes

  /// A value of a field as text has it.
  @frozen public enum Value: Equatable, BitwiseCopyable, Sendable {
    /// A number in units of its last digit.
    case fixed(Int64, decimals: Int)
    /// Yes or no.
    case flag(Bool)
    /// Whole numbers, a byte for each, the first in the lowest; 0 for none.
    case list(UInt64)
  }

  /// What Leash's own JSON calls it.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable public var name: StaticString {
    switch self {
    case .motion: return "motion"
    case .satellites: return "satellites"
    case .dilution: return "hdop"
    case .battery: return "battery"
    case .batteryVoltage: return "batteryVoltage"
    case .charging: return "charging"
    case .externalPower: return "externalPower"
    case .near: return "near"
    case .signal: return "signal"
    case .temperature: return "temperature"
    case .steps: return "steps"
    case .fences: return "fences"
    case .country: return "mcc"
    case .network: return "mnc"
    case .area: return "area"
    case .cell: return "cell"
    case .satellitesInView: return "satellitesInView"
    case .movingTime: return "movingTime"
    case .topSpeed: return "topSpeed"
    case .climb: return "climb"
    case .carried: return "carried"
    case .activeMinutes: return "activeMinutes"
    case .restMinutes: return "restMinutes"
    }
  }

  /// What OwnTracks calls it; nil when that has no such field.
  ///
  /// - Source: booklet of OwnTracks, "JSON"; `motion` and `ubatt` are those of its gateway for dedicated trackers.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var ownTracksName: StaticString? {
    switch self {
    case .motion: return "motion"
    case .battery: return "batt"
    case .batteryVoltage: return "ubatt"
    case .charging: return "bs"
    case .near: return "near"
    case .fences: return "inrids"
    case .country: return "mcc"
    case .network: return "mnc"
    case .area: return "lac"
    case .cell: return "cid"
    // Steps are a message of their own there.
    case .satellites, .dilution, .externalPower, .signal, .temperature, .steps, .satellitesInView, .movingTime,
      .topSpeed, .climb, .carried, .activeMinutes, .restMinutes:
      return nil
    }
  }

  /// What OsmAnd's form calls it, where whatever is no field becomes an attribute of the position.
  ///
  /// - Source: Traccar's decoder of OsmAnd's online tracking, and the keys of its position model.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var osmAndName: StaticString? {
    switch self {
    case .motion: return "motion"
    case .satellites: return "sat"
    case .dilution: return "hdop"
    case .battery: return "batt"
    case .batteryVoltage: return "battery"
    case .charging: return "charge"
    case .externalPower: return "externalPower"
    case .near: return "near"
    case .signal: return "rssi"
    case .temperature: return "temperature"
    case .steps: return "steps"
    case .fences: return "fences"
    // These are one parameter, `cell`.
    case .country, .network, .area, .cell: return nil
    case .satellitesInView: return "satVisible"
    case .movingTime: return "movingTime"
    case .topSpeed: return "topSpeed"
    case .climb: return "climb"
    case .carried: return "carried"
    case .activeMinutes: return "activeMinutes"
    case .restMinutes: return "restMinutes"
    }
  }

  /// What the extras of Traccar's JSON call it; nil for what has a place of its own in that form.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable package var traccarName: StaticString? {
    switch self {
    case .motion, .battery, .charging: return nil
    case .satellites: return "satellites"
    case .dilution: return "hdop"
    case .batteryVoltage: return "battery"
    case .externalPower: return "externalPower"
    case .near: return "near"
    case .signal: return "rssi"
    case .temperature: return "temperature"
    case .steps: return "steps"
    case .fences: return "fences"
    case .country: return "mcc"
    case .network: return "mnc"
    case .area: return "area"
    case .cell: return "cell"
    case .satellitesInView: return "satVisible"
    case .movingTime: return "movingTime"
    case .topSpeed: return "topSpeed"
    case .climb: return "climb"
    case .carried: return "carried"
    case .activeMinutes: return "activeMinutes"
    case .restMinutes: return "restMinutes"
    }
  }

  /// The unit of its number in most forms; empty for what has none.
  package var unit: StaticString {
    switch self {
    case .battery: return "%"
    case .batteryVoltage: return "V"
    case .signal: return "dBm"
    case .temperature: return "°C"
    case .movingTime: return "s"
    case .topSpeed: return "m/s"
    case .climb, .carried: return "m"
    case .activeMinutes, .restMinutes: return "min"
    default: return ""
    }
  }

  /// What it says, for people.
  package var meaning: StaticString {
    switch self {
    case .motion: return "whether it is moving"
    case .satellites: return "satellites"
    case .dilution: return "dilution of precision"
    case .battery: return "battery"
    case .batteryVoltage: return "voltage of the battery"
    case .charging: return "whether the battery is charging"
    case .externalPower: return "whether there is power from outside"
    case .near: return "whether the owner is near"
    case .signal: return "signal"
    case .temperature: return "temperature"
    case .steps: return "steps"
    case .fences: return "numbers of the fences it is in"
    case .country: return "country of the cell"
    case .network: return "network of the cell"
    case .area: return "area of the cell"
    case .cell: return "cell"
    case .satellitesInView: return "satellites in view, used or not"
    case .movingTime: return "time of the ride without stops"
    case .topSpeed: return "highest speed of the ride"
    case .climb: return "how far the ride went up"
    case .carried: return "what of the ride was carried, by ferry, train or rack"
    case .activeMinutes: return "active minutes of the day"
    case .restMinutes: return "minutes at rest of the day"
    }
  }

  /// What its value can be, of whatever maker the message is.
  package enum Limit {
    /// Yes or no.
    case flag
    /// A number from, to.
    case number(Int64, Int64)
    /// A whole number from, to.
    case whole(Int64, Int64)
    /// Numbers of rows, 1 to 255.
    case list
  }

  /// What its value can be, in its unit. `leash decode` marks what is beyond, in every form that has no limit of its own for it.
  package var limit: Limit {
    switch self {
    case .motion, .charging, .externalPower, .near: return .flag
    case .fences: return .list
    case .satellites, .satellitesInView: return .whole(0, 255)
    case .dilution, .battery, .batteryVoltage: return .number(0, 100)
    case .signal: return .number(-150, 0)
    case .temperature: return .number(-90, 150)
    case .steps, .movingTime, .carried: return .whole(0, 4_294_967_295)
    case .country, .network: return .whole(0, 999)
    case .area: return .whole(0, 65_535)
    case .cell: return .whole(0, 268_435_455)
    case .topSpeed: return .number(0, 515)
    case .climb: return .number(0, 65_535)
    case .activeMinutes, .restMinutes: return .whole(0, 1500)
    }
  }

  /// The small number of a packet that it is; nil for what has a place of its own there.
  package var reading: PacketReading? {
    switch self {
    case .dilution: return .dilution
    case .signal: return .signal
    case .temperature: return .temperature
    case .steps: return .steps
    case .fences: return .fences
    case .satellitesInView: return .satellitesInView
    default: return nil
    }
  }

  /// Its value in a packet; nil when it is unknown.
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  @inlinable public func value(in packet: borrowing Packet) -> Value? {
    let supply = packet.supply
    switch self {
    case .motion: return .flag(packet.isMoving)
    case .satellites: return packet.position?.satellites.map { .fixed(Int64($0), decimals: 0) }
    case .dilution: return packet.number(.dilution)
    case .battery: return supply?.charge.map { .fixed(Int64($0), decimals: 0) }
    case .batteryVoltage: return supply?.millivolts.map { .fixed(Int64($0), decimals: 3) }
    case .charging: return supply?.isCharging.map { .flag($0) }
    case .externalPower: return supply?.isExternal.map { .flag($0) }
    case .near: return packet.isOwnerNear.map { .flag($0) }
    case .signal: return packet.number(.signal)
    case .temperature: return packet.number(.temperature)
    case .steps:
      if let steps = packet.number(.steps) { return steps }
      return packet.activityNumber(0)
    case .fences: return packet.readings[.fences].map { .list(UInt64($0)) }
    case .country: return packet.cell.map { .fixed(Int64($0.country), decimals: 0) }
    case .network: return packet.cell.map { .fixed(Int64($0.network), decimals: 0) }
    case .area: return packet.cell.map { .fixed(Int64($0.area), decimals: 0) }
    case .cell: return packet.cell.map { .fixed(Int64($0.cell), decimals: 0) }
    case .satellitesInView: return packet.number(.satellitesInView)
    case .movingTime: return packet.ride?.movingSeconds.map { .fixed(Int64($0), decimals: 0) }
    case .topSpeed: return packet.ride?.topSpeedCentimetres.map { .fixed(Int64($0), decimals: 2) }
    case .climb: return packet.ride?.climbMetres.map { .fixed(Int64($0), decimals: 0) }
    case .carried:
      return packet.carriedMetres > 0 ? .fixed(Int64(packet.carriedMetres), decimals: 0) : nil
    case .activeMinutes: return packet.activityNumber(1)
    case .restMinutes: return packet.activityNumber(2)
    }
  }
}

extension Packet {
  /// A reading as fields have it.
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  @inlinable func number(_ reading: PacketReading) -> PacketField.Value? {
    if let value = readings.value(of: reading) { return .fixed(value, decimals: reading.decimals) }
    return nil
  }

  /// What the value of a status tells of a pet's day: its steps, active minutes and minutes at rest.
  #if !hasFeature(Embedded)
    @inline(__always)
  #endif
  @inlinable func activityNumber(_ place: Int) -> PacketField.Value? {
    guard let reason = answer?.reason, reason == .activity || reason == .steps, let value else { return nil }
    return value.number(place, of: 3).map { .fixed($0, decimals: 0) }
  }

  /// Writes a field as a member of an object, `,"name":value`.
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  @inlinable package func encode(
    member name: StaticString, _ value: PacketField.Value, into sink: inout TextWriter
  ) {
    sink.append(",\"", name, "\":")
    guard case .list(let bits) = value else { return encode(value, into: &sink) }
    sink.append(0x5B)
    encode(list: bits, into: &sink)
    sink.append(0x5D)
  }

  /// Writes a field as a parameter of a form, `&name=value`.
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  @inlinable package func encode(
    parameter name: StaticString, _ value: PacketField.Value, into sink: inout TextWriter
  ) {
    sink.append("&", name, "=")
    encode(value, into: &sink)
  }

  /// Writes a value as text has it.
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  @inlinable package func encode(_ value: PacketField.Value, into sink: inout TextWriter) {
    switch value {
    case .fixed(let number, let decimals): sink.append(fixed: number, decimals: decimals)
    case .flag(let flag): sink.append(flag: flag)
    case .list(let bits): encode(list: bits, into: &sink)
    }
  }

  /// Writes numbers, `1,3`, or `"1","3"`.
  @inlinable package func encode(list bits: UInt64, isQuoted: Bool = false, into sink: inout TextWriter) {
    var rest = bits
    var isFirst = true
    while rest != 0 {
      defer { rest >>= 8 }
      guard rest & 0xFF != 0 else { continue }
      if !isFirst { sink.append(0x2C) }
      isFirst = false
      if isQuoted { sink.append(0x22) }
      sink.append(decimal: Int64(rest & 0xFF))
      if isQuoted { sink.append(0x22) }
    }
  }

  /// Writes all fields that are known, in their order, as a form has them.
  ///
  /// On a host each field stands for itself, so that its names and where its value is are known to the compiler; in firmware it is a loop.
  #if hasFeature(Embedded)
    package func encodeFields(_ form: some FieldWriting, into sink: inout TextWriter) {
      var place: UInt8 = 0
      while let field = PacketField(rawValue: place) {
        form.write(field, of: self, into: &sink)
        place += 1
      }
    }
  #else
    @_transparent @inlinable package func encodeFields(_ form: some FieldWriting, into sink: inout TextWriter) {
      form.write(.motion, of: self, into: &sink)
      form.write(.satellites, of: self, into: &sink)
      form.write(.dilution, of: self, into: &sink)
      form.write(.battery, of: self, into: &sink)
      form.write(.batteryVoltage, of: self, into: &sink)
      form.write(.charging, of: self, into: &sink)
      form.write(.externalPower, of: self, into: &sink)
      form.write(.near, of: self, into: &sink)
      form.write(.signal, of: self, into: &sink)
      form.write(.temperature, of: self, into: &sink)
      form.write(.steps, of: self, into: &sink)
      form.write(.fences, of: self, into: &sink)
      form.write(.country, of: self, into: &sink)
      form.write(.network, of: self, into: &sink)
      form.write(.area, of: self, into: &sink)
      form.write(.cell, of: self, into: &sink)
      form.write(.satellitesInView, of: self, into: &sink)
      form.write(.movingTime, of: self, into: &sink)
      form.write(.topSpeed, of: self, into: &sink)
      form.write(.climb, of: self, into: &sink)
      form.write(.carried, of: self, into: &sink)
      form.write(.activeMinutes, of: self, into: &sink)
      form.write(.restMinutes, of: self, into: &sink)
    }
  #endif
}

/// How a form writes the fields that it has words for.
@usableFromInline package protocol FieldWriting {
  /// Writes a field, if it is known and the form has it.
  func write(_ field: PacketField, of packet: borrowing Packet, into sink: inout TextWriter)
}

/// The fields of our own form.
struct JSONFields: FieldWriting {
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  func write(_ field: PacketField, of packet: borrowing Packet, into sink: inout TextWriter) {
    if let value = field.value(in: packet) { packet.encode(member: field.name, value, into: &sink) }
  }
}

extension Packet {
  /// Writes what forms of other makers have no words for, as members of their object: which alert it is and what noticed it.
  package func encodeAlertMembers(into sink: inout TextWriter) {
    if let alert {
      sink.append(",\"alert\":")
      sink.append(decimal: Int64(alert.id))
      sink.append(",\"detector\":\"")
      sink.append(alert.evidence.detector.name)
      sink.append(0x22)
      if alert.repetition > 0 {
        // Receivers that drop an alarm equal to the last one see another.
        sink.append(",\"repetition\":")
        sink.append(decimal: Int64(alert.repetition))
      }
    }
  }

  /// The same of what a status says.
  package func encodeStatusMembers(into sink: inout TextWriter) {
    if let status {
      sink.append(",\"alertsEnabled\":")
      sink.append(flag: status.alertsEnabled)
      sink.append(",\"reason\":\"")
      sink.append(status.reason.name)
      sink.append(0x22)
      if status.request != 0 {
        sink.append(",\"request\":")
        sink.append(decimal: Int64(status.request))
      }
      if let value {
        sink.append(",\"value\":")
        sink.append(jsonString: value.text.span)
      }
    }
  }
}
