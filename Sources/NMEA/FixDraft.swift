import Quantities

/// The fix of one epoch while its sentences come in.
@usableFromInline struct FixDraft: BitwiseCopyable, Sendable {
  var arrival = Instant.zero
  var utc: UTCTime?
  /// 0 unknown, 1 none, 2 two-, 3 three-dimensional.
  var mode: UInt8 = 0
  var quality: FixQuality?
  var position: GeodeticPosition?
  var heightAboveSeaLevel: Double?
  var heightAboveEllipsoid: Double?
  var geoidSeparation: Double?
  var speed: Double?
  var courseDegrees: Double?
  var velocityEast: Double?
  var velocityNorth: Double?
  var horizontalAccuracy: Double?
  var verticalAccuracy: Double?

  var hasHeight: Bool { heightAboveSeaLevel != nil || heightAboveEllipsoid != nil }
}

/// What one sentence adds to the draft.
struct Contribution {
  /// Time of day by which the cycle is judged, µs.
  var stamp: Int64?
  /// True when the sentence settles the time of the epoch, also when that is unknown.
  var setsTime = false
  var utc: UTCTime?
  /// nil when the sentence says nothing about the mode.
  var mode: UInt8?
  var quality: FixQuality?
  var position: GeodeticPosition?
  var heightAboveSeaLevel: Double?
  var heightAboveEllipsoid: Double?
  var geoidSeparation: Double?
  var speed: Double?
  var courseDegrees: Double?
  var velocityEast: Double?
  var velocityNorth: Double?
  var horizontalAccuracy: Double?
  var verticalAccuracy: Double?
  /// The sentence begins an epoch whatever the time says.
  var startsEpoch = false
  /// The sentence is all there will be: no time tells the cycles apart.
  var endsEpoch = false
}

extension FixDraft {
  mutating func merge(_ part: Contribution) {
    if part.setsTime { utc = part.utc }
    if let mode = part.mode { self.mode = mode }
    if let quality = part.quality { self.quality = quality }
    if let position = part.position { self.position = position }
    if let height = part.heightAboveSeaLevel { heightAboveSeaLevel = height }
    if let height = part.heightAboveEllipsoid { heightAboveEllipsoid = height }
    if let separation = part.geoidSeparation { geoidSeparation = separation }
    if let speed = part.speed { self.speed = speed }
    if let course = part.courseDegrees { courseDegrees = course }
    if let east = part.velocityEast { velocityEast = east }
    if let north = part.velocityNorth { velocityNorth = north }
    if let accuracy = part.horizontalAccuracy { horizontalAccuracy = accuracy }
    if let accuracy = part.verticalAccuracy { verticalAccuracy = accuracy }
    if let separation = geoidSeparation {
      if heightAboveSeaLevel == nil, let height = heightAboveEllipsoid { heightAboveSeaLevel = height - separation }
      if heightAboveEllipsoid == nil, let height = heightAboveSeaLevel { heightAboveEllipsoid = height + separation }
    }
  }
}
