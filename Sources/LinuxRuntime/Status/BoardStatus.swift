/// The state of a running tracker, for `leash status --json` and the local page. Units are in the names; times of
/// day are ISO 8601 in UTC.
package struct BoardStatus: Codable, Equatable, Sendable {
  /// A name with a value, for details of some devices.
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
    /// Age, s.
    package var ageSeconds: Double
    /// Whether it may no longer be the position of the vehicle.
    package var isStale: Bool
  }

  /// A sensor or an uplink.
  package struct Device: Codable, Equatable, Sendable {
    /// Name and place; of several uplinks to one server also the topic, or the place in the configuration.
    package var name: String
    /// `idle`, `running`, `opening`, `open` or `failed`.
    package var state: String
    /// Cause of the failure, in one line.
    package var reason: String?
    /// Time until the next attempt, s.
    package var retryInSeconds: Double?
    /// Inputs so far, of a sensor.
    package var inputs: Int?
    /// Inputs per second over the last seconds, of a sensor.
    package var hertz: Double?
    /// Time since the last input, s.
    package var lastInputSeconds: Double?
    /// Failures so far, of a sensor.
    package var failures: Int?
    /// Details of the device.
    package var facts: [Fact]
  }

  /// A waiting packet.
  package struct WaitingPacket: Codable, Equatable, Sendable {
    /// Its number.
    package var sequence: UInt32
    /// Its kind.
    package var kind: String
    /// How often it was sent.
    package var attempts: Int
    /// Age, s; nil if it is from before the last restart of the machine.
    package var ageSeconds: Double?
  }

  /// The last alert.
  package struct AlertStatus: Codable, Equatable, Sendable {
    /// Its number.
    package var number: UInt32
    /// Time since it was raised, s; left out if that was before the last start.
    package var ageSeconds: Double?
    /// The detector.
    package var detector: String
    /// Measured value relative to the threshold of the detector.
    package var ratio: Double
    /// How many times it was repeated.
    package var repetitions: Int
    /// `unanswered` while it is repeated; then how it ended: `dismissed` or `found` by the owner, in a `ride`, `disarmed` (alerts switched
    /// off), `returned` into its fences, `removed` (its fences changed), or `over` if unknown. `notice` for movement
    /// that is no alert, at a secure place or where no rule guards.
    package var outcome: String
    /// Time since it ended, s.
    package var outcomeSeconds: Double?
  }

  /// The gear that the tracker counts for; `leash gear list` has all of it.
  package struct GearSummary: Codable, Equatable, Sendable {
    /// The name of the gear that the tracker is on; left out if it is on none.
    package var present: String?
    /// The distance of that gear, m.
    package var distanceMetres: Double?
    /// The service counters that are due, each with its gear.
    package var due: [String]
    /// All gear.
    package var items: [GearItem]?
  }

  /// A piece of gear.
  package struct GearItem: Codable, Equatable, Sendable {
    /// Its name.
    package var name: String
    /// What it is.
    package var kind: String
    /// Whether the tracker is on it.
    package var isPresent: Bool
    /// Its distance, m.
    package var distanceMetres: Double
    /// Time of its rides without stops, s.
    package var movingSeconds: Double
    /// Its service counters.
    package var counters: [ServiceCounter]
  }

  /// A service counter.
  package struct ServiceCounter: Codable, Equatable, Sendable {
    /// Its name.
    package var name: String
    /// What it counts: `distance`, `moving` or `days`.
    package var counts: String
    /// How much it has counted since it was reset, m, s or days.
    package var value: Double
    /// At how much it is due.
    package var due: Double
    /// Whether it is due.
    package var isDue: Bool
  }

  /// The ride that is under way, or the last one.
  package struct TripStatus: Codable, Equatable, Sendable {
    /// Whether it is under way.
    package var isUnderWay: Bool
    /// When it began; left out while the time is not known.
    package var start: String?
    /// When it ended; left out while it is under way, or the time is not known.
    package var end: String?
    /// Its length, m.
    package var distanceMetres: Double
    /// Time from its beginning to its end, s.
    package var durationSeconds: Double
    /// Its time without stops, s.
    package var movingSeconds: Double
    /// Mean speed while it moved, m/s; left out for a ride of no time.
    package var meanMetresPerSecond: Double?
    /// The highest speed in two consecutive fixes, m/s; left out if unknown.
    package var topMetresPerSecond: Double?
    /// The sum of all rises, m; left out if no height is known.
    package var climbMetres: Double?
    /// How far `climbMetres` may be off, m.
    package var climbUncertaintyMetres: Double?
    /// What was carried and not ridden, m, no part of its length; left out for nothing.
    package var carriedMetres: Double?
  }

  /// What is known of the odometer besides its distance.
  package struct OdometerStatus: Codable, Equatable, Sendable {
    /// Where the distance is from: `measured`, `imported` in part, or `corrected` by its owner.
    package var source: String
    /// Standard deviation of what was measured, m.
    package var uncertaintyMetres: Double
    /// Its last change by a request; left out if there was none.
    package var change: OdometerChangeStatus?
  }

  /// A change of the odometer by a request.
  package struct OdometerChangeStatus: Codable, Equatable, Sendable {
    /// Its distance before, m.
    package var beforeMetres: Double
    /// Its distance after, m.
    package var afterMetres: Double
    /// When; left out if the time was not known.
    package var time: String?
    /// Number of the request; left out if it had none.
    package var request: Int?
  }

  /// One of the last rides.
  package struct RideStatus: Codable, Equatable, Sendable {
    /// Its number.
    package var number: Int
    /// When it began; left out if the time was not known.
    package var start: String?
    /// When it ended; left out if the time was not known.
    package var end: String?
    /// Its length, m.
    package var distanceMetres: Double
    /// Its time without stops, s.
    package var movingSeconds: Double
    /// The gear that it was on; left out for none.
    package var gear: String?
  }

  /// What the pet that wears the tracker has done today, on the clock of the tracker's time zone.
  package struct ActivityStatus: Codable, Equatable, Sendable {
    /// Steps, as far as the sensor at the collar feels them.
    package var steps: Int
    /// Minutes in which it was active.
    package var activeMinutes: Int
    /// Minutes in which it rested.
    package var restMinutes: Int
    /// Minutes with a signal of the sensor.
    package var measuredMinutes: Int
    /// Active minutes of a usual day; left out while fewer than 7 whole days are known.
    package var usualMinutes: Int?
    /// Days that are known of its habit, 14 at most.
    package var knownDays: Int
  }

  /// An accepted request, or all requests refused for one reason on one channel.
  package struct RequestStatus: Codable, Equatable, Sendable {
    /// Time since it arrived, s; for refused requests the last one.
    package var ageSeconds: Double
    /// Its channel: `control socket`, `text message`, `local page`, `configuration`, or the name of an uplink.
    package var channel: String
    /// Its first word, if it was accepted.
    package var request: String?
    /// Its number, given by the sender.
    package var number: UInt32?
    /// The last answer, as the `reason` of a status packet.
    package var answer: String?
    /// The reason, if it was refused.
    package var refused: String?
    /// How often this was refused.
    package var times: Int?
  }

  /// The outbox.
  package struct OutboxStatus: Codable, Equatable, Sendable {
    /// Waiting packets, the oldest first.
    package var waiting: [WaitingPacket]
    /// Maximum number of waiting packets.
    package var capacity: Int
    /// Packets acknowledged by the server.
    package var acknowledged: Int
    /// Attempts after the first.
    package var retries: Int
    /// Reports dropped because the outbox was full.
    package var evicted: Int
    /// Packets refused because the outbox was full.
    package var refused: Int
    /// Reports in the spool, which return when there is room; left out if it is empty.
    package var spooled: Int?
    /// Reports dropped from a full spool; left out if there are none.
    package var thinned: Int?
  }

  /// The file with the saved state.
  package struct StoreStatus: Codable, Equatable, Sendable {
    /// Its path.
    package var path: String
    /// Changes saved.
    package var commits: Int
    /// Changes that could not be saved at once.
    package var failures: Int
    /// Longest time to save a change, ms.
    package var longestCommitMilliseconds: Double
    /// Packets sent before they were saved, because the storage took too long; left out if there are none.
    package var unkept: Int?
    /// Why the last change is not saved yet.
    package var problem: String?
    /// Remark about an earlier file.
    package var remark: String?
  }

  /// The recording.
  package struct RecordingStatus: Codable, Equatable, Sendable {
    /// Folder of the files.
    package var folder: String
    /// The current file.
    package var file: String?
    /// Bytes of this run.
    package var bytes: Int
    /// Records lost.
    package var lost: Int
    /// Files deleted to free space.
    package var removed: Int
    /// Why nothing is being recorded.
    package var problem: String?
  }

  /// A position.
  package struct Corner: Codable, Equatable, Sendable {
    /// Degrees, north positive.
    package var latitudeDegrees: Double
    /// Degrees, east positive.
    package var longitudeDegrees: Double
  }

  /// A sequence of corners.
  package struct Ring: Codable, Equatable, Sendable {
    /// The corners; a closed ring does not repeat the first one.
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
    /// The centre of a circle, the line of a corridor, or a polygon followed by its holes.
    package var rings: [Ring]
  }

  /// A secure place.
  package struct PlaceStatus: Codable, Equatable, Sendable {
    /// Its number.
    package var number: Int
    /// Its name.
    package var name: String
    /// Its centre, degrees, north positive.
    package var latitudeDegrees: Double
    /// Its centre, degrees, east positive.
    package var longitudeDegrees: Double
    /// Its radius, m.
    package var radiusMetres: Double
    /// Whether it is parked there now.
    package var isHere: Bool
  }

  /// An alarm by time or place.
  package struct AlarmRuleStatus: Codable, Equatable, Sendable {
    /// Its number.
    package var number: Int
    /// Its label.
    package var label: String
    /// Whether it is on.
    package var isEnabled: Bool
    /// Its rule, as in the request that sets it: `at 07:30 daily inside 1`.
    package var rule: String
    /// When it rings next, in the time zone, as `2026-11-25 07:30`; left out if no time is due.
    package var next: String?
    /// Time until then, s.
    package var nextSeconds: Double?
    /// Whether it is snoozed until then.
    package var isSnoozed: Bool
  }

  /// Fences, secure places and alarms.
  package struct RulesStatus: Codable, Equatable, Sendable {
    /// The fences.
    package var fences: [FenceStatus]
    /// `unassigned` if no fence is active, `idle` while the tracker is inside or its position is unknown, `alerting` while it is outside and
    /// the alert is repeated, `suppressed` after the owner has found it.
    package var state: String
    /// Number of the alert that is repeated until it is over.
    package var openAlert: UInt32?
    /// Number of the packet that asks whether the parking place is secure.
    package var placeQuestion: UInt32?
    /// The secure places.
    package var places: [PlaceStatus]
    /// The alarms.
    package var alarms: [AlarmRuleStatus]
    /// The time zone of alarms in POSIX form; left out for UTC.
    package var timeZone: String?
    /// Rules of the configuration refused by the tracker, with the reason.
    package var problems: [String]
  }

  /// The wearer of the tracker, as told by its owner.
  package struct ProfileStatus: Codable, Equatable, Sendable {
    /// Its name.
    package var name: String
    /// What it is: `dog`, `cat`, `horse`, `bike` or `other`.
    package var kind: String
    /// Its birthday; left out if unknown.
    package var birthday: String?
    /// Age in whole years; left out if the birthday or the date is unknown.
    package var ageYears: Int?
    /// Its weight, kg; left out if unknown.
    package var weightKilograms: Double?
    /// Its colour; left out if unknown.
    package var colour: String?
    /// A note for the finder; left out if there is none.
    package var note: String?
  }

  /// Resources used by the process.
  package struct ProcessStatus: Codable, Equatable, Sendable {
    /// Its number.
    package var id: Int
    /// Time since its start, s.
    package var uptimeSeconds: Double
    /// Processor time used, s.
    package var cpuSeconds: Double
    /// Memory in use, KiB.
    package var residentKibibytes: Int
    /// Iterations of the run loop.
    package var turns: Int
    /// The longest iteration, ms; other input waited for that time.
    package var longestTurnMilliseconds: Double
  }

  /// Version of Leash.
  package var version: String
  /// The tracker's name.
  package var trackerID: String
  /// Current time; nil while no receiver has provided it.
  package var utc: String?
  /// Phase of the vehicle.
  package var phase: String
  /// Whether movement would raise an alert.
  package var isArmed: Bool
  /// Whether alerts are on.
  package var alertsEnabled: Bool
  /// True if the tracker is disabled and raises no alerts; left out otherwise.
  package var isDisabled: Bool?
  /// Who may sign requests: `file` if the key is in the configuration, `claimed` if the tracker was claimed, or `none`.
  package var owner: String?
  /// Number of the last alert; 0 if there was none.
  package var lastAlert: UInt32
  /// Details of the last alert; left out if there was none since the last start.
  package var alert: AlertStatus?
  /// Time since parking, s; left out if not parked, or parked before the last start.
  package var parkedSeconds: Double?
  /// Remaining time of live tracking by `track`, s.
  package var liveSeconds: Double?
  /// Fences, secure places and alarms; left out if there are none.
  package var rules: RulesStatus?
  /// The wearer of the tracker; left out if there is no profile.
  package var profile: ProfileStatus?
  /// Gear; left out if there is none.
  package var gear: GearSummary?
  /// What the pet did today; left out if no animal wears the tracker, by its profile.
  package var activity: ActivityStatus?
  /// The last requests, the newest first; ten accepted ones, and ten reasons of refusal.
  package var requests: [RequestStatus]
  /// Whether the local page accepts requests, which need its token.
  package var pageTakesRequests: Bool
  /// Distance travelled, m, with what was imported or corrected by `odometer`.
  package var odometerMetres: Double
  /// Where that distance is from, and its last change by a request.
  package var odometer: OdometerStatus?
  /// Length of the ride that ended last, m.
  package var lastRideMetres: Double
  /// The ride that is under way, or the last one; left out before the first.
  package var trip: TripStatus?
  /// The last rides, the newest first, ten at most; left out before the first. `leash trips STATE` lists all that are remembered.
  package var rides: [RideStatus]?
  /// The last position; nil if there never was one.
  package var position: Position?
  /// Change of the vertical since parking, degrees; nil when not parked or unknown.
  package var tiltSinceParkingDegrees: Double?
  /// Evidence of movement relative to its threshold; 1 or more is movement.
  package var movementEvidence: Double
  /// Sensors, as configured.
  package var sensors: [Device]
  /// Uplinks to the server, in order of preference.
  package var uplinks: [Device]
  /// The waiting packets.
  package var outbox: OutboxStatus
  /// The file with the saved state.
  package var store: StoreStatus
  /// The recording; nil if nothing is recorded.
  package var recording: RecordingStatus?
  /// Counts of rejected input and failed actions; only those that are not zero.
  package var counters: [Fact]
  /// Resources used by the process.
  package var process: ProcessStatus
}
