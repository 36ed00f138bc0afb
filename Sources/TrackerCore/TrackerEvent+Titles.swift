#if !hasFeature(Embedded)
  extension TrackerEvent {
    /// Events with a title of their own, for people, by their names; nil beyond the last. Any other is told by its name: "Power lost" for
    /// `powerLost`. Firmware leaves it out.
    package static func title(at place: Int) -> (name: StaticString, title: StaticString)? {
      switch place {
      case 0: return ("rideStarted", "Riding")
      case 1: return ("resumed", "Ride continued")
      case 2: return ("travelledUnseen", "Moved, signal lost")
      case 3: return ("calmed", "Calm again")
      case 4: return ("movement", "ALERT movement")
      case 5: return ("stolen", "STOLEN")
      case 6: return ("quiet", "Quiet again")
      case 7: return ("fixAcquired", "Position known")
      case 8: return ("fixLost", "Position lost")
      case 9: return ("presence", "Owner")
      case 10: return ("pending", "Held back")
      case 11: return ("outside", "ALERT outside")
      case 12: return ("alarmRang", "Alarm")
      case 13: return ("restored", "Restarted")
      default: return nil
      }
    }
  }
#endif
