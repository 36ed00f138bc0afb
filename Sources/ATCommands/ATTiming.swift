import Quantities

/// Times of the line itself; a command's own times are in its grammar.
@frozen package struct ATTiming: Equatable, BitwiseCopyable, Sendable {
  /// Silence between the modem's last byte and the next command. Default 20 ms; less and some firmware loses the first
  /// character, more only costs time.
  package var gap: Interval = .milliseconds(20)
  /// Silence that ends rubbish after something went wrong. Default 100 ms.
  package var quiet: Interval = .milliseconds(100)
  /// The longest wait for that silence: a modem that keeps talking (NMEA on the same line) is not rubbish. Default 2 s.
  package var quietLimit: Interval = .seconds(2)
  /// Silence that ends a text which has no length. Default 100 ms; a modem sends a text in one go.
  package var textEnd: Interval = .milliseconds(100)
  /// How long more of such a text may come after that silence. Default 5 s.
  package var textRest: Interval { .seconds(5) }
  /// How long a good end that nothing proves is held back in that time, should the text go on. Default 1 s; it delays one answer.
  package var textPause: Interval { .seconds(1) }
  /// How long the rest of an answer is waited for of which one half came, the line or the `OK`, and both belong together: 5 s.
  package var otherHalf: Interval { .seconds(5) }
  /// How long a pending command may still take after a line that looks like a start of the modem. Default 2 s.
  package var doubtTime: Interval = .seconds(2)
  /// How long one `AT` is waited for when synchronising. Default 500 ms.
  package var probeTimeout: Interval = .milliseconds(500)
  /// The same for the first, of which a modem that has just woken may have lost a character. Our choice: one that
  /// hears it answers within some 10 ms.
  package var firstProbe: Interval { .milliseconds(150) }
  /// How long a modem that has not answered the last probe is given before it counts as silent, and one that echoes. Our choice.
  package var lastProbe: Interval { .milliseconds(1500) }
  package var catchUp: Interval { .seconds(4) }
  /// How long the fence is waited for where answers of probes may be on their way, and the second one, behind which a modem counts as
  /// silent that has answered `AT`. Our choice.
  package var lastFence: Interval { .seconds(8) }
  /// Silence before and after `+++`.
  ///
  /// - Source: [sim7000at] section 2.2: a second; ours is a little more.
  package var dataGuard: Interval { .milliseconds(1100) }
  /// How long the echo of a payload may take to begin, and to go on, while its end is held back. Our choice: it comes with the bytes, but
  /// the line may stand still.
  package var echoBegin: Interval { .milliseconds(500) }
  package var echoRest: Interval { .seconds(3) }
  /// How late an answer may be. Default 120 s; answers have been seen 75 s late. Shorter risks that a late one is taken for
  /// another's; longer sends packets twice for longer after a time-out.
  package var lateness: Interval = .seconds(120)
  /// How long the proof may take that a good end is a command's own. Default 5 s; a modem that is still busy answers late.
  package var confirmation: Interval = .seconds(5)
  /// `AT` sent before a lost payload is filled up, and again after that, before the modem counts as silent. Default 4.
  package var probeTries: Int = 4

  /// The defaults.
  @inlinable package init() {}
}

/// Counts of what was odd on the line.
@frozen public struct ATDiagnostics: Equatable, BitwiseCopyable, Sendable {
  /// Lines longer than the buffer; what did not fit is lost, the rest is used.
  public var linesTruncated: UInt32 = 0
  /// Results that no command waited for.
  public var resultsStray: UInt32 = 0
  /// Commands that were not answered in time.
  public var timeouts: UInt32 = 0
  /// Commands and payloads of which the echo was not what had been sent.
  public var garbled: UInt32 = 0
  /// Good ends that did not count, since an earlier command's was still to come.
  public var doubts: UInt32 = 0
  /// Times the channel got back into step.
  public var resynchronisations: UInt32 = 0
  /// Starts that only the returning echo showed.
  public var echoReturned: UInt32 = 0

  @inlinable init() {}
}
