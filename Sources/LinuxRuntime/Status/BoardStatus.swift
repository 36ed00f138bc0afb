/// How a running tracker stands, as `leash status --json` and the local page show it. Units are in the names; times of
/// day are ISO 8601 in UTC.
package struct BoardStatus: Codable, Equatable, Sendable {
  /// A name with a value, for what only some devices have.
  package struct Fact: Codable, Equatable, Sendable {
    /// Name.
    package var name: String
    /// Value with its unit.
    package var value: String

    /// A fact.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The last position.
  package struct Position: Codable, Equatable, Sendable {
    /// Degrees, north positive.
    package var latitudeDegrees: Double
    /// Degrees, east positive.
    package var longitudeDegrees: Double
    /// Radius with 68 % probability, m.
    package var accuracyMetres: Double?
    /// Speed over ground, m/s.
    package var speedMetresPerSecond: Double?
    /// Course over ground, degrees from north.
    package var courseDegrees: Double?
    /// Height above the sea, m.
    package var altitudeMetres: Double?
    /// Satellites used.
    package var satellites: Int?
    /// How old it is, s.
    package var ageSeconds: Double
    /// Whether it is too old to be where the vehicle is.
    package var isStale: Bool
  }

  /// A sensor or an uplink.
  package struct Device: Codable, Equatable, Sendable {
    /// What and where.
    package var name: String
    /// `idle`, `running`, `opening`, `open` or `failed`.
    package var state: String
    /// Why it failed, in a line.
    package var reason: String?
    /// When it is tried again, s from now.
    package var retryInSeconds: Double?
    /// Inputs so far, of a sensor.
    package var inputs: Int?
    /// Inputs per second over the last seconds, of a sensor.
    package var hertz: Double?
    /// How long ago the last input came, s.
    package var lastInputSeconds: Double?
    /// Failures so far, of a sensor.
    package var failures: Int?
    /// What only some devices have.
    package var facts: [Fact]
  }

  /// A packet that waits.
  package struct WaitingPacket: Codable, Equatable, Sendable {
    /// Its number.
    package var sequence: UInt32
    /// What it reports.
    package var kind: String
    /// How often it was sent.
    package var attempts: Int
    /// How old it is, s; nil when it is from before the last restart of the machine.
    package var ageSeconds: Double?
  }

  /// The last alert.
  package struct AlertStatus: Codable, Equatable, Sendable {
    /// Its number.
    package var number: UInt32
    /// How long ago it was raised, s; left out when that was before the last start.
    package var ageSeconds: Double?
    /// What noticed it.
    package var detector: String
    /// What was measured against the threshold of that.
    package var ratio: Double
    /// How many times it was told again.
    package var repetitions: Int
    /// `unanswered` while the alarm goes on; how it ended: `dismissed` or `found` by the owner, `quiet` by itself, in a `ride`, `disarmed` as
    /// alerts were switched off, `returned` within its fences, `removed` as other fences are active; `over` when nobody saw how.
    package var outcome: String
    /// How long ago it ended, s.
    package var outcomeSeconds: Double?
  }

  /// A request that came, or all that were refused for one reason on one channel.
  package struct RequestStatus: Codable, Equatable, Sendable {
    /// How long ago it came, s; the last of those that were refused.
    package var ageSeconds: Double
    /// Which way it came: `control socket`, `text message`, `local page`, or the name of an uplink.
    package var channel: String
    /// What it asked, by the word of its kind; of one that was let in.
    package var request: String?
    /// The number that the asker gave it.
    package var number: UInt32?
    /// What was said about it last, as the `reason` of a status packet.
    package var answer: String?
    /// Why it was refused; of one that was not let in.
    package var refused: String?
    /// How often it was refused so.
    package var times: Int?
  }

  /// The outbox.
  package struct OutboxStatus: Codable, Equatable, Sendable {
    /// Packets that wait, the oldest first.
    package var waiting: [WaitingPacket]
    /// Room for so many.
    package var capacity: Int
    /// Packets that the server has.
    package var acknowledged: Int
    /// Tries beyond the first.
    package var retries: Int
    /// Reports given up for want of room.
    package var evicted: Int
    /// Packets refused for want of room.
    package var refused: Int
    /// Reports in the spool, which come back when there is room; left out when it is empty.
    package var spooled: Int?
    /// Reports that went to make room in a full spool; left out when there are none.
    package var thinned: Int?
  }

  /// The file that survives a restart.
  package struct StoreStatus: Codable, Equatable, Sendable {
    /// Its path.
    package var path: String
    /// Changes kept.
    package var commits: Int
    /// Changes that could not be kept at once.
    package var failures: Int
    /// The longest that keeping one took, ms.
    package var longestCommitMilliseconds: Double
    /// Packets that left before they were kept, because the storage took too long; absent when there was none.
    package var unkept: Int?
    /// Why the last change is not kept yet.
    package var problem: String?
    /// What happened to an older file.
    package var remark: String?
  }

  /// The recording.
  package struct RecordingStatus: Codable, Equatable, Sendable {
    /// Folder of the files.
    package var folder: String
    /// The file at hand.
    package var file: String?
    /// Bytes of this run.
    package var bytes: Int
    /// Records lost.
    package var lost: Int
    /// Files removed to make room.
    package var removed: Int
    /// Why nothing is recorded now.
    package var problem: String?
  }

  /// A place.
  package struct Corner: Codable, Equatable, Sendable {
    /// Degrees, north positive.
    package var latitudeDegrees: Double
    /// Degrees, east positive.
    package var longitudeDegrees: Double
  }

  /// Corners one after another.
  package struct Ring: Codable, Equatable, Sendable {
    /// The corners; of a closed ring the first is not told again.
    package var corners: [Corner]
  }

  /// A fence.
  package struct FenceStatus: Codable, Equatable, Sendable {
    /// Its number.
    package var number: Int
    /// Its name.
    package var name: String
    /// Whether it must not be left.
    package var isActive: Bool
    /// Whether the tracker is there: `inside`, `outside` or `unknown`.
    package var presence: String
    /// `polygon`, `circle` or `corridor`.
    package var shape: String
    /// Radius of a circle, or half the width of a corridor, m.
    package var widthMetres: Double?
    /// A circle's middle, a corridor's line, or a polygon and then its holes.
    package var rings: [Ring]
  }

  /// A secure place.
  package struct PlaceStatus: Codable, Equatable, Sendable {
    /// Its number.
    package var number: Int
    /// Its name.
    package var name: String
    /// Its middle, degrees, north positive.
    package var latitudeDegrees: Double
    /// Its middle, degrees, east positive.
    package var longitudeDegrees: Double
    /// How far from its middle it still is, m.
    package var radiusMetres: Double
    /// Whether it is parked there now.
    package var isHere: Bool
  }

  /// An alarm by time or place.
  package struct AlarmRuleStatus: Codable, Equatable, Sendable {
    /// Its number.
    package var number: Int
    /// What the owner calls it.
    package var label: String
    /// Whether it is on.
    package var isEnabled: Bool
    /// When it counts, in the words of the request that sets it: `at 07:30 daily inside 1`.
    package var rule: String
    /// When it rings next, on the clock of the time zone, as `2026-11-25 07:30`; left out when no time is due.
    package var next: String?
    /// How long that is from now, s.
    package var nextSeconds: Double?
    /// Whether that is after a snooze.
    package var isSnoozed: Bool
  }

  /// Fences, secure places and alarms.
  package struct RulesStatus: Codable, Equatable, Sendable {
    /// The fences.
    package var fences: [FenceStatus]
    /// `unassigned` when no fence is active, `idle` while it is within or not known, `alerting` while it is outside and that is told again
    /// and again, `suppressed` once the owner has found it.
    package var state: String
    /// Number of the alert that is told again until it is over.
    package var openAlert: UInt32?
    /// Number of the packet that asks whether it is parked at a secure place.
    package var placeQuestion: UInt32?
    /// The secure places.
    package var places: [PlaceStatus]
    /// The alarms.
    package var alarms: [AlarmRuleStatus]
    /// The time zone of alarms as POSIX writes it; left out for UTC.
    package var timeZone: String?
    /// Rules of the configuration that the tracker did not take, with the reason.
    package var problems: [String]
  }

  /// Whom the tracker is on, as its owner has told.
  package struct ProfileStatus: Codable, Equatable, Sendable {
    /// What it is called.
    package var name: String
    /// What it is: `dog`, `cat`, `horse`, `bike` or `other`.
    package var kind: String
    /// Its birthday; left out when it was not told.
    package var birthday: String?
    /// Whole years of age; left out when birthday or day are not known.
    package var ageYears: Int?
    /// Its weight, kg; left out when it was not told.
    package var weightKilograms: Double?
    /// Its colour; left out when it was not told.
    package var colour: String?
    /// What a finder should know; left out when nothing was told.
    package var note: String?
  }

  /// What the process costs.
  package struct ProcessStatus: Codable, Equatable, Sendable {
    /// Its number.
    package var id: Int
    /// Since it began, s.
    package var uptimeSeconds: Double
    /// Processor time used, s.
    package var cpuSeconds: Double
    /// Memory in use, KiB.
    package var residentKibibytes: Int
    /// Turns of the run loop.
    package var turns: Int
    /// The longest turn, ms: nothing else was heard in that time.
    package var longestTurnMilliseconds: Double
  }

  /// Version of Leash.
  package var version: String
  /// The tracker's name.
  package var trackerID: String
  /// Now; nil while no receiver has told the time.
  package var utc: String?
  /// What the vehicle is doing.
  package var phase: String
  /// Whether movement would raise an alert.
  package var isArmed: Bool
  /// Whether alerts are on.
  package var alertsEnabled: Bool
  /// True when it raises no alerts, whatever else is said; left out when it does.
  package var isDisabled: Bool?
  /// Who may sign requests: `file` when the key stands in the configuration, `claimed` when somebody has claimed it, or `none`.
  package var owner: String?
  /// Number of the last alert; 0 when there was none.
  package var lastAlert: UInt32
  /// More of the last alert; left out when none was told since the last start.
  package var alert: AlertStatus?
  /// Since when it is parked, s ago; left out when it is not, or was before the last start.
  package var parkedSeconds: Double?
  /// For how much longer positions are told at the interval of `track`, s.
  package var liveSeconds: Double?
  /// Fences, secure places and alarms; left out when there are none.
  package var rules: RulesStatus?
  /// Whom the tracker is on; left out when that was not told.
  package var profile: ProfileStatus?
  /// The last requests, the newest first; ten that were let in, and ten ways of being refused.
  package var requests: [RequestStatus]
  /// Whether the local page takes requests, which its token is needed for.
  package var pageTakesRequests: Bool
  /// Distance travelled, m.
  package var odometerMetres: Double
  /// Length of the ride that ended last, m.
  package var lastRideMetres: Double
  /// The last position; nil when there never was one.
  package var position: Position?
  /// Change of the vertical since parking, degrees; nil when not parked or unknown.
  package var tiltSinceParkingDegrees: Double?
  /// Evidence of movement against its threshold; 1 and more is movement.
  package var movementEvidence: Double
  /// Sensors, as configured.
  package var sensors: [Device]
  /// Ways to the server, the preferred first.
  package var uplinks: [Device]
  /// Packets that wait.
  package var outbox: OutboxStatus
  /// The file that survives a restart.
  package var store: StoreStatus
  /// The recording; nil when nothing is recorded.
  package var recording: RecordingStatus?
  /// Counts of what the tracker could not use or do; only those that are not zero.
  package var counters: [Fact]
  /// What the process costs.
  package var process: ProcessStatus
}
