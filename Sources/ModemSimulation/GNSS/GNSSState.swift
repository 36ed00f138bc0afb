import Quantities

/// The satellite receiver.
struct GNSSState: Equatable, Sendable {
  /// `CGNSPWR`.
  var isOn = false
  /// When the search ends.
  var fixFrom: Instant = .zero
  /// When there was a fix last; survives a reset, for the receiver keeps its orbits.
  var lastFix: Instant?
  /// Seconds between reports of `CGNSURC`; 0 for none.
  var reportEvery = 0
  /// Seconds since it was switched on.
  var seconds = 0
  /// `CGNSTST`.
  var copiesSentences = false
  /// `CGNSXTRA`.
  var usesPrediction = false

  /// The module restarts: the receiver is off.
  mutating func restart() {
    let kept = lastFix
    self = GNSSState()
    lastFix = kept
  }
}

extension SimulatedModem {
  /// Orbits are good for so long: within it a start is hot.
  private static let orbitsHold = Interval.seconds(7_200)

  /// Switches the receiver on or off.
  mutating func switchGNSS(on: Bool) {
    guard on != gnss.isOn else { return }
    timers.cancel(.gnssSecond)
    gnss.isOn = on
    guard on else { return }
    gnss.seconds = 0
    let isHot = gnss.lastFix.map { now - $0 < SimulatedModem.orbitsHold } ?? false
    gnss.fixFrom = now + (isHot ? configuration.gnss.hotStart : configuration.gnss.coldStart)
    schedule(.gnssSecond, after: .seconds(1))
  }

  /// A start that forgets so much that the search takes this long.
  mutating func restartGNSS(search: Interval) {
    gnss.lastFix = nil
    gnss.fixFrom = now + search
  }

  /// Now, at the last full second.
  private var second: Instant { Instant(microseconds: now.microseconds - now.microseconds % 1_000_000) }

  /// UTC of the last full second.
  private var receiverTime: UTCTime { configuration.startTime + (second - .zero) }

  /// The sentences that a recorded log has for this second.
  private var recordedSentences: ArraySlice<String>? {
    guard case .sentences(let lines) = configuration.gnss.source, let first = lines.first else { return nil }
    let kind = first.prefix { $0 != "," }
    let starts = lines.indices.filter { lines[$0].prefix { $0 != "," } == kind }
    let place = Int(now.microseconds / 1_000_000) % starts.count
    return lines[starts[place]..<(place + 1 < starts.count ? starts[place + 1] : lines.count)]
  }

  /// What the receiver knows; nil while it searches.
  var receiverFix: ReceiverFix? {
    guard gnss.isOn, now >= gnss.fixFrom else { return nil }
    var fix: ReceiverFix?
    switch configuration.gnss.source {
    case .none: return nil
    case .trajectory(let path): fix = ReceiverFix(on: path, at: second)
    case .sentences: fix = recordedSentences.flatMap { ReceiverFix(sentences: $0) }
    }
    if let sent = radio.lastTransmission, now - sent < configuration.gnss.degradesAfterTransmitting {
      fix?.dilution = (6.4, 9.9, 7.5)
      fix?.satellites.used = 3
      fix?.signal = 31
    }
    return fix
  }

  mutating func gnssSecondPassed() {
    guard gnss.isOn else { return }
    schedule(.gnssSecond, after: .seconds(1))
    gnss.seconds += 1
    let fix = receiverFix
    if fix != nil { gnss.lastFix = now }
    if gnss.reportEvery > 0, gnss.seconds % gnss.reportEvery == 0 {
      let extra = configuration.gnss.reportHasExtraField ? "," : ""
      urc("+UGNSINF: " + ReceiverText.fields(isOn: true, fix: fix, utc: receiverTime) + extra)
    }
    if gnss.copiesSentences {
      let sentences = recordedSentences.map(Array.init) ?? ReceiverText.sentences(fix: fix, utc: receiverTime)
      for sentence in sentences { urc(raw: Array((sentence + "\r\n").utf8)) }
    }
  }

  /// The answer to `CGNSINF`.
  var receiverFields: String { ReceiverText.fields(isOn: gnss.isOn, fix: receiverFix, utc: receiverTime) }
}
