import ASCIIText
import ATCommands
import InlineStorage
import Testing

@testable import SIM7000

/// What a command writes; nil when it is longer than a line of the modem may be.
func written(_ command: some ATCommand) -> String? {
  var line = InlineBytes<559>()
  command.encode(into: &line)
  guard !line.isTruncated else { return nil }
  return String(decoding: (0..<line.count).map { line[$0] }, as: UTF8.self)
}

/// What a command reads from a line.
func read<Command: ATCommand>(_ command: Command.Type, _ line: String) -> Command.Response? {
  let bytes = Array(line.utf8)
  return Command.decode(ATLine(bytes.span))
}

/// What a notice says: its content, by what it is about.
enum Notice: Equatable {
  case started, messagesReady, toolkitLost, requestLost, brokerLost, ring
  case networkTime(NetworkTimeNotice)
  case networkName(NetworkNameNotice)
  case connection(ConnectionNotice)
  case powerDown(PowerDownNotice)
  case supplyWarning(SupplyWarningNotice)
  case summerTime(SummerTimeNotice)
  case applicationNetwork(ApplicationNetworkNotice)
  case action(ActionNotice)
  case position(PositionNotice)
  case registration(RegistrationNotice)
  case sim(SIMNotice)
  case function(FunctionNotice)
  case powerSaving(PowerSavingNotice)
  case system(SystemNotice)
  case zone(ZoneNotice)
  case received(ReceivedNotice)
  case socketData(SocketDataNotice)
  case socketState(SocketStateNotice)
  case socketSent(SocketSentNotice)
  case timeServer(TimeServerNotice)
  case storedMessage(StoredMessageNotice)
  case directMessage(DirectMessageNotice)
  case statusReport(StatusReportNotice)
  case storedReport(StoredReportNotice)
  case published(PublishedMessageNotice)
  case request(RequestNotice)
  case bearerLost(BearerLostNotice)

  /// The content; nil when the type of the name does not read what was taken for it.
  init?(_ kind: ModemNotice, _ line: borrowing ATLine) {
    switch kind {
    case .started: self = .started
    case .messagesReady: self = .messagesReady
    case .toolkitLost: self = .toolkitLost
    case .requestLost: self = .requestLost
    case .brokerLost: self = .brokerLost
    case .ring: self = .ring
    case .networkTime:
      guard let content = NetworkTimeNotice.decode(line) else { return nil }
      self = .networkTime(content)
    case .networkName:
      guard let content = NetworkNameNotice.decode(line) else { return nil }
      self = .networkName(content)
    case .connection:
      guard let content = ConnectionNotice.decode(line) else { return nil }
      self = .connection(content)
    case .powerDown:
      guard let content = PowerDownNotice.decode(line) else { return nil }
      self = .powerDown(content)
    case .supplyWarning:
      guard let content = SupplyWarningNotice.decode(line) else { return nil }
      self = .supplyWarning(content)
    case .summerTime:
      guard let content = SummerTimeNotice.decode(line) else { return nil }
      self = .summerTime(content)
    case .applicationNetwork:
      guard let content = ApplicationNetworkNotice.decode(line) else { return nil }
      self = .applicationNetwork(content)
    case .action:
      guard let content = ActionNotice.decode(line) else { return nil }
      self = .action(content)
    case .position:
      guard let content = PositionNotice.decode(line) else { return nil }
      self = .position(content)
    case .registration:
      guard let content = RegistrationNotice.decode(line) else { return nil }
      self = .registration(content)
    case .sim:
      guard let content = SIMNotice.decode(line) else { return nil }
      self = .sim(content)
    case .function:
      guard let content = FunctionNotice.decode(line) else { return nil }
      self = .function(content)
    case .powerSaving:
      guard let content = PowerSavingNotice.decode(line) else { return nil }
      self = .powerSaving(content)
    case .system:
      guard let content = SystemNotice.decode(line) else { return nil }
      self = .system(content)
    case .zone:
      guard let content = ZoneNotice.decode(line) else { return nil }
      self = .zone(content)
    case .received:
      guard let content = ReceivedNotice.decode(line) else { return nil }
      self = .received(content)
    case .socketData:
      guard let content = SocketDataNotice.decode(line) else { return nil }
      self = .socketData(content)
    case .socketState:
      guard let content = SocketStateNotice.decode(line) else { return nil }
      self = .socketState(content)
    case .socketSent:
      guard let content = SocketSentNotice.decode(line) else { return nil }
      self = .socketSent(content)
    case .timeServer:
      guard let content = TimeServerNotice.decode(line) else { return nil }
      self = .timeServer(content)
    case .storedMessage:
      guard let content = StoredMessageNotice.decode(line) else { return nil }
      self = .storedMessage(content)
    case .directMessage:
      guard let content = DirectMessageNotice.decode(line) else { return nil }
      self = .directMessage(content)
    case .statusReport:
      guard let content = StatusReportNotice.decode(line) else { return nil }
      self = .statusReport(content)
    case .storedReport:
      guard let content = StoredReportNotice.decode(line) else { return nil }
      self = .storedReport(content)
    case .published:
      guard let content = PublishedMessageNotice.decode(line) else { return nil }
      self = .published(content)
    case .request:
      guard let content = RequestNotice.decode(line) else { return nil }
      self = .request(content)
    case .bearerLost:
      guard let content = BearerLostNotice.decode(line) else { return nil }
      self = .bearerLost(content)
    }
  }
}

/// The notice that a line is.
func notice(_ line: String) -> Notice? {
  let bytes = Array(line.utf8)
  return ModemNotice.of(ATLine(bytes.span)).flatMap { Notice($0, ATLine(bytes.span)) }
}

/// The text of a buffer.
func text<let capacity: Int>(_ bytes: InlineBytes<capacity>) -> String {
  var copy: [UInt8] = []
  var place = 0
  while place < bytes.count {
    copy.append(bytes[place])
    place += 1
  }
  return String(decoding: copy, as: UTF8.self)
}

/// A test's literal is not a text that the modem takes.
struct NotAModemText: Error {}

/// A literal that is known to be a valid text.
func modemText<let capacity: Int>(_ literal: StaticString) throws -> ModemText<capacity> {
  guard let text = ModemText<capacity>(literal) else { throw NotAModemText() }
  return text
}
