/// What Home Assistant shows of a tracker and lets its user ask: one entity each, by MQTT discovery.
///
/// All of them read the `json` form of packets by templates. A key that a packet leaves out becomes `None`, which Home Assistant shows
/// as unknown: no value outlives the packet that did not have it.
@frozen public enum HomeAssistantEntity: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  // What it shows.
  case position, alarm, alert, lastAlert
  case moving, near, stale, withheld, disabled, charging, externalPower, tamper
  case phase, battery, voltage, speed, course, altitude, accuracy, distance, satellites, fixTime, ride, temperature
  case signal, steps, active, resting, dilution, outbox
  // What it can be asked.
  case dismiss, found, locate, buzzer, ask, alerts, privacy, live

  /// The number of entities.
  public static var count: UInt8 { 38 }

  /// What Home Assistant calls its kind.
  public var platform: StaticString {
    switch self {
    case .position: return "device_tracker"
    case .alarm: return "alarm_control_panel"
    case .alert: return "event"
    case .moving, .near, .stale, .withheld, .disabled, .charging, .externalPower, .tamper:
      return "binary_sensor"
    case .lastAlert, .phase, .battery, .voltage, .speed, .course, .altitude, .accuracy, .distance, .satellites,
      .fixTime,
      .ride, .temperature, .signal, .steps, .active, .resting, .dilution, .outbox:
      return "sensor"
    case .dismiss, .found, .locate, .buzzer, .ask: return "button"
    case .alerts, .privacy, .live: return "switch"
    }
  }

  /// Its own part of topics and identifiers; it is for ever.
  public var key: StaticString {
    switch self {
    case .position: return "position"
    case .alarm: return "alarm"
    case .alert: return "alert"
    case .lastAlert: return "last_alert"
    case .moving: return "moving"
    case .near: return "near"
    case .stale: return "stale"
    case .withheld: return "private"
    case .disabled: return "disabled"
    case .charging: return "charging"
    case .externalPower: return "external_power"
    case .tamper: return "tamper"
    case .phase: return "phase"
    case .battery: return "battery"
    case .voltage: return "voltage"
    case .speed: return "speed"
    case .course: return "course"
    case .altitude: return "altitude"
    case .accuracy: return "accuracy"
    case .distance: return "distance"
    case .satellites: return "satellites"
    case .fixTime: return "fix_time"
    case .ride: return "ride"
    case .temperature: return "temperature"
    case .signal: return "signal"
    case .steps: return "steps"
    case .active: return "active_minutes"
    case .resting: return "rest_minutes"
    case .dilution: return "hdop"
    case .outbox: return "outbox"
    case .dismiss: return "dismiss"
    case .found: return "found"
    case .locate: return "locate"
    case .buzzer: return "buzzer"
    case .ask: return "ask"
    case .alerts: return "alerts"
    case .privacy: return "privacy"
    case .live: return "live"
    }
  }

  /// What people read beside the tracker's name; empty for the one that is the tracker itself.
  public var name: StaticString {
    switch self {
    case .position: return ""
    case .alarm: return "Alarm"
    case .alert: return "Alert"
    case .lastAlert: return "Last alert"
    case .moving: return "Moving"
    case .near: return "Owner near"
    case .stale: return "Position old"
    case .withheld: return "Position withheld"
    case .disabled: return "Disabled"
    case .charging: return "Charging"
    case .externalPower: return "External power"
    case .tamper: return "Tampering"
    case .phase: return "Phase"
    case .battery: return "Battery"
    case .voltage: return "Battery voltage"
    case .speed: return "Speed"
    case .course: return "Course"
    case .altitude: return "Altitude"
    case .accuracy: return "Accuracy"
    case .distance: return "Distance"
    case .satellites: return "Satellites"
    case .fixTime: return "Position of"
    case .ride: return "Last ride"
    case .temperature: return "Temperature"
    case .signal: return "Signal"
    case .steps: return "Steps"
    case .active: return "Active today"
    case .resting: return "At rest today"
    case .dilution: return "Dilution"
    case .outbox: return "Packets waiting"
    case .dismiss: return "It's me"
    case .found: return "Found"
    case .locate: return "Locate"
    case .buzzer: return "Buzzer"
    case .ask: return "Ask how it is"
    case .alerts: return "Alerts"
    case .privacy: return "Withhold position"
    case .live: return "Follow"
    }
  }

  /// Which topic it reads.
  var source: HomeAssistantSource {
    switch self {
    case .alert, .lastAlert, .dismiss: return .alert
    case .alerts, .steps, .active, .resting: return .status
    case .ride: return .ride
    case .outbox, .tamper, .live: return .state
    case .found, .locate, .buzzer, .ask: return .none
    default: return .packet
    }
  }

  /// The requests that must be allowed without a signature for it to be of any use; an alarm panel shows without them, too.
  public var needs: HomeAssistantRequests {
    switch self {
    case .dismiss: return .dismiss
    case .found: return .found
    case .locate: return .locate
    case .live: return .track
    case .buzzer: return .buzzer
    case .alerts: return .alerts
    case .privacy: return .privacy
    default: return []
    }
  }
}

extension HomeAssistantEntity {
  /// The key of what is measured by something that not every tracker has, or does not have always: where it is missing the entity is not
  /// available. Nil for what the tracker itself knows.
  var sourceKey: StaticString? {
    switch self {
    case .near: return "near"
    case .charging: return "charging"
    case .externalPower: return "externalPower"
    case .battery: return "battery"
    case .voltage: return "batteryVoltage"
    case .temperature: return "temperature"
    case .signal: return "signal"
    case .tamper: return "tamper"
    default: return nil
    }
  }
}

/// Where an entity's value stands.
enum HomeAssistantSource {
  /// Nowhere.
  case none
  /// In the newest packet.
  case packet
  /// In the last alert, the last answer and the last ride, which stay when other packets have come.
  case alert, status, ride
  /// In what the board says of itself, beside the packets.
  case state

  /// What follows the topic of the packets.
  var suffix: StaticString {
    switch self {
    case .none, .packet: return ""
    case .alert: return "/alert"
    case .status: return "/status"
    case .ride: return "/ride"
    case .state: return "/state"
    }
  }
}

/// Requests that Home Assistant's controls make; they can't be signed there.
@frozen public struct HomeAssistantRequests: OptionSet, BitwiseCopyable, Sendable {
  /// A bit for each.
  public var rawValue: UInt16

  /// A set of its bits.
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// `dismiss`.
  @inlinable public static var dismiss: HomeAssistantRequests { HomeAssistantRequests(rawValue: 1) }
  /// `found`.
  @inlinable public static var found: HomeAssistantRequests { HomeAssistantRequests(rawValue: 2) }
  /// `arm`.
  @inlinable public static var arm: HomeAssistantRequests { HomeAssistantRequests(rawValue: 4) }
  /// `disarm`.
  @inlinable public static var disarm: HomeAssistantRequests { HomeAssistantRequests(rawValue: 8) }
  /// `locate`.
  @inlinable public static var locate: HomeAssistantRequests { HomeAssistantRequests(rawValue: 16) }
  /// `track`.
  @inlinable public static var track: HomeAssistantRequests { HomeAssistantRequests(rawValue: 32) }
  /// `buzzer`.
  @inlinable public static var buzzer: HomeAssistantRequests { HomeAssistantRequests(rawValue: 64) }
  /// `alerts`.
  @inlinable public static var alerts: HomeAssistantRequests { HomeAssistantRequests(rawValue: 128) }
  /// `privacy`.
  @inlinable public static var privacy: HomeAssistantRequests { HomeAssistantRequests(rawValue: 256) }
}
