import ATCommands

/// The application network is up or down: `+APP PDP: ACTIVE`, `+APP PDP: DEACTIVE`. Down also when the network ends it.
///
/// - Source: [sim7000at] `AT+CNACT`. Sister models put a number before the word, which is understood.
@frozen package struct ApplicationNetworkNotice: ATNotice {
  /// True when it is up.
  package var isActive: Bool
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> ApplicationNetworkNotice? {
    guard let fields = line.fields(of: "+APP PDP") else { return nil }
    let count = fields.count
    guard count == 1 || (count == 2 && fields.byte(0) != nil) else { return nil }
    if fields.equals(count - 1, "ACTIVE") { return ApplicationNetworkNotice(isActive: true) }
    return fields.equals(count - 1, "DEACTIVE") ? ApplicationNetworkNotice(isActive: false) : nil
  }
}
