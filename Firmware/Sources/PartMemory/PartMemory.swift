import Gear
import MotionDetection
import Positioning
import TrackerCore

// Compiled without access control, as most of these types belong to their modules alone: what is asked is known when it is compiled,
// and nothing of it comes into an image.

/// A part of the core and what its own types take of the memory of a tracker, for the table of parts in docs/costs.md.
///
/// Each type counts as it is held: in an optional, where it is one, and without those it holds that belong to another part. What is left
/// of their holders is the rest.
public enum PartMemory: UInt8 {
  case odometer, wheel, rides, driving, paths, checkpoints
  case travel, place, tilt, shift, turn, shaking, handling, transport, alarm, gear
  case restOfMonitor, restOfTracker

  /// As Firmware/parts.txt calls it.
  public var name: StaticString {
    switch self {
    case .odometer: return "odometer"
    case .wheel: return "wheel sensor"
    case .rides: return "rides"
    case .driving: return "driving events"
    case .paths: return "paths"
    case .checkpoints: return "checkpoints"
    case .travel: return "travel by fixes"
    case .place: return "place by fixes"
    case .tilt: return "tilt"
    case .shift: return "shift"
    case .turn: return "turn"
    case .shaking: return "shaking and tampering"
    case .handling: return "handling and touch"
    case .transport: return "transport"
    case .alarm: return "alarm"
    case .gear: return "gear"
    case .restOfMonitor: return "the rest of MotionMonitor"
    case .restOfTracker: return "the rest of Tracker"
    }
  }

  /// Bytes; those of all but gear, which stands beside the tracker, are those of `Tracker` together.
  public var bytes: Int {
    switch self {
    case .odometer: return MemoryLayout<TripMeter>.size - PartMemory.wheel.bytes
    case .wheel: return MemoryLayout<WheelMeter>.size
    case .rides: return MemoryLayout<TripRecorder>.size - MemoryLayout<TripMeter>.size
    case .driving: return MemoryLayout<DrivingMonitor>.size
    case .paths: return MemoryLayout<PathKeeper>.size
    case .checkpoints: return MemoryLayout<CheckpointKeeper>.size
    case .travel: return MemoryLayout<TravelDetector>.size + MemoryLayout<UnseenCourse>.size
    // Where it is parked, for detection and for the owner.
    case .place: return MemoryLayout<PlaceDetector>.size + MemoryLayout<PlaceMean?>.size
    case .tilt: return MemoryLayout<TiltDetector>.size + MemoryLayout<VerticalDetector>.size
    case .shift: return MemoryLayout<ShiftDetector>.size
    case .turn: return MemoryLayout<TurnDetector>.size
    case .shaking:
      return MemoryLayout<TamperDetector>.size + MemoryLayout<ShakingDetector>.size + MemoryLayout<OwnSound>.size
        - PartMemory.tilt.bytes - PartMemory.shift.bytes - PartMemory.turn.bytes - PartMemory.transport.bytes
        - MemoryLayout<HandlingDetector>.size
    case .handling: return MemoryLayout<HandlingDetector>.size + MemoryLayout<ContactDetector>.size
    case .transport: return MemoryLayout<TransportDetector>.size
    // What it judges by is on the stack alone.
    case .alarm: return MemoryLayout<AlarmLedger>.size
    case .gear: return MemoryLayout<GearLedger>.size
    case .restOfMonitor: return MemoryLayout<MotionMonitor>.size - PartMemory.inMonitor
    case .restOfTracker:
      return MemoryLayout<Tracker>.size - MemoryLayout<MotionMonitor>.size - MemoryLayout<TripRecorder>.size
        - MemoryLayout<PlaceMean?>.size - PartMemory.driving.bytes - PartMemory.paths.bytes
        - PartMemory.checkpoints.bytes - PartMemory.alarm.bytes
    }
  }

  /// The detectors of the monitor: those that `TamperDetector` has are counted within it.
  private static var inMonitor: Int {
    PartMemory.travel.bytes + MemoryLayout<PlaceDetector>.size + MemoryLayout<TamperDetector>.size
      + MemoryLayout<ShakingDetector>.size + MemoryLayout<OwnSound>.size + MemoryLayout<ContactDetector>.size
  }
}
