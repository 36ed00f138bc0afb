public import ATCommands

/// Somebody calls: `RING`.
///
/// - Source: [v250] section 6.3.4.
@frozen public struct RingNotice: ATNotice {
  /// Reads the line.
  public static func decode(_ line: borrowing ATLine) -> RingNotice? {
    line.equals("RING") ? RingNotice() : nil
  }
}
