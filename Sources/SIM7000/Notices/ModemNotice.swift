import ATCommands

/// Any line that a SIM7000 sends unasked.
///
/// Some are also outcomes of commands; the dialogue gives those to their command while it waits for them.
@frozen package enum ModemNotice: ATNotice {
  /// `RDY`: it has started.
  case started
  /// `+CFUN`: level of function after a start.
  case function(FunctionNotice)
  /// `+CPIN`: state of the SIM card.
  case sim(SIMNotice)
  /// `SMS Ready`: short messages can be used.
  case messagesReady
  /// `… POWER DOWN`: it switches off.
  case powerDown(PowerDownNotice)
  /// `…-VOLTAGE WARNNING`: the supply leaves its range.
  case supplyWarning(SupplyWarningNotice)
  /// `+CPSMSTATUS`: into the deepest sleep, or back.
  case powerSaving(PowerSavingNotice)
  /// `+CREG`, `+CGREG`, `+CEREG`: registration has changed.
  case registration(RegistrationNotice)
  /// `+CNSMOD`: the network in use has changed.
  case system(SystemNotice)
  /// `*PSUTTZ`: time.
  case networkTime(NetworkTimeNotice)
  /// `*PSNWID`: name of the network.
  case networkName(NetworkNameNotice)
  /// `DST`: summer time.
  case summerTime(SummerTimeNotice)
  /// `+CTZV`: time zone.
  case zone(ZoneNotice)
  /// `+APP PDP`: the application network is up or down.
  case applicationNetwork(ApplicationNetworkNotice)
  /// `+PDP: DEACT`: the toolkit's connection is lost.
  case toolkitLost
  /// `+SAPBR 1: DEACT`: a bearer is lost.
  case bearerLost(BearerLostNotice)
  /// `CONNECT OK`, `CLOSED` and others: what became of a connection of the toolkit.
  case connection(ConnectionNotice)
  /// `+CIPRXGET: 1`: a connection of the toolkit has received bytes.
  case received(ReceivedNotice)
  /// `+CADATAIND`: a socket has received bytes.
  case socketData(SocketDataNotice)
  /// `+CASTATE`: the state of a socket has changed.
  case socketState(SocketStateNotice)
  /// `+CASEND`: what a socket took.
  case socketSent(SocketSentNotice)
  /// `+SHSTATE: 0`: the HTTP server has closed.
  case requestLost
  /// `+SHREQ`: outcome of a request.
  case request(RequestNotice)
  /// `+HTTPACTION`: outcome of a request by the legacy client.
  case action(ActionNotice)
  /// `+SMSTATE: 0`: the broker is lost.
  case brokerLost
  /// `+SMSUB`: a message of MQTT.
  case published(PublishedMessageNotice)
  /// `+CNTP`: what a time server brought.
  case timeServer(TimeServerNotice)
  /// `+CMTI`: a short message was stored.
  case storedMessage(StoredMessageNotice)
  /// `+CMT`: a short message; its text follows.
  case directMessage(DirectMessageNotice)
  /// `+CDS`: what became of a short message that was sent.
  case statusReport(StatusReportNotice)
  /// `+CDSI`: such news was stored.
  case storedReport(StoredReportNotice)
  /// `+UGNSINF`: a position.
  case position(PositionNotice)
  /// `RING`: somebody calls.
  case ring

  /// Reads the line.
  package static func decode(_ line: borrowing ATLine) -> ModemNotice? {
    guard line.bytes.count > 2 else { return nil }
    switch line.bytes[0] {
    case 0x2B: return named(line)
    case 0x2A:
      if let notice = NetworkTimeNotice.decode(line) { return .networkTime(notice) }
      if let notice = NetworkNameNotice.decode(line) { return .networkName(notice) }
      return nil
    default: return words(line)
    }
  }

  /// Lines that begin with neither `+` nor `*`.
  private static func words(_ line: borrowing ATLine) -> ModemNotice? {
    if let notice = ConnectionNotice.decode(line) { return .connection(notice) }
    if MessagesReadyNotice.decode(line) != nil { return .messagesReady }
    if let notice = PowerDownNotice.decode(line) { return .powerDown(notice) }
    if let notice = SupplyWarningNotice.decode(line) { return .supplyWarning(notice) }
    if ToolkitLostNotice.decode(line) != nil { return .toolkitLost }
    if let notice = SummerTimeNotice.decode(line) { return .summerTime(notice) }
    if RingNotice.decode(line) != nil { return .ring }
    return BootSign.matches(line) ? .started : nil
  }

  /// Lines with a name, by its second letter or, where that is common, by its first.
  private static func named(_ line: borrowing ATLine) -> ModemNotice? {
    switch line.bytes[1] {
    case 0x43: return commands(line)
    case 0x53: return sessions(line)
    case 0x41:
      if let notice = ApplicationNetworkNotice.decode(line) { return .applicationNetwork(notice) }
    case 0x48:
      if let notice = ActionNotice.decode(line) { return .action(notice) }
    case 0x50:
      if ToolkitLostNotice.decode(line) != nil { return .toolkitLost }
    case 0x55:
      if let notice = PositionNotice.decode(line) { return .position(notice) }
    default: break
    }
    return nil
  }

  /// Names that begin with C.
  private static func commands(_ line: borrowing ATLine) -> ModemNotice? {
    if let notice = RegistrationNotice.decode(line) { return .registration(notice) }
    if let notice = SIMNotice.decode(line) { return .sim(notice) }
    if let notice = FunctionNotice.decode(line) { return .function(notice) }
    if let notice = PowerSavingNotice.decode(line) { return .powerSaving(notice) }
    if let notice = SystemNotice.decode(line) { return .system(notice) }
    if let notice = ZoneNotice.decode(line) { return .zone(notice) }
    if let notice = ReceivedNotice.decode(line) { return .received(notice) }
    if let notice = SocketDataNotice.decode(line) { return .socketData(notice) }
    if let notice = SocketStateNotice.decode(line) { return .socketState(notice) }
    if let notice = SocketSentNotice.decode(line) { return .socketSent(notice) }
    if let notice = TimeServerNotice.decode(line) { return .timeServer(notice) }
    if let notice = StoredMessageNotice.decode(line) { return .storedMessage(notice) }
    if let notice = DirectMessageNotice.decode(line) { return .directMessage(notice) }
    if let notice = StatusReportNotice.decode(line) { return .statusReport(notice) }
    if let notice = StoredReportNotice.decode(line) { return .storedReport(notice) }
    return nil
  }

  /// Names that begin with S.
  private static func sessions(_ line: borrowing ATLine) -> ModemNotice? {
    if let notice = PublishedMessageNotice.decode(line) { return .published(notice) }
    if let notice = RequestNotice.decode(line) { return .request(notice) }
    if RequestLostNotice.decode(line) != nil { return .requestLost }
    if BrokerLostNotice.decode(line) != nil { return .brokerLost }
    if let notice = BearerLostNotice.decode(line) { return .bearerLost(notice) }
    return nil
  }
}
