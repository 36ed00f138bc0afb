import InlineStorage

/// Why a `status` packet was sent.
@frozen public enum StatusReason: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Alerts are on.
  case alertsOn
  /// Alerts are off; `arm` and `disarm` change nothing.
  case alertsOff
  /// The alert was dismissed.
  case dismissed
  /// The alert to be dismissed is not the current one.
  case unknownAlert
  /// No answer: a part of the saved state was lost at a restart; the event `stateDamaged` says which.
  case stateDamaged
  /// The settings were changed.
  case settingsChanged
  /// The values do not go together, or the setting of `get` has no short text; none was changed. An unknown setting, one that can't
  /// be changed while the tracker runs, or a value out of range makes the request `unreadable`.
  case settingsRefused
  /// A request with this number was obeyed before; it was not obeyed again.
  case repeated
  /// The position follows in a packet of its own.
  case located
  /// Positions follow at the requested interval.
  case tracking
  /// Answer to `ping`.
  case pong
  /// Answer to `info`; the value is the number of refused requests.
  case info
  /// Answer to `status`.
  case asked
  /// Answer to `get`; the value is that of the setting.
  case setting
  /// The alarm or the theft has ended, because the owner has found the vehicle.
  case found
  /// There is no alarm or theft that `found` could end.
  case nothingToFind
  /// The vehicle is armed; if it is not parked, it is armed when it is.
  case armed
  /// The vehicle is not armed until it is parked again.
  case disarmed
  /// The buzzer sounds.
  case sounding
  /// Packets have no position from now on.
  case privacyOn
  /// Packets have positions again, because of a request or a theft.
  case privacyOff
  /// The tracker is about to restart.
  case rebooting
  /// The tracker has restarted, as requested.
  case rebooted
  /// No answer: no server was reached with the new settings, so the previous ones were restored.
  case settingsTakenBack
  /// The tracker is enabled; `alerts` and `disarm` decide whether there are alerts.
  case enabled
  /// The tracker is disabled: it sends positions but no alerts.
  case disabled
  /// The sender is the owner now.
  case claimed
  /// The tracker has no owner.
  case unclaimed
  /// No answer: the parked vehicle moves while its owner is near; the alert is held back.
  case pending
  /// No answer: the alert that was held back was caused by the owner, or has ended.
  case withdrawn
  /// The owner is near; alerts are held back.
  case near
  /// The owner is away; alerts are no longer held back.
  case away
  /// A fence, a place or an alarm was set, switched or deleted; the value is its number.
  case ruleChanged
  /// A fence, a place or an alarm was not changed; the value is the reason.
  case ruleRefused
  /// The value has the requested fences, places or alarms.
  case rules
  /// The parking place is a secure place now.
  case secured
  /// The parking place is not a secure place this time.
  case temporary
  /// The request is about no known parking.
  case unknownParking
  /// No answer: the vehicle moves at a secure place or where no rule guards it, which is not an alert.
  case movedInPlace
  /// No answer: the vehicle is back inside its fences.
  case returned
  /// No answer: an alarm has rung.
  case alarmRang
  /// No answer: an alarm was due while the tracker was off.
  case alarmMissed
  /// The alarm will ring again later.
  case snoozed
  /// The buzzer is silent.
  case hushed
  /// No answer: the armed vehicle was touched, without an alert so far.
  case touched
  /// Answer to `profile`; the value is that of the field.
  case profile
  /// The profile was changed or deleted.
  case profileChanged
  /// The profile was not changed; the value is the reason.
  case profileRefused
  /// Answer to `status settings`; the value has interval and distance of reports, and some formats send more.
  case settings
  /// Answer to `status fences`; the value has their numbers, and some formats send their places.
  case fences
  /// Answer to `status steps`; the value is the period, `FROM+DURATION` in seconds, or what a pet has done today, as in `activity`.
  case steps
  /// The owner marked the current position, by request or button; the value is its title.
  case checkpoint
  /// Positions no longer follow at the requested interval.
  case trackingOff
  /// The odometer, all of which was measured: where it stands and its uncertainty are its value, m.
  case odometerMeasured
  /// The odometer, with what was travelled without the tracker: the same, or where it stood before it was changed.
  case odometerImported
  /// The odometer, which the owner has set: the same.
  case odometerCorrected
  /// Answer to `status trip`; the packet has the `ride` that is under way, or was the last.
  case trip
  /// No answer: the speed is above its limit; the value is the speed, m/s. Only with `driving.notices`, as the next three.
  case overspeed
  /// No answer: the acceleration is above its limit; the value is the acceleration, m/s².
  case hardAcceleration
  /// No answer: the deceleration is above its limit; the value is the deceleration, m/s².
  case hardBraking
  /// No answer: the cornering is above its limit; the value is the acceleration to the side, m/s².
  case hardCornering
  /// Nothing was dismissed: a newer alert has come since; the value is its number, to be answered.
  case newerAlert
  /// No setting was changed: twelve others differ from the file, and there is no room for more; `reset` makes room.
  case settingsFull
  /// Answer to `gear`: the value is the name of the present one, or `none`; to `gear show` its distance and what is due.
  case gear
  /// Gear was changed; the value is its name.
  case gearChanged
  /// Gear was not changed; the value is the reason.
  case gearRefused
  /// No answer: a service counter is due; the value is its name and that of its gear.
  case gearDue
  /// No answer: a ride has ended at home; the value has the rides since the last time there, their metres and the gear.
  case cameHome
  /// No answer: the battery is low; the packet has its charge. Each of `readings.batteryLevels` once as it goes down.
  case batteryLow
  /// No answer: external power is gone. The next such change is reported after 5 minutes at the earliest, if it is one by then.
  case powerLost
  /// No answer: external power is back; the same.
  case powerRestored
  /// No setting was changed: four changes wait for a server's answer; more can be made when one has come, or after ten minutes.
  case settingsUnconfirmed
  /// No answer: what a pet has done today; the value is its steps, active minutes and minutes at rest. Each hour if they have changed.
  case activity
  /// No answer: a pet was much less active than usual; the value is its active minutes of the day, and of a usual day.
  case quietDay
  /// No answer: where it was last, before it spares what is left of its battery for alerts (`readings.savingLevel`). The next report by
  /// itself comes when it is charged.
  case lastPosition

  /// True for what is told without a request of what stands beside the tracker.
  package var isNoticeFromBeside: Bool {
    switch self {
    case .gearDue, .cameHome, .activity, .quietDay, .stateDamaged: return true
    default: return false
    }
  }

  /// True for an answer to a request that was let in and did nothing, because it could not.
  package var isRefusal: Bool {
    switch self {
    case .unknownAlert, .newerAlert, .nothingToFind, .settingsRefused, .settingsFull, .settingsUnconfirmed,
      .ruleRefused,
      .unknownParking, .profileRefused, .gearRefused:
      return true
    default: return false
    }
  }

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
    case .checkpoint: return "checkpoint"
    case .trackingOff: return "trackingOff"
    case .odometerMeasured: return "odometerMeasured"
    case .odometerImported: return "odometerImported"
    case .odometerCorrected: return "odometerCorrected"
    case .trip: return "trip"
    case .overspeed: return "overspeed"
    case .hardAcceleration: return "hardAcceleration"
    case .hardBraking: return "hardBraking"
    case .hardCornering: return "hardCornering"
    case .newerAlert: return "newerAlert"
    case .settingsFull: return "settingsFull"
    case .gear: return "gear"
    case .gearChanged: return "gearChanged"
    case .gearRefused: return "gearRefused"
    case .gearDue: return "gearDue"
    case .cameHome: return "cameHome"
    case .batteryLow: return "batteryLow"
    case .powerLost: return "powerLost"
    case .powerRestored: return "powerRestored"
    case .settingsUnconfirmed: return "settingsUnconfirmed"
    case .activity: return "activity"
    case .quietDay: return "quietDay"
    case .lastPosition: return "lastPosition"
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

  /// One of the whole numbers that it consists of, with a blank between two; nil for a text that is not so many numbers.
  @inline(never) @usableFromInline func number(_ wanted: Int, of count: Int) -> Int64? {
    var numbers = 0
    var digits = 0
    var number: Int64 = 0
    var result: Int64?
    var place = 0
    while place <= Int(self.count) {
      let byte = place < Int(self.count) ? self[place] : 0x20
      if byte == 0x20 {
        guard digits > 0, digits < 12 else { return nil }
        if numbers == wanted { result = number }
        numbers += 1
        (digits, number) = (0, 0)
      } else {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        number = number &* 10 &+ Int64(byte - 0x30)
        digits += 1
      }
      place += 1
    }
    return numbers == count ? result : nil
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
