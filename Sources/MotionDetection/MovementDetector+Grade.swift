import Quantities

extension MovementDetector {
  /// How much stronger an alarm it makes: handled, turned away, moved off.
  var grade: UInt8 {
    switch self {
    case .touch: return 0
    case .handling: return 1
    case .tilt, .heading: return 2
    case .speed, .displacement: return 3
    }
  }
}
