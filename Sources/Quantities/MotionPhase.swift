/// What the vehicle is doing, as an owner would say it.
@frozen public enum MotionPhase: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Nothing has been seen yet.
  case starting
  /// Under way, short stops not counted.
  case riding
  /// Standing, or handled, but not for long enough to be parked.
  case settling
  /// Parked and quiet.
  case parked
  /// Parked, and something moved a little.
  case suspicious
  /// Parked, and being moved.
  case alarmed
  /// Carried or driven off while it was armed; only the owner ends it.
  case stolen

  /// The name used in packets and timelines.
  public var name: StaticString {
    switch self {
    case .starting: return "starting"
    case .riding: return "riding"
    case .settling: return "settling"
    case .parked: return "parked"
    case .suspicious: return "suspicious"
    case .alarmed: return "alarmed"
    case .stolen: return "stolen"
    }
  }

  #if !hasFeature(Embedded)
    /// What it means, for people; firmware leaves it out.
    package var words: StaticString {
      switch self {
      case .starting: return "No fix or movement yet"
      case .riding: return "Under way"
      case .settling: return "Standing; not parked yet"
      case .parked: return "Standing where it was parked"
      case .suspicious: return "Movement; not confirmed yet"
      case .alarmed: return "Being moved"
      case .stolen: return "Stolen"
      }
    }
  #endif
}
