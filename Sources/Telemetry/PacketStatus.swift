import InlineStorage

/// Why a `status` packet was sent.
@frozen public enum StatusReason: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The owner switched alerts on.
  case alertsOn
  /// The owner switched alerts off.
  case alertsOff
  /// The owner said that an alert was their own doing.
  case dismissed
  /// The owner dismissed an alert that is not the present one.
  case unknownAlert
  /// After a restart a part of what had been kept was lost; the event `stateDamaged` says which.
  case stateDamaged
  /// The owner has changed settings.
  case settingsChanged
  /// The owner wanted settings that can't be; none was changed.
  case settingsRefused
  /// A numbered request that was obeyed before: it was not obeyed again.
  case repeated
  /// The position is on its way, in a packet of its own.
  case located
  /// Positions follow at the interval that was asked for.
  case tracking
  /// An answer to `ping`.
  case pong
  /// An answer to `info`: how many requests were refused is its value.
  case info
  /// An answer to `status`.
  case asked
  /// An answer to `get`: the setting is its value.
  case setting
  /// The vehicle was found: the alarm or the theft is over.
  case found
  /// There is no alarm that could be over.
  case nothingToFind
  /// Armed at once where it is parked, and as always elsewhere.
  case armed
  /// Not armed until the next parking.
  case disarmed
  /// The buzzer sounds.
  case sounding
  /// Positions are withheld.
  case privacyOn
  /// Positions are told.
  case privacyOff
  /// It is about to start anew.
  case rebooting
  /// It has started anew, as it was asked to.
  case rebooted
  /// Settings have their former values again, as nobody was reached with the new ones.
  case settingsTakenBack
  /// The tracker is enabled: alerts come as `alerts` and `disarm` have it.
  case enabled
  /// The tracker is disabled: positions come, alerts never.
  case disabled
  /// The tracker has an owner.
  case claimed
  /// The tracker has no owner.
  case unclaimed
  /// A parked vehicle moves while its owner is near: the alert of that number is held back.
  case pending
  /// What was held back was the owner's own doing, or came to nothing.
  case withdrawn
  /// The owner has said to be near.
  case near
  /// The owner has said to be away.
  case away
  /// A fence, a place or an alarm was set, switched or deleted as asked; its value is the number.
  case ruleChanged
  /// It was not; its value is the reason.
  case ruleRefused
  /// What was asked of fences, places or alarms is its value.
  case rules
  /// Where it is parked is a secure place now.
  case secured
  /// Where it is parked is no secure place, this once.
  case temporary
  /// There is no parking that this could be about.
  case unknownParking
  /// It moves at a secure place, or where no rule guards it: no alert.
  case movedInPlace
  /// It is back within its fences.
  case returned
  /// An alarm has rung.
  case alarmRang
  /// An alarm would have rung while the tracker was off.
  case alarmMissed
  /// An alarm will ring again.
  case snoozed
  /// Nothing sounds any more.
  case hushed
  /// The vehicle was touched while it is armed, and nothing came of it yet.
  case touched
  /// What was asked of the profile is its value.
  case profile
  /// The profile was changed or deleted as asked.
  case profileChanged
  /// It was not; its value is the reason.
  case profileRefused
  /// An answer to `status settings`: the most asked for are its value, and a form may tell more.
  case settings
  /// An answer to `status fences`: their numbers are its value, and a form may tell where they are.
  case fences
  /// An answer to `status steps`: the time it is about is its value, `FROM+DURATION` in seconds.
  case steps
  /// The odometer, all of which was measured: where it stands and its uncertainty are its value, m.
  case odometerMeasured
  /// The odometer, with what was travelled without the tracker: the same, or where it stood before it was changed.
  case odometerImported
  /// The odometer, which the owner has set: the same.
  case odometerCorrected

  /// The name used in packets.
  public var name: StaticString {
    switch self {
    case .alertsOn: return "alertsOn"
    case .alertsOff: return "alertsOff"
    case .dismissed: return "dismissed"
    case .unknownAlert: return "unknownAlert"
    case .stateDamaged: return "stateDamaged"
    case .settingsChanged: return "settingsChanged"
    case .settingsRefused: return "settingsRefused"
    case .repeated: return "repeated"
    case .located: return "located"
    case .tracking: return "tracking"
    case .pong: return "pong"
    case .info: return "info"
    case .asked: return "asked"
    case .setting: return "setting"
    case .found: return "found"
    case .nothingToFind: return "nothingToFind"
    case .armed: return "armed"
    case .disarmed: return "disarmed"
    case .sounding: return "sounding"
    case .privacyOn: return "privacyOn"
    case .privacyOff: return "privacyOff"
    case .rebooting: return "rebooting"
    case .rebooted: return "rebooted"
    case .settingsTakenBack: return "settingsTakenBack"
    case .enabled: return "enabled"
    case .disabled: return "disabled"
    case .claimed: return "claimed"
    case .unclaimed: return "unclaimed"
    case .pending: return "pending"
    case .withdrawn: return "withdrawn"
    case .near: return "near"
    case .away: return "away"
    case .ruleChanged: return "ruleChanged"
    case .ruleRefused: return "ruleRefused"
    case .rules: return "rules"
    case .secured: return "secured"
    case .temporary: return "temporary"
    case .unknownParking: return "unknownParking"
    case .movedInPlace: return "movedInPlace"
    case .returned: return "returned"
    case .alarmRang: return "alarmRang"
    case .alarmMissed: return "alarmMissed"
    case .snoozed: return "snoozed"
    case .hushed: return "hushed"
    case .touched: return "touched"
    case .profile: return "profile"
    case .profileChanged: return "profileChanged"
    case .profileRefused: return "profileRefused"
    case .settings: return "settings"
    case .fences: return "fences"
    case .steps: return "steps"
    case .odometerMeasured: return "odometerMeasured"
    case .odometerImported: return "odometerImported"
    case .odometerCorrected: return "odometerCorrected"
    }
  }
}

/// What a `status` packet adds.
@frozen public struct PacketStatus: Equatable, BitwiseCopyable, Sendable {
  /// Why it was sent.
  public var reason: StatusReason
  /// Whether alerts are on; `isArmed` also asks whether the vehicle is parked.
  public var alertsEnabled: Bool
  /// The number of the request that it answers; 0 when it had none.
  public var request: UInt32

  /// A status.
  @inlinable public init(reason: StatusReason, alertsEnabled: Bool, request: UInt32 = 0) {
    self.reason = reason
    self.alertsEnabled = alertsEnabled
    self.request = request
  }
}

/// A short text in a packet: the value that was asked for.
@frozen public struct PacketText: Equatable, BitwiseCopyable, Sendable {
  /// The most bytes; more are left out.
  public static var capacity: Int { 19 }

  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt16 = 0
  private var fourth: UInt8 = 0
  /// How many there are.
  public private(set) var count: UInt8 = 0

  /// No text.
  @inlinable init() {}

  /// Takes a text, or its beginning.
  public init(_ text: Span<UInt8>) {
    self.init()
    var place = 0
    while place < text.count, place < PacketText.capacity {
      append(text[place])
      place += 1
    }
  }

  private mutating func append(_ byte: UInt8) {
    switch count {
    case 0..<8: first |= UInt64(byte) << UInt64(count * 8)
    case 8..<16: second |= UInt64(byte) << UInt64((count - 8) * 8)
    case 16..<18: third |= UInt16(byte) << UInt16((count - 16) * 8)
    default: fourth = byte
    }
    count += 1
  }

  /// A byte, 0 to `count` - 1.
  public subscript(place: Int) -> UInt8 {
    switch place {
    case 0..<8: return UInt8(truncatingIfNeeded: first >> UInt64(place * 8))
    case 8..<16: return UInt8(truncatingIfNeeded: second >> UInt64((place - 8) * 8))
    case 16..<18: return UInt8(truncatingIfNeeded: third >> UInt16((place - 16) * 8))
    default: return fourth
    }
  }

  /// Its bytes.
  package var text: InlineBytes<20> {
    var result = InlineBytes<20>()
    var place = 0
    while place < Int(count) {
      result.append(self[place])
      place += 1
    }
    return result
  }
}
