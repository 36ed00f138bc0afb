public import ATCommands

/// The network in use has changed: `+CNSMOD: <stat>`.
///
/// - Source: [sim7000at] `AT+CNSMOD`.
@frozen public struct SystemNotice: ATNotice {
  /// The network.
  public var system: CNSMOD.System
  /// Reads the line.
  public static func decode(_ line: borrowing ATLine) -> SystemNotice? {
    guard let fields = line.fields(of: "+CNSMOD"), fields.count == 1, let number = fields.byte(0),
      let system = CNSMOD.System(rawValue: number)
    else { return nil }
    return SystemNotice(system: system)
  }
}
