import Quantities

/// What a packet says happened, in the words of other makers: the one table of alarms, read in both directions.
///
/// - Source: the alarm names of Traccar's position model; the triggers of OwnTracks' gateway for dedicated trackers; the IO elements of
///   Teltonika's Codec 8. Which is which is our choice: what may pass by itself is a vibration, what changed the vehicle's attitude
///   is a movement, what took it away is a tow.
@frozen public enum PacketMeaning: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Touched or shaken while parked.
  case vibration
  /// Turned, tilted or lifted while parked.
  case movement
  /// Carried or driven away.
  case tow
  /// The lock was opened.
  case unlock
  /// The box was opened, or its cable cut.
  case tampering
  /// It is where it must not be.
  case geofence
  /// It has come to a fence.
  case geofenceEnter
  /// It has left a fence.
  case geofenceExit
  /// It is outside all fences that must not be left: an alert, and not the news of one fence.
  case outside
  /// It was parked.
  case parking
  /// A ride has ended.
  case rideEnd
  /// An answer.
  case answer
  /// It is faster than its limit.
  case overspeed
  /// It gets faster by more than its limit.
  case hardAcceleration
  /// It gets slower by more than its limit.
  case hardBraking
  /// It turns harder than its limit.
  case hardCornering
  /// The battery is low.
  case lowBattery
  /// The power from outside is gone.
  case powerCut
  /// The power from outside is back.
  case powerRestored
  /// It was switched on: what others tell, and no packet of this tracker.
  case powerOn

  /// How it is written in the forms of other makers.
  public struct Words: BitwiseCopyable, Sendable {
    /// Value of `alarm` in Traccar's forms; nil for what is no alarm there.
    public var traccar: StaticString?
    /// Trigger `t` of an OwnTracks location; 0 for none.
    public var ownTracks: UInt8
    /// IO element of Codec 8 with its value; 0 for none.
    public var codec8: UInt8
    /// Value of that element.
    public var codec8Value: UInt8
  }

  private static func words(
    _ traccar: StaticString?, _ ownTracks: Unicode.Scalar, _ codec8: UInt8, _ value: UInt8 = 1
  ) -> Words {
    Words(
      traccar: traccar, ownTracks: UInt8(truncatingIfNeeded: ownTracks.value), codec8: codec8, codec8Value: value)
  }

  /// The table.
  public var words: Words {
    switch self {
    case .vibration: return PacketMeaning.words("vibration", "!", 240)
    case .movement: return PacketMeaning.words("movement", "!", 246)
    case .tow: return PacketMeaning.words("tow", "!", 246)
    case .unlock: return PacketMeaning.words("unlock", "!", 236)
    case .tampering: return PacketMeaning.words("tampering", "!", 252)
    case .geofence: return PacketMeaning.words("geofence", "!", 175, 0)
    case .geofenceEnter: return PacketMeaning.words("geofenceEnter", "c", 175, 1)
    case .geofenceExit: return PacketMeaning.words("geofenceExit", "c", 175, 0)
    case .outside: return PacketMeaning.words("geofenceExit", "!", 175, 0)
    case .parking: return PacketMeaning.words("parking", "a", 240, 0)
    case .rideEnd: return PacketMeaning.words(nil, "I", 250, 0)
    case .answer: return PacketMeaning.words(nil, "r", 0, 0)
    case .overspeed: return PacketMeaning.words("overspeed", "s", 255)
    case .hardAcceleration: return PacketMeaning.words("hardAcceleration", "h", 253, 1)
    case .hardBraking: return PacketMeaning.words("hardBraking", "h", 253, 2)
    case .hardCornering: return PacketMeaning.words("hardCornering", "h", 253, 3)
    case .lowBattery: return PacketMeaning.words("lowBattery", "9", 113)
    case .powerCut: return PacketMeaning.words("powerCut", "e", 252)
    case .powerRestored: return PacketMeaning.words("powerRestored", "E", 252, 0)
    case .powerOn: return PacketMeaning.words("powerOn", "1", 0, 0)
    }
  }

  /// What a packet means; nil for a position and nothing more.
  public init?(_ packet: borrowing Packet) {
    switch packet.kind {
    case .movement:
      switch packet.alert?.evidence.detector {
      case .touch, .handling, .brake, nil: self = .vibration
      case .tilt, .heading, .lift, .carry, .shift, .kickStand: self = .movement
      case .lock: self = .unlock
      case .tamper: self = .tampering
      case .speed, .displacement: self = .tow
      case .fence: self = .geofence
      }
    case .fence: self = .outside
    case .transition: self = packet.rule?.isEntry == true ? .geofenceEnter : .geofenceExit
    case .parking: self = .parking
    case .ride: self = .rideEnd
    case .status:
      switch packet.status?.reason {
      case .overspeed: self = .overspeed
      case .hardAcceleration: self = .hardAcceleration
      case .hardBraking: self = .hardBraking
      case .hardCornering: self = .hardCornering
      case .batteryLow, .lastPosition: self = .lowBattery
      case .powerLost: self = .powerCut
      case .powerRestored: self = .powerRestored
      default: self = .answer
      }
    case .location: return nil
    }
  }

  /// The first meaning in the table that has an alarm's name; nil when there is no such name here.
  public init?(traccar name: Span<UInt8>) {
    var place: UInt8 = 0
    while let meaning = PacketMeaning(rawValue: place) {
      if let word = meaning.words.traccar, word.utf8CodeUnitCount == name.count {
        var at = 0
        while at < name.count, word.utf8Start[at] == name[at] { at += 1 }
        if at == name.count {
          self = meaning
          return
        }
      }
      place += 1
    }
    return nil
  }
}
