import ATCommands

/// Somebody calls: `RING`.
///
/// - Source: [v250] section 6.3.4.
@frozen package struct RingNotice: ATNotice {
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> RingNotice? {
    line.equals("RING") ? RingNotice() : nil
  }
}
