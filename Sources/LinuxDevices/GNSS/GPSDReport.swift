import Quantities

/// A receiver that gpsd has.
struct GPSDDevice: Equatable {
  /// Its path as gpsd names it: `/dev/ttyACM0`, `tcp://…`.
  var path: String
  /// gpsd's name for the kind of receiver; empty before it is recognised.
  var driver = ""
  /// False once gpsd has let it go: unplugged, or its other end has closed.
  var isActive = true
}

/// What a receiver says of the sky.
struct GPSDSky: Equatable {
  /// When it came.
  var time: Instant
  /// Dilutions of precision.
  var dilution = DilutionOfPrecision()
  /// Satellites used; nil when the report names none.
  var used: UInt8?
  /// Satellites in view.
  var inView = SatelliteCounts()

  /// With what an earlier report told and this one leaves out: newer daemons send satellites and dilutions apart.
  func filled(from earlier: GPSDSky?) -> GPSDSky {
    guard let earlier, time - earlier.time <= GPSDEpochs.skyPatience else { return self }
    var whole = self
    if used == nil {
      whole.used = earlier.used
      whole.inView = earlier.inView
    }
    if dilution == DilutionOfPrecision() { whole.dilution = earlier.dilution }
    return whole
  }
}

/// A receiver's own opinion of its errors, standard deviations in m.
struct GPSDErrors: Equatable {
  /// The epoch it belongs to.
  var utc: UTCTime?
  /// To the north.
  var north: Double?
  /// To the east.
  var east: Double?
  /// Upwards.
  var up: Double?
}

/// One object of gpsd's protocol, as far as a tracker wants it.
enum GPSDReport: Equatable {
  /// The daemon's release, its first words.
  case version(String)
  /// All its receivers; nil when there are more than libgps can hold.
  case devices([GPSDDevice]?)
  /// A receiver came, was recognised, or went.
  case device(GPSDDevice)
  /// TPV: an epoch of a receiver, without what other objects tell of it.
  case fix(GNSSFix, from: String)
  /// SKY: satellites.
  case sky(GPSDSky, from: String)
  /// GST: the receiver's own errors.
  case errors(GPSDErrors, from: String)
  /// It refused something.
  case refusal(String)
}
