public import InlineStorage
public import Quantities

/// What the owner can ask for.
///
/// Servers, text messages, logs and the command line say it in the same words; `RequestKind` has all of them.
@frozen public enum Request: Equatable, BitwiseCopyable, Sendable {
  /// Switches alerts on or off.
  case setAlerts(enabled: Bool)
  /// "It's me": ends the alarm; armed again once it has been still.
  case dismiss(alert: UInt32)
  /// Reports the position every `interval` for `duration`; ends that when `duration` is zero.
  case track(interval: Interval, duration: Interval)
  /// Reports the position now.
  case locate
  /// Changes settings, all of them or none, until the file has other values.
  case set(SettingChanges)
  /// Tells the value of a setting.
  case get(UInt8)
  /// "I have it": ends the alarm or the theft at hand, whatever its number.
  case found
  /// The same, as long as the alarm at hand is that of an alert.
  case foundAlert(UInt32)
  /// Ends `disarm`; what is parked is armed at once.
  case arm
  /// No alerts until the next parking.
  case disarm
  /// Answers, and does nothing else.
  case ping
  /// Answers with what has been refused.
  case info
  /// Answers with how it stands, or with what the question is about.
  case status(StatusQuestion)
  /// Sounds the buzzer.
  case sound(SoundPattern, Interval)
  /// Withholds positions from packets, or sends them again.
  case privacy(isOn: Bool)
  /// Starts anew.
  case reboot
  /// Switches the tracker's alerts on or off for good, above `setAlerts`.
  case setEnabled(Bool)
  /// Whoever knows the claim secret becomes the owner.
  case claim
  /// There is no owner any more, nor what the owner has set.
  case unclaim
  /// The owner is near, for so long; for as long as a setting says when it is zero.
  case near(for: Interval)
  /// The owner is away.
  case away
  /// Changes or lists fences.
  case fence(FenceChange)
  /// Changes or lists secure places.
  case place(PlaceChange)
  /// Changes or lists alarms.
  case alarm(AlarmChange)
  /// The time zone that alarms go by, as POSIX writes it; empty for UTC, and nil to ask which it is.
  case zone(InlineBytes<48>?)
  /// Where it is parked is a secure place from now on; the number of the `parking` packet that asks, 0 for the last, and a name.
  case secure(UInt32, InlineBytes<32>)
  /// Where it is parked is no secure place, this once; the number of the packet that asks, 0 for the last.
  case temporary(UInt32)
  /// The alarm that rang last rings again after so many minutes, 0 for as many as it says.
  case snooze(minutes: UInt8)
  /// Nothing sounds any more, and no snooze.
  case hush
  /// Shows or changes the wearer's profile.
  case profile(ProfileChange)
  /// Marks where it is now.
  case checkpoint(Checkpoint)
  /// Tells or changes the odometer.
  case odometer(OdometerChange)
  /// Reports where it is parked.
  case parking
  /// Shows or changes gear: what stands behind its word, which the module `Gear` reads. A tracker alone knows no gear.
  case gear(InlineBytes<120>)
}

/// What a `status` request asks for.
@frozen public enum StatusQuestion: Equatable, BitwiseCopyable, Sendable {
  /// How the tracker stands.
  case all
  /// The settings that other forms have words for.
  case settings
  /// The fences.
  case fences
  /// The ride that is under way, or was the last.
  case trip
  /// What the wearer has done today, which is asked of whoever counts that. A tracker alone counts nothing.
  case activity
  /// The steps between two times, seconds since 1970; both 0 for those of the day.
  case steps(from: UInt32, to: UInt32)

  /// The longest time that steps are asked for, s.
  public static var longestTime: UInt32 { 99_999_999 }
}

/// How a buzzer sounds.
@frozen public enum SoundPattern: UInt8, BitwiseCopyable, Sendable, CaseIterable, RequestWord {
  /// Long tones with short silences.
  case steady
  /// Short tones, one in each second.
  case pulse

  /// Its word.
  public var word: StaticString {
    switch self {
    case .steady: return "steady"
    case .pulse: return "pulse"
    }
  }

  /// When it is on: the detectors listen in between.
  package var beat: SoundBeat {
    switch self {
    case .steady: return .steady
    case .pulse: return .pulse
    }
  }
}

/// A kind of request: its word, how it is written, and what it does.
@frozen public enum RequestKind: UInt8, BitwiseCopyable, Sendable, CaseIterable, RequestWord {
  /// `Request.setAlerts`.
  case alerts
  /// `Request.dismiss`.
  case dismiss
  /// `Request.track`.
  case track
  /// `Request.locate`.
  case locate
  /// `Request.set`.
  case set
  /// `Request.set` with what the tracker was made with.
  case reset
  /// `Request.get`.
  case get
  /// `Request.found`.
  case found
  /// `Request.arm`.
  case arm
  /// `Request.disarm`.
  case disarm
  /// `Request.ping`.
  case ping
  /// `Request.info`.
  case info
  /// `Request.status`.
  case status
  /// `Request.sound`.
  case buzzer
  /// `Request.privacy`.
  case privacy
  /// `Request.reboot`.
  case reboot
  /// `Request.setEnabled`.
  case enabled
  /// `Request.claim`.
  case claim
  /// `Request.unclaim`.
  case unclaim
  /// `Request.near`.
  case near
  /// `Request.away`.
  case away
  /// `Request.fence`.
  case fence
  /// `Request.place`.
  case place
  /// `Request.alarm`.
  case alarm
  /// `Request.zone`.
  case zone
  /// `Request.secure`.
  case secure
  /// `Request.temporary`.
  case temporary
  /// `Request.snooze`.
  case snooze
  /// `Request.hush`.
  case hush
  /// `Request.profile`.
  case profile
  /// `Request.checkpoint`.
  case checkpoint
  /// `Request.odometer`.
  case odometer
  /// `Request.parking`.
  case parking
  /// `Request.gear`.
  case gear

  /// Its first word.
  public var word: StaticString {
    switch self {
    case .alerts: return "alerts"
    case .dismiss: return "dismiss"
    case .track: return "track"
    case .locate: return "locate"
    case .set: return "set"
    case .reset: return "reset"
    case .get: return "get"
    case .found: return "found"
    case .arm: return "arm"
    case .disarm: return "disarm"
    case .ping: return "ping"
    case .info: return "info"
    case .status: return "status"
    case .buzzer: return "buzzer"
    case .privacy: return "privacy"
    case .reboot: return "reboot"
    case .enabled: return "enabled"
    case .claim: return "claim"
    case .unclaim: return "unclaim"
    case .near: return "near"
    case .away: return "away"
    case .fence: return "fence"
    case .place: return "place"
    case .alarm: return "alarm"
    case .zone: return "zone"
    case .secure: return "secure"
    case .temporary: return "temporary"
    case .snooze: return "snooze"
    case .hush: return "hush"
    case .profile: return "profile"
    case .checkpoint: return "checkpoint"
    case .odometer: return "odometer"
    case .parking: return "parking"
    case .gear: return "gear"
    }
  }

  /// How it is written; words in capitals stand for values.
  public var syntax: StaticString {
    switch self {
    case .alerts: return "alerts on|off"
    case .dismiss: return "dismiss ALERT"
    case .track: return "track off|SECONDS DURATION"
    case .locate: return "locate"
    case .set: return "set SETTING VALUE"
    case .reset: return "reset SETTING"
    case .get: return "get SETTING"
    case .found: return "found [ALERT]"
    case .arm: return "arm"
    case .disarm: return "disarm"
    case .ping: return "ping"
    case .info: return "info"
    case .status: return "status [settings|fences|trip|activity|steps [FROM TO]]"
    case .buzzer: return "buzzer SECONDS [steady|pulse]"
    case .privacy: return "privacy on|off"
    case .reboot: return "reboot"
    case .enabled: return "enabled on|off"
    case .claim: return "claim"
    case .unclaim: return "unclaim"
    case .near: return "near [SECONDS]"
    case .away: return "away"
    case .fence: return "fence list|clear|only NUMBER...|set FENCE|NUMBER [set FENCE|on|off|delete]"
    case .place: return "place list|clear|NUMBER [set PLACE|delete]"
    case .alarm: return "alarm list|clear|NUMBER [set ALARM|on|off|delete]"
    case .zone: return "zone [TIMEZONE]"
    case .secure: return "secure [PACKET] [NAME]"
    case .temporary: return "temporary [PACKET]"
    case .snooze: return "snooze [MINUTES]"
    case .hush: return "hush"
    case .profile: return "profile [set FIELD VALUE...|FIELD [VALUE]|delete]"
    case .checkpoint: return "checkpoint [TITLE] [note TEXT] [picture NAME]"
    case .odometer: return "odometer [set METRES|add METRES|carried]"
    case .parking: return "parking"
    case .gear: return "gear [add|set|use|show|import|counter|reset|assign|delete]"
    }
  }

  /// What it does, in a few words.
  public var help: StaticString {
    switch self {
    case .alerts: return "switches alerts on or off"
    case .dismiss: return "says that the owner caused the alert"
    case .track: return "reports the position every SECONDS for DURATION seconds, or no longer"
    case .locate: return "reports the position now"
    case .set: return "changes up to four of the settings that may change while it runs"
    case .reset: return "resets a setting to its value in the file"
    case .get: return "reports the value of a setting"
    case .found: return "says that the vehicle is back, and ends an alarm or theft"
    case .arm: return "ends 'disarm'; a parked vehicle is armed at once"
    case .disarm: return "switches alerts off until the next parking"
    case .ping: return "checks that the tracker answers"
    case .info: return "reports how many requests were refused"
    case .status: return "reports the state of the tracker, or its settings, fences, steps or ride"
    case .buzzer: return "sounds the buzzer for SECONDS, an hour at most"
    case .privacy: return "removes positions from packets until switched off or stolen"
    case .reboot: return "restarts the tracker"
    case .enabled: return "off: positions but no alerts until on, whatever the other requests say"
    case .claim: return "makes the sender the owner; signed with the claim secret"
    case .unclaim: return "deletes the owner's key and all that requests have made: settings, rules, profile, gear"
    case .near: return "says that the owner is near; holds alerts back for SECONDS, an hour at most"
    case .away: return "ends 'near'"
    case .fence: return "lists or changes fences and which of them must not be left; see docs/rules.md"
    case .place: return "lists or changes secure places"
    case .alarm: return "lists or changes alarms by time and place"
    case .zone: return "reports or sets the time zone of alarms: UTC, the default, or in POSIX form"
    case .secure: return "makes the current parking place a secure place"
    case .temporary: return "says that the current parking place is not a secure place"
    case .snooze: return "repeats the last alarm after MINUTES, 120 at most"
    case .hush: return "silences the buzzer and ends 'snooze'"
    case .profile: return "shows or changes the wearer's profile: name, kind, birthday, weight, colour, note"
    case .checkpoint: return "marks the current position, with a title, a note and the name of a picture"
    case .odometer:
      return "reports the odometer, sets it, adds what was travelled without the tracker, or takes a carried ride out"
    case .parking: return "reports the current parking place"
    case .gear: return "shows or changes bikes, shoes and other gear, their distances and service counters"
    }
  }

  /// The page with examples of what one line of syntax has no room for; nil for most.
  package var page: StaticString? {
    switch self {
    case .fence, .place, .alarm: return "docs/rules.md"
    case .gear: return "docs/gear.md"
    default: return nil
    }
  }

  /// True for what changes nothing, and reports to nobody but the receivers of packets.
  public var isReadOnly: Bool {
    switch self {
    case .ping, .info, .status, .get: return true
    case .alerts, .dismiss, .track, .locate, .set, .reset, .found, .arm, .disarm, .buzzer, .privacy, .reboot,
      .enabled, .claim, .unclaim, .near, .away, .fence, .place, .alarm, .zone, .secure, .temporary, .snooze, .hush,
      .profile, .checkpoint, .odometer, .parking, .gear:
      return false
    }
  }

  /// True for what decides who the owner is: no list lets it in unsigned.
  public var isOfOwnership: Bool { self == .claim || self == .unclaim }
}
