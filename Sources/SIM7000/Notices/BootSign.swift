public import ATCommands

/// Lines that a SIM7000 sends only when it has started.
///
/// - Source: [sim7000at] `RDY` and `AT+CFUN`; not sent while the rate is found automatically.
public enum BootSign {
  /// True for `RDY`, also with rubbish of the wrong rate before it.
  public static func matches(_ line: borrowing ATLine) -> Bool { line.ends(with: "RDY") }
}
