public import ATCommands

/// Level of function after a start: `+CFUN: 1`. Not sent while the rate is found automatically.
///
/// - Source: [sim7000at] `AT+CFUN`.
@frozen public struct FunctionNotice: ATNotice {
  /// Level.
  public var level: CFUN.Level
  /// Reads the line.
  public static func decode(_ line: borrowing ATLine) -> FunctionNotice? {
    guard let level = CFUN.Read.decode(line) else { return nil }
    return FunctionNotice(level: level)
  }
}
