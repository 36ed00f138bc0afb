public import ATCommands

/// The connection with the broker is lost: `+SMSTATE: 0`.
///
/// - Source: [sim7000at] `AT+SMSTATE`.
@frozen public struct BrokerLostNotice: ATNotice {
  /// Reads the line.
  public static func decode(_ line: borrowing ATLine) -> BrokerLostNotice? {
    SMSTATE.Read.decode(line) == false ? BrokerLostNotice() : nil
  }
}
