import InertialFusion
import MotionDetection
import Positioning
import Quantities

/// What one window of the sensor shows, taken from the estimator's public doors.
struct PlainWindow {
  var start: Instant
  var end: Instant
  var activity: Float
  var lastMovement: Instant
  var isAtRest: Bool
  var turning: Float
  var turningNoise: Float
  var hasGyroscope: Bool
  var vibration: Float
  var vibrationNoise: Float
  var attitude: Quaternion?
  var isStuck: Bool

  init(_ estimator: borrowing InertialEstimator) {
    let rest = estimator.rest
    start = rest.windowStart
    end = rest.windowEnd
    activity = rest.evidence.activity
    lastMovement = rest.lastMovement ?? rest.windowEnd
    isAtRest = rest.isAtRest
    hasGyroscope = rest.angularRate.count > 0
    var mean = Vector3.zero
    if estimator.attitude.isGyroBiasKnown { mean = rest.angularRate.mean - estimator.attitude.gyroBias }
    turning = (rest.angularRate.variance + mean.squaredLength / 3).squareRoot()
    turningNoise = rest.angularRateNoise.variance.squareRoot()
    vibration = rest.specificForce.variance.squareRoot()
    vibrationNoise = rest.specificForceNoise.variance.squareRoot()
    attitude = estimator.attitude.isAligned ? estimator.attitude.levelFromBody : nil
    isStuck = rest.frozen > .seconds(10)
  }

  var length: Interval { end - start }
}

/// A sign that a parked vehicle is moved.
struct PlainSign {
  var detector: MovementDetector
  var ratio: Float
  var onset: Instant

  var grade: Int {
    switch detector {
    case .touch: 0
    case .handling: 1
    case .tilt, .heading: 2
    case .speed, .displacement: 3
    }
  }

  /// The higher grade counts; of one grade the clearer, the first of equals.
  static func stronger(_ a: PlainSign?, _ b: PlainSign?) -> PlainSign? {
    guard let a else { return b }
    guard let b else { return a }
    return b.grade > a.grade || (b.grade == a.grade && b.ratio > a.ratio) ? b : a
  }
}

/// The watch over a parked vehicle by the table of detectors in `docs/motion.md`.
struct PlainWatch {
  let p: MotionParameters
  var attitude: Quaternion?
  /// The vertical that an earlier life saw.
  var earlierUp: Vector3?
  var averaged = 0
  var place: GeodeticPosition?
  var accuracy: Float
  /// The last fix that agreed with the place.
  var agreed: Instant?
  /// Noise that an earlier life learnt: gyroscope, accelerometer.
  var earlierNoise: (turning: Float, vibration: Float)?
  var tilt: Float?
  var heading: Float?
  var displacement: Float?

  var handled = Interval.zero
  var handlingOnset: Instant?
  var handlingPeak: Float = 0
  var tiltedSince: Instant?
  var turnedSince: Instant?
  var displaced: [Instant] = []

  var up: Vector3? { attitude.map { $0.conjugate.rotate(Vector3(0, 0, 1)) } ?? earlierUp }

  mutating func judge(_ window: PlainWindow) -> PlainSign? {
    let handling = judgeHandling(window)
    let (tilt, heading) = judgeOrientation(window)
    return PlainSign.stronger(PlainSign.stronger(handling, tilt), heading)
  }

  private mutating func judgeHandling(_ window: PlainWindow) -> PlainSign? {
    var turningNoise = window.turningNoise
    var vibrationNoise = window.vibrationNoise
    if let earlierNoise {
      turningNoise = min(turningNoise, earlierNoise.turning * 2)
      vibrationNoise = min(vibrationNoise, earlierNoise.vibration * 2)
    }
    let turning = window.turning / max(p.handlingRate, 4 * turningNoise)
    let shaking = window.vibration / max(p.handlingVibration, 4 * vibrationNoise)
    let level = max(turning, shaking)
    if level >= 1 {
      if handled == .zero {
        handlingOnset = window.start
        handlingPeak = level
      }
      handlingPeak = max(handlingPeak, level)
      handled = handled + window.length
    } else {
      if window.isAtRest { earlierNoise = nil }
      // Quiet forgets half as fast.
      handled = max(.zero, handled - Interval(microseconds: window.length.microseconds / 2))
    }
    let needed = p.handlingConfirmation + window.length
    guard handled >= needed else { return nil }
    handled = needed
    return PlainSign(detector: .handling, ratio: handlingPeak, onset: handlingOnset ?? window.start)
  }

  private mutating func judgeOrientation(_ window: PlainWindow) -> (PlainSign?, PlainSign?) {
    let vertical = Vector3(0, 0, 1)
    guard let now = window.attitude else { return (nil, nil) }
    let upNow = now.conjugate.rotate(vertical)
    guard let parked = attitude else {
      if window.isAtRest {
        attitude = earlierUp.map { now * Quaternion(from: $0, to: upNow) } ?? now
      }
      return (nil, nil)
    }
    let upParked = parked.conjugate.rotate(vertical)
    let angle = Elementary.atan2(upParked.cross(upNow).length, upParked.dot(upNow))
    tilt = angle
    let tilted = held(angle / p.tiltLimit, .tilt, &tiltedSince, window)
    guard window.hasGyroscope else { return (tilted, nil) }
    let turn = now * parked.conjugate
    // The first fifty windows at rest are averaged.
    if window.isAtRest, averaged < 50, turn.w.magnitude > 0.9999 {
      averaged += 1
      let share = 1 / Float(averaged + 1) * (turn.w < 0 ? -1 : 1)
      attitude =
        (Quaternion(w: 1, x: turn.x * share, y: turn.y * share, z: turn.z * share) * parked).normalized
    }
    let heading = 2 * Elementary.atan2(turn.z.magnitude, turn.w.magnitude)
    self.heading = heading
    return (tilted, held(heading / p.headingLimit, .heading, &turnedSince, window))
  }

  private func held(
    _ ratio: Float, _ detector: MovementDetector, _ since: inout Instant?, _ window: PlainWindow
  ) -> PlainSign? {
    if ratio < 1 || ratio.isNaN {
      since = nil
      return nil
    }
    let onset = since ?? window.start
    since = onset
    return window.end - onset >= p.orientationConfirmation
      ? PlainSign(detector: detector, ratio: ratio, onset: onset) : nil
  }

  mutating func judge(_ fix: GNSSFix, at position: GeodeticPosition, _ radius68: Float, vouchedSince: Instant?)
    -> PlainSign?
  {
    guard let place else {
      self.place = position
      accuracy = radius68
      agreed = fix.time
      return nil
    }
    let distance = Float(Geodesic.fastDistance(from: place, to: position))
    displacement = distance
    let noise = (accuracy * accuracy + radius68 * radius68).squareRoot()
    let radius = max(p.parkedDisplacement, 3 * noise)
    let isVouched = vouchedSince.flatMap { since in agreed.map { since <= $0 } } ?? false
    if distance < radius {
      agreed = fix.time
      displaced = []
      if radius68 < accuracy * 0.7 {
        self.place = position
        accuracy = radius68
      }
      return nil
    }
    if isVouched, distance <= 20 * radius {
      displaced = []
      return nil
    }
    displaced.append(fix.time)
    guard displaced.count >= 2, let first = displaced.first else { return nil }
    return PlainSign(detector: .displacement, ratio: distance / radius, onset: first)
  }
}
