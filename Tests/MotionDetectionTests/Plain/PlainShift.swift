import MotionDetection
import Quantities

/// The way from one rest to the next, by the paragraph "Shift" of `docs/motion.md`.
struct PlainShift {
  private struct Journey {
    var onset: Instant
    var speed = Vector3.zero
    var way = Vector3.zero
    var seconds: Float = 0
    var calm: Float = 0
    var sways = Vector3.zero
    var swayed: Float = 0
    var chance: Float = 0
  }

  private var gravity = Vector3.zero
  private var learnt: Float = 0
  private var journey: Journey?
  private var isBeyond = false
  /// Squares of the ways of the last five minutes, by the share of them that each took, m², up to the last onset.
  private var usual: Float = 0
  private var began = Instant.zero
  /// Metres of the last journey.
  private(set) var metres: Float = 0

  mutating func judge(_ window: PlainWindow, isSettled: Bool, limit: Float) -> PlainSign? {
    guard window.hasGyroscope, window.hasAccelerometer, isSettled, !window.isUnchanged else {
      forget()
      return nil
    }
    let t = window.seconds
    guard var on = journey ?? start(window) else { return nil }
    on.seconds += t
    let back = window.turn * -t
    gravity += back.cross(gravity)
    on.speed += back.cross(on.speed)
    on.way += back.cross(on.way)
    on.sways += Vector3(window.turn.x.magnitude, window.turn.y.magnitude, window.turn.z.magnitude) * t
    on.swayed = max(on.swayed, on.sways.length)
    var isSteady = false
    if let up = gravity.normalized {
      let more = window.force - gravity
      let level = more - up * more.dot(up)
      on.way += on.speed * t + level * (0.5 * t * t)
      on.speed += level * t
      let deviation = max(window.meanNoise, window.shaking / Float(Int(window.samples)).squareRoot())
      on.chance += deviation * deviation * t * t
      isSteady = level.length < PlainShift.departure(window) + (0.02 + 0.03 * on.swayed * gravity.length) - 0.02
    }
    if !isBeyond, on.seconds > 14 || on.speed.length > 3 {
      isBeyond = true
      usual += 4 * limit * limit * (on.seconds / 300)
    }
    guard !isBeyond else {
      journey = on
      if window.isAtRest { forget() }
      return nil
    }
    on.calm = isSteady && window.activity < 1 ? on.calm + t : 0
    journey = on
    let (g, T) = (gravity.length, on.seconds)
    let steady = 0.02 + 0.03 * on.swayed * g
    let slowest = steady * T + g * 1.5e-4 * T * T / 2 + 4 * on.chance.squareRoot()
    guard on.calm >= 0.4 - 0.01, on.speed.length <= slowest else { return nil }
    metres = (on.way - on.speed * (T / 2)).length
    let unsure = steady * T * T / 4 + g * 1.5e-4 * T * T * T / 6 + 4 * on.chance.squareRoot() * T / 3.46
    journey = nil
    learnt = 1
    let ratio = metres / max(limit, unsure)
    let isUsual = usual >= 0.6 * limit * (0.6 * limit)
    let felt = min(metres, 2 * limit)
    usual += felt * felt * (T / 300)
    if isUsual { return nil }
    return ratio >= 1 ? PlainSign(detector: .shift, ratio: ratio, onset: on.onset) : nil
  }

  private static func departure(_ window: PlainWindow) -> Float { max(0.06, 4 * window.meanNoise) }

  private mutating func start(_ window: PlainWindow) -> Journey? {
    let departs = learnt >= 1 && (window.force - gravity).length >= PlainShift.departure(window)
    if window.activity < 1, !departs {
      learnt = min(learnt + window.seconds, 4)
      gravity += (window.force - gravity) * min(1, window.seconds / learnt)
      return nil
    }
    guard learnt >= 1 else { return nil }
    usual *= max(0, 1 - (window.start - began).seconds / 300)
    began = window.start
    return Journey(onset: window.start)
  }

  mutating func forget() {
    let (usual, began) = (self.usual, self.began)
    self = PlainShift()
    (self.usual, self.began) = (usual, began)
  }
}
