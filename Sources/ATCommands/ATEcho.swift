/// What a modem does about echo.
@frozen package enum ATEcho: UInt8, BitwiseCopyable, Sendable {
  /// Not known: an echo is let pass.
  case unknown
  /// It was told not to echo, and said `OK`: an echo after that means that it has started anew.
  case off
  /// It was told to echo, and said `OK`: each command must come back as it was sent before its answer counts, and a payload
  /// that comes back must be what was sent. A serial line has no checksum; this is one.
  case verified
}
