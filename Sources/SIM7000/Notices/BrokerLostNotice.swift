import ATCommands

/// The connection with the broker is lost: `+SMSTATE: 0`.
///
/// - Source: [sim7000at] `AT+SMSTATE`.
@frozen package struct BrokerLostNotice: ATNotice {
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> BrokerLostNotice? {
    SMSTATE.Read.decode(line) == false ? BrokerLostNotice() : nil
  }
}
