import Quantities

// What the core of the modem asks of the data commands (sockets, HTTP, MQTT, bearers, files). The core calls nothing
// else of them; the data commands keep all their state in `DataState` and `DataFlash`.

/// State of the data commands that a reset clears.
struct DataState: Equatable, Sendable {
  /// Nothing open, nothing set.
  init() {}
}

/// What of the data commands survives a reset: files and converted certificates.
struct DataFlash: Equatable, Sendable {
  /// Nothing stored.
  init() {}
}

/// Timed events of the data commands; set with `schedule(.data(…), after:)`.
enum DataEvent: Equatable, Sendable {
  /// Placeholder.
  case nothing
}

/// Payloads of the data commands; comes back in `finishDataPayload`.
enum DataPayload: Equatable, Sendable {
  /// Placeholder.
  case nothing
}

extension SimulatedModem {
  /// The commands of this folder.
  static var dataCommands: [Command] { [] }

  /// A timed event is due.
  mutating func handle(_ event: DataEvent) {}

  /// The network answers, or tells something unasked.
  mutating func handleData(_ reply: NetworkReply) {}

  /// A payload is there (or the host gave up, or took too long).
  mutating func finishDataPayload(_ payload: DataPayload, bytes: [UInt8], outcome: Prompt.Outcome) -> Answer { .error }

  /// The network is gone or took the bearers away: all connections are lost.
  ///
  /// - Parameter isSilent: True when the host is not told.
  mutating func dataLosesBearers(isSilent: Bool) {}

  /// The module resets or loses its power. Called before `data` is replaced by a fresh value.
  mutating func dataWillReset() {}

  /// Bytes from the host in transparent mode; `+++` has been taken out.
  mutating func receiveTransparent(_ bytes: [UInt8]) {}
}
