import Quantities

/// A satellite receiver with all its errors: parameters only, see `SatelliteRun` for it at work. All deviations are per horizontal axis, m.
package struct SatelliteModel: Equatable, Sendable {
  /// What it knows when it is switched on.
  package enum Start: String, CaseIterable, Sendable {
    /// It has been on for long.
    case on
    /// Time, place and orbits.
    case hot
    /// Time and place, no orbits.
    case warm
    /// Nothing.
    case cold
  }

  /// From fix to fix.
  package var white = 0.3
  /// Error of the atmosphere and the orbits, and the time in which it is forgotten, s.
  package var wandering = (sigma: 1.5, tau: 1200.0)
  /// Echoes of a parked vehicle's surroundings: they come again each sidereal day, and change by a share from day to day.
  package var echoes = (sigma: 1.0, renewed: 0.3)
  /// Echoes on the way, and the way on which they are forgotten, m.
  package var passing = (sigma: 1.0, metres: 30.0)
  /// Losses an hour and their mean length, s.
  package var outages = (perHour: 0.0, seconds: 30.0)
  /// How it is when the scene begins.
  package var start = Start.on
  /// Until the first fix after each start, s.
  package var firstFix = (hot: 2.0, warm: 25.0, cold: 35.0)
  /// Error of the first fix after a cold start and after an outage, and the time in which it is left, s.
  package var first = (cold: 30.0, again: 8.0, tau: 15.0)
  /// What it states as a share of the radius that holds 68 % of its errors: 1 is right.
  package var honesty = 1.0
  /// The least that it states, m; nothing at all where nil.
  package var least: Double? = 1.5
  /// Of the speed, m/s.
  package var doppler = 0.08
  /// Fixes far away in a week, and how far, m.
  package var outliers = (perWeek: 0.0, metres: 80.0)

  /// An open sky.
  package init() {}

  package static func == (a: SatelliteModel, b: SatelliteModel) -> Bool {
    a.white == b.white && a.wandering == b.wandering && a.echoes == b.echoes && a.passing == b.passing
      && a.outages == b.outages && a.start == b.start && a.firstFix == b.firstFix && a.first == b.first
      && a.honesty == b.honesty && a.least == b.least && a.doppler == b.doppler && a.outliers == b.outliers
  }

  /// Deviation of a parked receiver's fixes, m.
  package var parkedSigma: Double {
    (white * white + wandering.sigma * wandering.sigma + echoes.sigma * echoes.sigma).squareRoot()
  }

  /// Deviation of a moving receiver's fixes, m.
  package var movingSigma: Double {
    (white * white + wandering.sigma * wandering.sigma + passing.sigma * passing.sigma).squareRoot()
  }
}

/// A receiver at work.
///
/// - Source: our derivation; that echoes of a fixed antenna repeat with the ground tracks of the satellites, after a sidereal day less some
///   seconds, is [ragheb].
struct SatelliteRun: Sendable {
  /// What it makes of a place: errors, m and m/s, and what it says.
  struct Fix: Equatable, Sendable {
    var east: Double
    var north: Double
    var up: Double
    var speed: (east: Double, north: Double)
    var stated: Double?
    var satellites: UInt8

    static func == (a: Fix, b: Fix) -> Bool {
      a.east == b.east && a.north == b.north && a.up == b.up && a.speed == b.speed && a.stated == b.stated
        && a.satellites == b.satellites
    }
  }

  /// Length of the period in which the constellation returns, s.
  static let siderealDay = 86_155.0

  /// One slow wave of the echoes, for one axis.
  private struct Wave: Sendable {
    let turns: Double
    var cosine: Double
    var sine: Double
  }

  private let model: SatelliteModel
  private var random: SeededRandom
  private var wandering: [Double] = []
  private var passing: [Double] = [0, 0]
  private var echoes: [[Wave]] = []
  private var day = 0
  /// 1 where it stands, 0 on the way.
  private var parked = 1.0
  /// Until when it has no fix, when it had the first one after that, and how wrong that was.
  private var silentUntil = 0.0
  private var begun: (time: Double, east: Double, north: Double)?
  private var isCold = false
  private var speeds = (east: 0.0, north: 0.0)

  init(_ model: SatelliteModel, random: SeededRandom) {
    self.model = model
    self.random = random
    for _ in 0..<2 {
      wandering.append(self.random.gaussian() * model.wandering.sigma)
      passing.append(0)
      var waves: [Wave] = []
      // From once a day to every five minutes.
      for turns in [1.0, 4, 11, 22, 47, 96, 193, 288] {
        waves.append(Wave(turns: turns, cosine: self.random.gaussian(), sine: self.random.gaussian()))
      }
      echoes.append(waves)
    }
    switch model.start {
    case .on: break
    case .hot: lose(until: model.firstFix.hot, isCold: false)
    case .warm: lose(until: model.firstFix.warm * self.random.uniform(0.7, 1.5), isCold: true)
    case .cold: lose(until: model.firstFix.cold * self.random.uniform(0.8, 1.8), isCold: true)
    }
  }

  private mutating func lose(until time: Double, isCold: Bool) {
    silentUntil = time
    begun = nil
    self.isCold = isCold
    isLost = true
  }
  private var isLost = false

  /// The fix at a time (s, never earlier than before); nil for none.
  mutating func next(at seconds: Double, every: Double, velocity: (east: Double, north: Double)) -> Fix? {
    let speed = (velocity.east * velocity.east + velocity.north * velocity.north).squareRoot()
    advance(every: every, speed: speed, at: seconds)
    if model.outages.perHour > 0, seconds >= silentUntil,
      random.uniform() < model.outages.perHour * every / 3600
    {
      lose(until: seconds - Elementary.log(1 - random.uniform()) * model.outages.seconds, isCold: false)
    }
    guard seconds >= silentUntil else { return nil }
    if isLost {
      isLost = false
      let size = isCold ? model.first.cold : model.first.again
      begun = (seconds, size * random.gaussian(), size * random.gaussian())
    }
    var error = [0.0, 0.0]
    for axis in 0..<2 {
      error[axis] = wandering[axis] + model.white * random.gaussian()
      error[axis] += parked * echo(axis, at: seconds) + (1 - parked) * passing[axis]
    }
    let still = model.parkedSigma
    var sigma = still + (1 - parked) * (model.movingSigma - still)
    if let start = begun {
      let left = Elementary.exp(-(seconds - start.time) / model.first.tau)
      error[0] += start.east * left
      error[1] += start.north * left
      let size = (isCold ? model.first.cold : model.first.again) * left
      sigma = (sigma * sigma + size * size).squareRoot()
      if left < 1e-4 { begun = nil }
    }
    if model.outliers.perWeek > 0, random.uniform() < model.outliers.perWeek * every / 604_800 {
      let way = Elementary.sincos(random.uniform(0, 2 * .pi))
      error[0] += model.outliers.metres * way.sin
      error[1] += model.outliers.metres * way.cos
    }
    speeds.east = 0.6 * speeds.east + 0.8 * model.doppler * random.gaussian()
    speeds.north = 0.6 * speeds.north + 0.8 * model.doppler * random.gaussian()
    // 68 % of a two-dimensional normal distribution lie within 1.515 of its deviations.
    let stated = model.least.map { max($0, 1.5152 * sigma * model.honesty) }
    return Fix(
      east: error[0], north: error[1], up: 1.5 * error[0], speed: speeds, stated: stated,
      satellites: UInt8(min(max(14 - sigma, 4), 14)))
  }

  private mutating func advance(every: Double, speed: Double, at seconds: Double) {
    let keep = Elementary.exp(-every / model.wandering.tau)
    let keepOnWay = Elementary.exp(-every * speed / max(model.passing.metres, 0.1))
    for axis in 0..<2 {
      wandering[axis] =
        keep * wandering[axis] + model.wandering.sigma * (1 - keep * keep).squareRoot() * random.gaussian()
      passing[axis] =
        keepOnWay * passing[axis] + model.passing.sigma * max(1 - keepOnWay * keepOnWay, 0).squareRoot()
        * random.gaussian()
    }
    // Another parking place has other echoes.
    let wanted = speed > 0.5 ? 0.0 : 1.0
    if parked < 0.01, wanted == 1 { renew(share: 1) }
    parked += (wanted - parked) * min(1, every / 5)
    let today = Int(seconds / SatelliteRun.siderealDay)
    if today > day {
      day = today
      renew(share: model.echoes.renewed)
    }
  }

  /// Draws a share of the echoes anew.
  private mutating func renew(share: Double) {
    let keep = max(1 - share * share, 0).squareRoot()
    for axis in 0..<2 {
      for place in echoes[axis].indices {
        echoes[axis][place].cosine = keep * echoes[axis][place].cosine + share * random.gaussian()
        echoes[axis][place].sine = keep * echoes[axis][place].sine + share * random.gaussian()
      }
    }
  }

  private func echo(_ axis: Int, at seconds: Double) -> Double {
    guard model.echoes.sigma > 0 else { return 0 }
    var sum = 0.0
    for wave in echoes[axis] {
      let turn = Elementary.sincos(2 * Double.pi * wave.turns * seconds / SatelliteRun.siderealDay)
      sum += wave.cosine * turn.cos + wave.sine * turn.sin
    }
    // Each wave has the variance 1.
    return model.echoes.sigma * sum / Double(echoes[axis].count).squareRoot()
  }
}
