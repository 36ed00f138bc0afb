extension SimulatedModem {
  static var identityCommands: [Command] { [] }
  static var powerCommands: [Command] { [] }
  static var radioCommands: [Command] { [] }
  static var clockCommands: [Command] { [] }
  static var messageCommands: [Command] { [] }
  static var gnssCommands: [Command] { [] }
  static var genericCommands: [Command] { [] }
  var operatorList: String { "" }
}
struct GNSSState: Sendable { mutating func restart() {} }
struct MessageState: Sendable { mutating func restart() {} }
struct StoredMessage: Equatable, Sendable {}
struct MessageDraft: Equatable, Sendable {}
enum SMSEvent: Equatable, Sendable { case timeout }
extension SimulatedModem {
  mutating func handle(_ event: SMSEvent) {}
  mutating func gnssSecondPassed() {}
  mutating func handleMessageReply(_ reply: NetworkReply) {}
  mutating func receiveMessage(_ text: String, from sender: String) {}
  mutating func deliverWaitingMessages() {}
  mutating func finishMessage(_ draft: MessageDraft, bytes: [UInt8], outcome: Prompt.Outcome) -> Answer { .error }
}
