import ATCommands

/// Registration has changed: `+CREG: <stat>…`, `+CGREG: <stat>…`, `+CEREG: <stat>…`, without the setting that answers begin with.
///
/// - Source: [ts27007] sections 7.2, 10.1.20 and 10.1.22; [sim7000at] `AT+CEREG`.
@frozen package struct RegistrationNotice: ATNotice {
  /// A network to register with.
  @frozen package enum Domain: UInt8, BitwiseCopyable, Sendable {
    /// The circuit-switched one (`+CREG`).
    case circuit
    /// The packet network of GSM (`+CGREG`).
    case packet
    /// LTE (`+CEREG`).
    case lte
  }

  /// With what.
  package var domain: Domain
  /// How.
  package var registration: Registration
  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> RegistrationNotice? {
    if let registration = CEREG.notice(line) { return RegistrationNotice(domain: .lte, registration: registration) }
    if let registration = CGREG.notice(line) { return RegistrationNotice(domain: .packet, registration: registration) }
    guard let registration = CREG.notice(line) else { return nil }
    return RegistrationNotice(domain: .circuit, registration: registration)
  }
}
