/// A connection to gpsd in the making; libgps is behind it, or in tests a gpsd on virtual time.
package protocol GPSDOpening: AnyObject {
  /// Readable when there is an outcome.
  var wakeUp: WakeUp { get }

  /// The outcome, once; nil before there is one.
  func take() -> GPSDOutcome?

  /// Closes what came of it, or will come.
  func abandon()
}

/// What came of a connection to gpsd.
package enum GPSDOutcome: Equatable, Sendable {
  /// A socket that has asked for reports; the taker closes it.
  case connected(Int32)
  /// libgps's number, negative, or the system's.
  case failed(Int32)
}
