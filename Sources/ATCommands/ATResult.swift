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

  /// True when a modem that does not have such a command, or not in this form, may say so: not allowed, wrong parameters, unknown.
  package var mayBeUnknownCommand: Bool {
    guard case .equipmentError(let error) = self else { return isUnknownCommand }
    return isUnknownCommand || error == .operationNotAllowed || error.code == 50 || error.code == 100
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

  /// The words of verbose modems, each behind its number in three digits.
  private static var words: StaticString {
    """
    003operation not allowed;004operation not supported;010SIM not inserted;011SIM PIN required;012SIM PUK required;013SIM failure;\
    014SIM busy;015SIM wrong;016incorrect password;030no network service;031network timeout;050incorrect parameters;100unknown;\
    103Illegal MS;106Illegal ME;107GPRS services not allowed;111PLMN not allowed;112Location area not allowed;\
    113Roaming not allowed in this location area;
    """
  }

  private static func code(of text: borrowing ATLine) -> UInt16 {
    let words = CMEError.words.utf8Start
    let end = CMEError.words.utf8CodeUnitCount
    var place = 0
    while place < end {
      var code: UInt16 = 0
      let start = place + 3
      while place < start {
        code = code &* 10 &+ UInt16(words[place] & 15)
        place += 1
      }
      var read = 0
      while read < text.bytes.count, words[place] != 0x3B, text.bytes[read] == words[place] {
        read += 1
        place += 1
      }
      while read < text.bytes.count, text.bytes[read] == 0x20 { read += 1 }
      if words[place] == 0x3B, read == text.bytes.count { return code }
      while words[place] != 0x3B { place += 1 }
      place += 1
    }
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

  /// True when it does not say that the message was not sent: the network was silent, or nobody knows.
  package var isVague: Bool { code == 332 || code >= 500 }

  /// Reads what stands after `+CMS ERROR:`; words that are not a number become 500, unknown.
  package init(_ text: borrowing ATLine) {
    let number = ATFields(text.bytes).number(0) ?? 500
    code = UInt16(truncatingIfNeeded: number > 65535 ? 65535 : number)
  }
}
