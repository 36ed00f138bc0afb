import Quantities

/// Recognises what is done to a vehicle by its switches: the lock opened, the kick-stand folded, the tracker's box opened, the brake pulled.
///
/// What counts is a change between two readings: how a switch stands at the start is how it stands. The owner's button is no sign.
struct ContactDetector: BitwiseCopyable {
  private var last = Contacts()
  private var lastTime: Instant?

  /// Takes a reading in; one that is older than the last changes nothing.
  ///
  /// - Returns: The worst sign among the switches that changed, and whether any changed.
  mutating func judge(_ reading: ContactReading) -> (sign: MovementDetector?, hasChanged: Bool) {
    guard lastTime.map({ $0 <= reading.time }) ?? true else { return (nil, false) }
    lastTime = reading.time
    let before = last
    last.update(with: reading.contacts)
    var brake = false
    var sign: MovementDetector?
    var hasChanged = false
    for place in 0..<UInt8(Contact.allCases.count) {
      guard let contact = Contact(rawValue: place), let was = before[contact], let isOn = last[contact], was != isOn
      else { continue }
      hasChanged = true
      switch contact {
      case .button: break
      case .brake: brake = brake || isOn
      case .kickStand: if !isOn { sign = .kickStand }
      case .lock: if !isOn { sign = .lock }
      case .tamper: if isOn { sign = .tamper }
      }
    }
    return (sign ?? (brake ? .brake : nil), hasChanged)
  }
}
