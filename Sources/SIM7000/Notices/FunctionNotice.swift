import ATCommands

/// Level of function after a start: `+CFUN: 1`. Not sent while the rate is found automatically.
///
/// - Source: [sim7000at] `AT+CFUN`.
@frozen package struct FunctionNotice: ATNotice {
  /// Level.
  package var level: CFUN.Level
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> FunctionNotice? {
    guard let fields = line.fields(of: "+CFUN"), fields.count == 1, let number = fields.byte(0),
      let level = CFUN.Level(rawValue: number)
    else { return nil }
    return FunctionNotice(level: level)
  }
}
