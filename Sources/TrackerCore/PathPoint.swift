import Telemetry

/// Of an earlier fix what a packet tells of it: held by the path, told by the part that knows places.
struct PathPoint {
  /// Where it was.
  var position: PacketPosition
  /// Horizontal dilution of precision.
  var dilution: Float?
  /// Satellites in view, packed.
  var satellitesInView: UInt64
}
