import ATCommands

/// What a line that a SIM7000 sends unasked is about; the type of that name reads what it says.
///
/// Some are also outcomes of commands; the dialogue gives those to their command while it waits for them.
///
/// The contents are none of it: an enumeration of thirty types takes 4 kB of code to be put together.
@frozen package enum ModemNotice: UInt8, BitwiseCopyable, Sendable {
  /// `RDY`: it has started.
  case started
  /// `+CFUN`: level of function after a start.
  case function
  /// `+CPIN`: state of the SIM card.
  case sim
  /// `SMS Ready`: short messages can be used.
  case messagesReady
  /// `… POWER DOWN`: it switches off.
  case powerDown
  /// `…-VOLTAGE WARNNING`: the supply leaves its range.
  case supplyWarning
  /// `+CPSMSTATUS`: into the deepest sleep, or back.
  case powerSaving
  /// `+CREG`, `+CGREG`, `+CEREG`: registration has changed.
  case registration
  /// `+CNSMOD`: the network in use has changed.
  case system
  /// `*PSUTTZ`: time.
  case networkTime
  /// `*PSNWID`: name of the network.
  case networkName
  /// `DST`: summer time.
  case summerTime
  /// `+CTZV`: time zone.
  case zone
  /// `+APP PDP`: the application network is up or down.
  case applicationNetwork
  /// `+PDP: DEACT`: the toolkit's connection is lost.
  case toolkitLost
  /// `+SAPBR 1: DEACT`: a bearer is lost.
  case bearerLost
  /// `CONNECT OK`, `CLOSED` and others: what became of a connection of the toolkit.
  case connection
  /// `+CIPRXGET: 1`: a connection of the toolkit has received bytes.
  case received
  /// `+CADATAIND`: a socket has received bytes.
  case socketData
  /// `+CASTATE`: the state of a socket has changed.
  case socketState
  /// `+CASEND`: what a socket took.
  case socketSent
  /// `+SHSTATE: 0`: the HTTP server has closed.
  case requestLost
  /// `+SHREQ`: outcome of a request.
  case request
  /// `+HTTPACTION`: outcome of a request by the legacy client.
  case action
  /// `+SMSTATE: 0`: the broker is lost.
  case brokerLost
  /// `+SMSUB`: a message of MQTT.
  case published
  /// `+CNTP`: what a time server brought.
  case timeServer
  /// `+CMTI`: a short message was stored.
  case storedMessage
  /// `+CMT`: a short message; its text follows.
  case directMessage
  /// `+CDS`: what became of a short message that was sent.
  case statusReport
  /// `+CDSI`: such news was stored.
  case storedReport
  /// `+UGNSINF`: a position.
  case position
  /// `RING`: somebody calls.
  case ring

  /// What a whole line is about; nil when it is none of these, or damaged. Of news that nothing depends on the name is enough.
  package static func of(_ line: borrowing ATLine) -> ModemNotice? {
    guard line.bytes.count > 2 else { return nil }
    switch line.bytes[0] {
    case 0x2B: return named(line)
    case 0x2A:
      if NetworkTimeNotice.decode(line) != nil { return .networkTime }
      if line.isNamed("*PSNWID") { return .networkName }
      return nil
    default: return words(line)
    }
  }

  /// Lines that begin with neither `+` nor `*`.
  private static func words(_ line: borrowing ATLine) -> ModemNotice? {
    if ConnectionNotice.decode(line) != nil { return .connection }
    if MessagesReadyNotice.decode(line) != nil { return .messagesReady }
    if PowerDownNotice.decode(line) != nil { return .powerDown }
    if SupplyWarningNotice.decode(line) != nil { return .supplyWarning }
    if ToolkitLostNotice.decode(line) != nil { return .toolkitLost }
    if line.isNamed("DST") { return .summerTime }
    if RingNotice.decode(line) != nil { return .ring }
    return BootSign.matches(line) ? .started : nil
  }

  /// Lines with a name, by its second letter or, where that is common, by its first.
  private static func named(_ line: borrowing ATLine) -> ModemNotice? {
    switch line.bytes[1] {
    case 0x43: return commands(line)
    case 0x53: return sessions(line)
    case 0x41:
      if ApplicationNetworkNotice.decode(line) != nil { return .applicationNetwork }
    case 0x48:
      if ActionNotice.decode(line) != nil { return .action }
    case 0x50:
      if ToolkitLostNotice.decode(line) != nil { return .toolkitLost }
    case 0x55:
      if PositionNotice.decode(line) != nil { return .position }
    default: break
    }
    return nil
  }

  /// Names that begin with C.
  private static func commands(_ line: borrowing ATLine) -> ModemNotice? {
    if RegistrationNotice.decode(line) != nil { return .registration }
    if SIMNotice.decode(line) != nil { return .sim }
    if FunctionNotice.decode(line) != nil { return .function }
    if PowerSavingNotice.decode(line) != nil { return .powerSaving }
    if line.isNamed("+CNSMOD") { return .system }
    if line.isNamed("+CTZV") { return .zone }
    if ReceivedNotice.decode(line) != nil { return .received }
    if SocketDataNotice.decode(line) != nil { return .socketData }
    if SocketStateNotice.decode(line) != nil { return .socketState }
    if SocketSentNotice.decode(line) != nil { return .socketSent }
    if line.isNamed("+CNTP") { return .timeServer }
    if StoredMessageNotice.decode(line) != nil { return .storedMessage }
    if DirectMessageNotice.decode(line) != nil { return .directMessage }
    if StatusReportNotice.decode(line) != nil { return .statusReport }
    if StoredReportNotice.decode(line) != nil { return .storedReport }
    return nil
  }

  /// Names that begin with S.
  private static func sessions(_ line: borrowing ATLine) -> ModemNotice? {
    if PublishedMessageNotice.decode(line) != nil { return .published }
    if RequestNotice.decode(line) != nil { return .request }
    if RequestLostNotice.decode(line) != nil { return .requestLost }
    if BrokerLostNotice.decode(line) != nil { return .brokerLost }
    if BearerLostNotice.decode(line) != nil { return .bearerLost }
    return nil
  }
}
