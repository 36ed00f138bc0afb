public import ATCommands

/// Registration has changed: `+CREG: <stat>…`, `+CGREG: <stat>…`, `+CEREG: <stat>…`, without the setting that answers begin with.
///
/// - Source: [ts27007] sections 7.2, 10.1.20 and 10.1.22; [sim7000at] `AT+CEREG`.
@frozen public struct RegistrationNotice: ATNotice {
  /// A network to register with.
  @frozen public enum Domain: UInt8, BitwiseCopyable, Sendable {
    /// The circuit-switched one (`+CREG`).
    case circuit
    /// The packet network of GSM (`+CGREG`).
    case packet
    /// LTE (`+CEREG`).
    case lte
  }

  /// With what.
  public var domain: Domain
  /// How.
  public var registration: Registration
  /// Reads the line.
  public static func decode(_ line: borrowing ATLine) -> RegistrationNotice? {
    if let registration = CEREG.notice(line) { return RegistrationNotice(domain: .lte, registration: registration) }
    if let registration = CGREG.notice(line) { return RegistrationNotice(domain: .packet, registration: registration) }
    guard let registration = CREG.notice(line) else { return nil }
    return RegistrationNotice(domain: .circuit, registration: registration)
  }
}
