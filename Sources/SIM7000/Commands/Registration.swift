import ATCommands

/// Whether a modem is registered with a network.
///
/// - Source: [ts27007] sections 7.2, 10.1.20 and 10.1.22. The manual stops at 5; 6 has been seen at start-up.
@frozen package enum RegistrationState: UInt8, BitwiseCopyable, Sendable {
  /// Not registered, and not searching: the search was given up.
  case notSearching = 0
  /// Registered at home.
  case home = 1
  /// Searching.
  case searching = 2
  /// Refused by the network.
  case denied = 3
  /// Out of coverage, or something newer than this list.
  case unknown = 4
  /// Registered abroad.
  case roaming = 5
  /// At home, for short messages only.
  case homeMessagesOnly = 6
  /// Abroad, for short messages only.
  case roamingMessagesOnly = 7
  /// For emergency calls only.
  case emergencyOnly = 8
  /// At home, circuit-switched fallback not preferred.
  case homeWithoutFallback = 9
  /// Abroad, circuit-switched fallback not preferred.
  case roamingWithoutFallback = 10

  /// True when data can be sent.
  @inlinable package var isRegistered: Bool {
    switch self {
    case .home, .roaming, .homeWithoutFallback, .roamingWithoutFallback: return true
    default: return false
    }
  }

  /// True when messages can be sent, and perhaps nothing else.
  @inlinable package var takesMessages: Bool {
    isRegistered || self == .homeMessagesOnly || self == .roamingMessagesOnly
  }

  /// The state of a number; numbers beyond the list are unknown.
  init(number: UInt8) { self = RegistrationState(rawValue: number) ?? .unknown }
}

/// Radio technology of a cell.
///
/// - Source: [sim7000at] `AT+CEREG`, `AT+COPS`.
@frozen package enum AccessTechnology: UInt8, BitwiseCopyable, Sendable {
  /// GSM.
  case gsm = 0
  /// GSM Compact.
  case gsmCompact = 1
  /// GSM with EGPRS.
  case egprs = 3
  /// LTE Cat-M1.
  case catM1 = 7
  /// LTE Cat-NB1.
  case narrowband = 9
}

/// What `+CREG`, `+CGREG` and `+CEREG` say.
@frozen package struct Registration: Equatable, BitwiseCopyable, Sendable {
  /// Whether it is registered.
  package var state: RegistrationState
  /// Location or tracking area.
  package var area: UInt32?
  /// Cell.
  package var cell: UInt32?
  /// Radio technology; nil also for a number that is not known.
  package var technology: AccessTechnology?
  /// How long the modem stays reachable after it talked.
  package var activeTime: ActiveTimer?
  /// How often it reports to the network.
  package var periodicUpdate: UpdateTimer?

  /// A registration of which only the state is known.
  package init(_ state: RegistrationState) {
    self.state = state
    area = nil
    cell = nil
    technology = nil
    activeTime = nil
    periodicUpdate = nil
  }

  /// Reads fields of which number `first` is the state.
  ///
  /// After the area some documents have a routing area, real modems have none. The timers follow the technology at once
  /// (`+CGREG`) or after two fields for a cause (`+CEREG`).
  init?(_ fields: borrowing ATFields, state first: Int) {
    guard let number = fields.byte(first) else { return nil }
    self.init(RegistrationState(number: number))
    var place = first + 1
    let count = fields.count
    guard place < count else { return }
    if !fields.isBlank(place) {
      guard let area = fields.hexadecimal(place) else { return nil }
      self.area = area
    }
    place += 1
    if fields.isQuoted(place + 1) && !fields.isBlank(place + 1) { place += 1 }
    if !fields.isBlank(place) {
      guard let cell = fields.hexadecimal(place) else { return nil }
      self.cell = cell
    }
    place += 1
    if !fields.isBlank(place) {
      guard let number = fields.byte(place) else { return nil }
      technology = AccessTechnology(rawValue: number)
    }
    place += fields.isQuoted(place + 1) ? 1 : 3
    if !fields.isBlank(place) {
      guard let bits = fields.bits(place, count: 8) else { return nil }
      activeTime = ActiveTimer(bits: bits)
    }
    if !fields.isBlank(place + 1) {
      guard let bits = fields.bits(place + 1, count: 8) else { return nil }
      periodicUpdate = UpdateTimer(bits: bits)
    }
  }
}
