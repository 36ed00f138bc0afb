import Quantities

/// Timed events of the radio.
enum RadioEvent: Equatable, Sendable {
  /// The network answers the request to register.
  case registers
  /// The registration comes or goes (fault F17).
  case flaps
  /// The network answers the request for power saving mode.
  case powerSavingGranted
  /// Everything but the clock is switched off.
  case sleeps
  /// T3324 has run out: power saving mode.
  case activeTimerEnds
  /// T3412 has run out: the module wakes up by itself.
  case periodicTimerEnds
  /// The list of operators is complete.
  case operatorsFound
}

/// How the modem stands with the network.
enum RegistrationStatus: Int, Equatable, Sendable {
  /// Not registered and not searching.
  case idle = 0
  /// Registered (1 at home, 5 as a guest).
  case registered = 1
  /// Searching.
  case searching = 2
  /// Refused.
  case denied = 3
}

/// The radio.
struct RadioState: Equatable, Sendable {
  /// `AT+CFUN` level now.
  var function = 1
  /// How the modem stands with the network.
  var status: RegistrationStatus = .idle
  /// Technology it is registered on.
  var access: RadioAccess?
  /// `CGATT` was not switched off.
  var wantsAttachment = true
  /// The last status that each domain reported.
  var reported: [RegistrationDomain: String] = [:]
  /// The last system mode that was reported.
  var reportedMode = 0
  /// When the search began that has found nothing yet.
  var searchingSince: Instant?
  /// When the modem last sent over the air.
  var lastTransmission: Instant?
  /// The network granted power saving mode.
  var hasPowerSaving = false
  /// F17.
  var flapsUntil: Instant?
  /// F18.
  var lies = false
  /// Operators were asked for by `COPS=2`: no registration.
  var isDeregistered = false
}
