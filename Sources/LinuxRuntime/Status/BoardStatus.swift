/// How a running tracker stands, as `leash status --json` and the local page show it. Units are in the names; times of
/// day are ISO 8601 in UTC.
public struct BoardStatus: Codable, Equatable, Sendable {
  /// A name with a value, for what only some devices have.
  public struct Fact: Codable, Equatable, Sendable {
    /// Name.
    public var name: String
    /// Value with its unit.
    public var value: String

    /// A fact.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The last position.
  public struct Position: Codable, Equatable, Sendable {
    /// Degrees, north positive.
    public var latitudeDegrees: Double
    /// Degrees, east positive.
    public var longitudeDegrees: Double
    /// Radius with 68 % probability, m.
    public var accuracyMetres: Double?
    /// Speed over ground, m/s.
    public var speedMetresPerSecond: Double?
    /// Course over ground, degrees from north.
    public var courseDegrees: Double?
    /// Height above the sea, m.
    public var altitudeMetres: Double?
    /// Satellites used.
    public var satellites: Int?
    /// How old it is, s.
    public var ageSeconds: Double
    /// Whether it is too old to be where the vehicle is.
    public var isStale: Bool
  }

  /// A sensor or an uplink.
  public struct Device: Codable, Equatable, Sendable {
    /// What and where.
    public var name: String
    /// `idle`, `running`, `opening`, `open` or `failed`.
    public var state: String
    /// Why it failed, in a line.
    public var reason: String?
    /// When it is tried again, s from now.
    public var retryInSeconds: Double?
    /// Inputs so far, of a sensor.
    public var inputs: Int?
    /// Inputs per second over the last seconds, of a sensor.
    public var hertz: Double?
    /// How long ago the last input came, s.
    public var lastInputSeconds: Double?
    /// Failures so far, of a sensor.
    public var failures: Int?
    /// What only some devices have.
    public var facts: [Fact]
  }

  /// A packet that waits.
  public struct WaitingPacket: Codable, Equatable, Sendable {
    /// Its number.
    public var sequence: UInt32
    /// What it reports.
    public var kind: String
    /// How often it was sent.
    public var attempts: Int
    /// How old it is, s; nil when it is from before the last restart of the machine.
    public var ageSeconds: Double?
  }

  /// The outbox.
  public struct OutboxStatus: Codable, Equatable, Sendable {
    /// Packets that wait, the oldest first.
    public var waiting: [WaitingPacket]
    /// Room for so many.
    public var capacity: Int
    /// Packets that the server has.
    public var acknowledged: Int
    /// Tries beyond the first.
    public var retries: Int
    /// Reports given up for want of room.
    public var evicted: Int
    /// Packets refused for want of room.
    public var refused: Int
    /// Reports in the spool, which come back when there is room; left out when it is empty.
    public var spooled: Int?
    /// Reports that went to make room in a full spool; left out when there are none.
    public var thinned: Int?
  }

  /// The file that survives a restart.
  public struct StoreStatus: Codable, Equatable, Sendable {
    /// Its path.
    public var path: String
    /// Changes kept.
    public var commits: Int
    /// Changes that could not be kept at once.
    public var failures: Int
    /// The longest that keeping one took, ms.
    public var longestCommitMilliseconds: Double
    /// Packets that left before they were kept, because the storage took too long; absent when there was none.
    public var unkept: Int?
    /// Why the last change is not kept yet.
    public var problem: String?
    /// What happened to an older file.
    public var remark: String?
  }

  /// The recording.
  public struct RecordingStatus: Codable, Equatable, Sendable {
    /// Folder of the files.
    public var folder: String
    /// The file at hand.
    public var file: String?
    /// Bytes of this run.
    public var bytes: Int
    /// Records lost.
    public var lost: Int
    /// Files removed to make room.
    public var removed: Int
    /// Why nothing is recorded now.
    public var problem: String?
  }

  /// What the process costs.
  public struct ProcessStatus: Codable, Equatable, Sendable {
    /// Its number.
    public var id: Int
    /// Since it began, s.
    public var uptimeSeconds: Double
    /// Processor time used, s.
    public var cpuSeconds: Double
    /// Memory in use, KiB.
    public var residentKibibytes: Int
    /// Turns of the run loop.
    public var turns: Int
    /// The longest turn, ms: nothing else was heard in that time.
    public var longestTurnMilliseconds: Double
  }

  /// Version of Leash.
  public var version: String
  /// The tracker's name.
  public var trackerID: String
  /// Now; nil while no receiver has told the time.
  public var utc: String?
  /// What the vehicle is doing.
  public var phase: String
  /// Whether movement would raise an alert.
  public var isArmed: Bool
  /// Whether alerts are on.
  public var alertsEnabled: Bool
  /// Number of the last alert; 0 when there was none.
  public var lastAlert: UInt32
  /// Distance travelled, m.
  public var odometerMetres: Double
  /// Length of the ride that ended last, m.
  public var lastRideMetres: Double
  /// The last position; nil when there never was one.
  public var position: Position?
  /// Change of the vertical since parking, degrees; nil when not parked or unknown.
  public var tiltSinceParkingDegrees: Double?
  /// Evidence of movement against its threshold; 1 and more is movement.
  public var movementEvidence: Double
  /// Sensors, as configured.
  public var sensors: [Device]
  /// Ways to the server, the preferred first.
  public var uplinks: [Device]
  /// Packets that wait.
  public var outbox: OutboxStatus
  /// The file that survives a restart.
  public var store: StoreStatus
  /// The recording; nil when nothing is recorded.
  public var recording: RecordingStatus?
  /// Counts of what the tracker could not use or do; only those that are not zero.
  public var counters: [Fact]
  /// What the process costs.
  public var process: ProcessStatus
}
