import Quantities

@testable import InertialFusion

/// What the comments of `MagneticRival` describe, in double precision, with fields kept as they are and times and odds rounded as there.
struct RivalLedger {
  /// The rival: a field of the level frame, and the seconds of turning in which it was seen.
  struct Other {
    var field: [Double]
    var seconds = 0.0
    /// True when it was beaten by a turn.
    var isOfTurn = false
  }

  var other: Other?
  /// Seconds of turning in which the present field was seen.
  var known = 4.0
  var suspicion = RivalLedger.half(0.01)
  /// Fields that became a rival.
  var begun = 0
  private var share = 0.0
  private var angle = 0.0

  var doubt: Double { other == nil ? 0 : share * angle * angle }

  /// The upper half of the bits.
  private static func half(_ x: Double) -> Double { Double(Float(bitPattern: Float(x).bitPattern & 0xFFFF_0000)) }

  private func time(_ before: Double, _ more: Double, _ p: MagneticParameters) -> Double {
    let longest = max(Double(min(p.relearnAfter, 63)), before)
    return ((min(max(before + more, 0), longest)) * 1024).rounded() / 1024
  }

  private func square(_ v: [Double]) -> Double { v.reduce(0) { $0 + $1 * $1 } }

  /// - Parameters:
  ///   - deviation: Square of what the present field did not explain.
  ///   - reading: The earth's field as read.
  mutating func update(
    deviation: Double, reading: [Double], ratio: Double, field m: [Double], seconds: Double, turning: Double,
    variance: Double, _ p: MagneticParameters
  ) -> (field: [Double], seconds: Double)? {
    let place = Double(p.placeSeconds)
    if ratio < 1 {
      known = time(known, turning, p)
      if !(other?.isOfTurn ?? false) {
        suspicion = RivalLedger.half(suspicion + (RivalLedger.half(0.01) - suspicion) * min(1, seconds / place))
      }
    }
    guard var rival = other else {
      if ratio > 1 { begin(reading, m, variance, place) }
      return nil
    }
    let news = zip(reading, rival.field).map { $0 - $1 }
    if ratio > 1, square(news) < min(deviation, Double(p.rejection * p.rejection)) {
      let gain = seconds / (seconds + min(rival.seconds, place))
      rival.field = zip(rival.field, news).map { $0 + $1 * gain }
      rival.seconds = time(rival.seconds, turning, p)
      other = rival
      if !rival.isOfTurn {
        let usual = suspicion + (RivalLedger.half(0.01) - suspicion) * min(1, turning / place)
        suspicion = RivalLedger.half(max(suspicion, usual))
      }
      let turned = weigh(m, variance, place, isSeen: true)
      guard share > (rival.seconds >= place / 2 ? 0.5 : 0.9) else { return nil }
      let won = (rival.field, rival.seconds)
      let isOfTurn = !rival.isOfTurn && turned > share / 2
      if !isOfTurn { suspicion = min(suspicion, RivalLedger.half(0.01)) }
      other = Other(field: m, seconds: max(known, 1.0 / 1024), isOfTurn: isOfTurn)
      known = rival.seconds
      _ = weigh(won.0, variance, place, isSeen: false)
      return won
    }
    let lost = ratio > 1 ? seconds : turning * 0.25
    if rival.seconds == 0 || rival.seconds < lost {
      other = nil
      if ratio > 1 { begin(reading, m, variance, place) }
    } else {
      rival.seconds = time(rival.seconds, -lost, p)
      other = rival
      _ = weigh(m, variance, place, isSeen: false)
      if ratio > 1 {
        let before = self
        begin(reading, m, variance, place)
        if share <= before.share { self = before }
      }
    }
    if ratio > 1 { suspicion = RivalLedger.half(suspicion * max(0, 1 - seconds / 0.5)) }
    return nil
  }

  private mutating func begin(_ reading: [Double], _ m: [Double], _ variance: Double, _ place: Double) {
    begun += 1
    other = Other(field: reading)
    _ = weigh(m, variance, place, isSeen: true)
  }

  /// Returns what of the share is by a turn.
  private mutating func weigh(_ m: [Double], _ variance: Double, _ place: Double, isSeen: Bool) -> Double {
    guard let other else { return 0 }
    let n = other.field
    func level(_ v: [Double]) -> Double { (v[0] * v[0] + v[1] * v[1]).squareRoot() }
    let apart = square(zip(n, m).map { $0 - $1 })
    let differs = square([level(n) - level(m), n[2] - m[2]])
    let fit = 1 / (1 + differs / (6 * variance))
    let ratio = apart * apart.squareRoot() / (variance * max(min(level(n), level(m)), 2)) * fit * fit * fit * fit
    let turned = isSeen == other.isOfTurn ? 0 : suspicion * ratio
    let (new, old) = other.isOfTurn ? (known / place, other.seconds / place) : (other.seconds / place, known / place)
    let moved = 1 + 0.25 * apart / variance * new
    let rest = 0.1 + 0.9 / (moved * moved.squareRoot())
    let won = (turned + rest * (new + 1) / (new + old + 2)) / (turned + rest)
    share = other.isOfTurn ? 1 - won : won
    angle = Double(
      Elementary.atan2(Float(m[0] * n[1] - m[1] * n[0]), Float(m[0] * n[0] + m[1] * n[1])))
    return turned / (turned + rest)
  }
}
