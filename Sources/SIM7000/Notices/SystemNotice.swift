import ATCommands

/// The network in use has changed: `+CNSMOD: <stat>`.
///
/// - Source: [sim7000at] `AT+CNSMOD`.
@frozen package struct SystemNotice: ATNotice {
  /// The network.
  package var system: CNSMOD.System
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> SystemNotice? {
    guard let fields = line.fields(of: "+CNSMOD"), fields.count == 1, let number = fields.byte(0),
      let system = CNSMOD.System(rawValue: number)
    else { return nil }
    return SystemNotice(system: system)
  }
}
