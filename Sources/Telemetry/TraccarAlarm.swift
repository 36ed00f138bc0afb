import Quantities

extension Packet {
  /// What Traccar calls the alarm that a packet is; nil when it is none.
  ///
  /// - Source: the alarm names of Traccar's position model; which is which is our choice: what may pass by itself is a vibration,
  ///   what changed the vehicle's attitude is a movement, what took it away is a tow.
  var traccarAlarm: StaticString? {
    switch kind {
    case .movement:
      switch alert?.evidence.detector {
      case .touch, .handling, .brake, nil: return "vibration"
      case .tilt, .heading, .lift, .carry, .kickStand: return "movement"
      case .lock: return "unlock"
      case .tamper: return "tampering"
      case .speed, .displacement: return "tow"
      case .fence: return "geofence"
      }
    case .fence: return "geofenceExit"
    case .transition: return rule?.isEntry == true ? "geofenceEnter" : "geofenceExit"
    case .parking: return "parking"
    case .location, .ride, .status: return nil
    }
  }
}
