/// How a command ended.
@frozen package enum ATResult: Equatable, BitwiseCopyable, Sendable {
  /// As the command's grammar wants it.
  case ok
  /// `ERROR`, without a reason.
  case error
  /// `+CME ERROR`: the modem gives a reason.
  case equipmentError(CMEError)
  /// `+CMS ERROR`: the message service gives a reason.
  case messageError(CMSError)
  /// `OK` has come, but not in time what should follow it: done or not, the state has to be asked. The channel is in step.
  case open
  /// The command's own sign of failure, such as `CONNECT FAIL`, or a closed session in place of the outcome.
  case failed
  /// The modem's echo shows that it has not got what was sent: whatever it did then, it was not that. The channel is out of
  /// step until it has synchronised.
  case garbled
  /// A good end came, which may as well be that of an earlier command. The channel is out of step until it has synchronised.
  case doubtful
  /// Nothing, or not all, came in time. The channel is out of step until it has synchronised.
  case timedOut

  /// True when all is well.
  @inlinable package var isOK: Bool { self == .ok }

  /// True when it is not known what the modem has made of the command.
  @inlinable package var isUncertain: Bool { self == .timedOut || self == .garbled || self == .doubtful }

  /// True when the modem does not have such a command, or not in this form: `ERROR`, or that it is not supported.
  @inlinable package var isUnknownCommand: Bool {
    switch self {
    case .error, .equipmentError(.operationNotSupported), .equipmentError(.unknownText): true
    default: false
    }
  }

  /// True when the card is busy, as for some seconds behind a start, or out.
  package var isCardBusy: Bool {
    switch self {
    case .equipmentError(let error): return error == .simBusy || error == .simNotInserted
    case .messageError(let error): return error == .simBusy || error == .simNotInserted
    default: return false
    }
  }

  /// True when the modem says that it does not have this at all.
  package var isUnsupported: Bool {
    self == .equipmentError(.operationNotSupported) || self == .messageError(.operationNotSupported)
  }
}

/// An error of the mobile equipment.
///
/// - Source: [ts27007] section 9.2; [sim7000at] chapter 20.1.
@frozen package struct CMEError: Equatable, BitwiseCopyable, Sendable {
  /// The number after `+CME ERROR:`.
  package var code: UInt16

  /// The error of a number.
  @inlinable package init(_ code: UInt16) { self.code = code }

  /// An error that was given as words which are not known.
  @inlinable package static var unknownText: CMEError { CMEError(65535) }
  /// No SIM card.
  @inlinable package static var simNotInserted: CMEError { CMEError(10) }
  /// The SIM card wants its PIN.
  @inlinable package static var simPINRequired: CMEError { CMEError(11) }
  /// The SIM card is blocked until its PUK is given.
  @inlinable package static var simPUKRequired: CMEError { CMEError(12) }
  /// The SIM card does not answer.
  @inlinable package static var simFailure: CMEError { CMEError(13) }
  /// The SIM card is not ready yet.
  @inlinable package static var simBusy: CMEError { CMEError(14) }
  /// The PIN is wrong.
  @inlinable package static var incorrectPassword: CMEError { CMEError(16) }
  /// Not supported by this modem.
  @inlinable package static var operationNotSupported: CMEError { CMEError(4) }
  /// Not allowed in this state.
  @inlinable package static var operationNotAllowed: CMEError { CMEError(3) }

  /// True when the network refuses this subscription or this equipment: to try again soon is useless.
  ///
  /// - Source: [ts27007] section 9.2.1: 103, 106, 107, 111, 112 and 113 stand for the causes 3, 6, 7, 11, 12 and 13 of
  ///   TS 24.008.
  @inlinable package var isNetworkRefusal: Bool {
    code == 103 || code == 106 || code == 107 || (code >= 111 && code <= 113)
  }

  /// Reads what stands after `+CME ERROR:`: a number, or the words that verbose modems write.
  package init(_ text: borrowing ATLine) {
    code = 0
    if let number = ATFields(text.bytes).number(0) {
      code = UInt16(truncatingIfNeeded: number > 65534 ? 65534 : number)
    } else {
      code = CMEError.code(of: text)
    }
  }

  private static func code(of text: borrowing ATLine) -> UInt16 {
    if text.equals("operation not allowed") { return 3 }
    if text.equals("operation not supported") { return 4 }
    if text.equals("SIM not inserted") { return 10 }
    if text.equals("SIM PIN required") { return 11 }
    if text.equals("SIM PUK required") { return 12 }
    if text.equals("SIM failure") { return 13 }
    if text.equals("SIM busy") { return 14 }
    if text.equals("SIM wrong") { return 15 }
    if text.equals("incorrect password") { return 16 }
    if text.equals("no network service") { return 30 }
    if text.equals("network timeout") { return 31 }
    if text.equals("unknown") { return 100 }
    if text.equals("Illegal MS") { return 103 }
    if text.equals("Illegal ME") { return 106 }
    if text.equals("GPRS services not allowed") { return 107 }
    if text.equals("PLMN not allowed") { return 111 }
    if text.equals("Location area not allowed") { return 112 }
    if text.equals("Roaming not allowed in this location area") { return 113 }
    return CMEError.unknownText.code
  }
}

/// An error of the short message service.
///
/// - Source: [ts27005] section 3.2.5; [sim7000at] chapter 20.2.
@frozen package struct CMSError: Equatable, BitwiseCopyable, Sendable {
  /// The number after `+CMS ERROR:`.
  package var code: UInt16

  /// The error of a number.
  @inlinable package init(_ code: UInt16) { self.code = code }

  /// Not supported by this modem.
  @inlinable package static var operationNotSupported: CMSError { CMSError(303) }
  /// There is no card.
  @inlinable package static var simNotInserted: CMSError { CMSError(310) }
  /// The card is busy.
  @inlinable package static var simBusy: CMSError { CMSError(314) }

  /// True when the message itself will be refused again: its number or its text is wrong, or sending is barred. Not 304 and
  /// 305: a modem that has forgotten its text mode says these.
  @inlinable package var isFinal: Bool {
    switch code {
    case 1, 8, 10, 28, 50, 69, 513, 529: return true
    default: return false
    }
  }

  /// Reads what stands after `+CMS ERROR:`; words that are not a number become 500, unknown.
  package init(_ text: borrowing ATLine) {
    let number = ATFields(text.bytes).number(0) ?? 500
    code = UInt16(truncatingIfNeeded: number > 65535 ? 65535 : number)
  }
}
