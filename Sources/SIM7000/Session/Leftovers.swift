/// What an earlier owner may have left in the modem, and how far that is cleared.
///
/// A modem that was on before may be connected to another broker, encrypt where that is not wanted, log in as somebody else, or keep to an
/// operator. Nothing of that is looked for while all is well: it is cleared when a server or a network is not reached.
struct Leftovers: BitwiseCopyable {
  /// The modem's session with the broker is one that this driver has opened: another may be with another broker.
  var ownsBroker = false
  /// The server at hand was not reached: what may be left is cleared before the next try.
  var areDoubted = false
  /// How the modem chooses its operator was asked since its start.
  var operatorWasAsked = false
  /// The radio was switched on, should somebody have left it off.
  var radioIsOn = false
  /// Ways, a bit each by raw value, on which nothing is left since the modem's start.
  private var clearedWays: UInt8 = 0

  /// True when a way may be set up otherwise.
  func mayBe(on way: ModemTransport) -> Bool { areDoubted && clearedWays & 1 << way.rawValue == 0 }

  /// A way has nothing of an earlier owner's: it was cleared, or a server was reached by it.
  mutating func noteCleared(_ way: ModemTransport) { clearedWays |= 1 << way.rawValue }

  /// The modem has started: what it stores is back.
  mutating func modemStarted() {
    clearedWays = 0
    operatorWasAsked = false
    radioIsOn = false
  }
}
