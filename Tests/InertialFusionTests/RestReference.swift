import InertialFusion
import Quantities

/// The rest detector as `docs/rest.md` has it, with all samples of a window in an array and in double precision.
struct RestReference {
  /// One sensor.
  struct Signal {
    var values: [[Double]] = []
    var reference = [0.0, 0, 0]
    var quietMean = [0.0, 0, 0]
    var variance: Double
    var colour = 1.0
    var isCoarse = false
    var level: (sum: Double, least: Double, most: Double, steps: Double) = (0, 0, 0, 0)

    init(prior: Double) { variance = prior * prior }

    var count: Int { values.count }
    var mean: [Double] { (0..<3).map { axis in values.reduce(0) { $0 + $1[axis] } / Double(count) } }
    var scatter: Double {
      guard count > 1 else { return 0 }
      let mean = mean
      let squares = values.reduce(0) { $0 + distance($1, mean) }
      return squares / Double(3 * (count - 1))
    }
    var varianceOfMean: Double { colour * variance / Double(count) }

    func distance(_ a: [Double], _ b: [Double]) -> Double {
      zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }

    /// χ²/k, so many standard deviations out.
    func quantile(_ z: Double) -> Double {
      let spread = 2 / Double(9 * 3 * (count - 1))
      let root = 1 - spread + z * spread.squareRoot()
      return root * root * root
    }

    var step: Double { distance(mean, reference) * Double(count) / 6 }
  }

  let p: RestParameters
  var rate = Signal(prior: 0.005)
  var force = Signal(prior: 0.05)
  var open = -1.0
  var quiet = 0.0
  var dwell = 0.0
  var learnt = 0.0
  var differing = 0.0
  var level = (seconds: 0.0, windows: 0.0, samples: 0)
  var isAtRest = false

  init(_ parameters: RestParameters) { p = parameters }

  private func seconds(_ interval: Interval) -> Double { interval.secondsDouble }
  private var shortest: Double { seconds(p.shortestDwell) * 0.999 }
  private var longest: Double { max(seconds(p.dwell), seconds(p.shortestDwell)) * 0.999 }

  mutating func interrupt() {
    (open, quiet, dwell, differing, isAtRest) = (-1, 0, 0, 0, false)
    level.windows = 0
  }

  mutating func add(_ r: Vector3?, _ f: Vector3?, seconds elapsed: Double) -> Bool {
    func numbers(_ v: Vector3) -> [Double] { [Double(v.x), Double(v.y), Double(v.z)] }
    if open < 0 {
      (rate.values, force.values) = ([], [])
      if let r { rate.reference = numbers(r) }
      if let f { force.reference = numbers(f) }
      open = 0
    } else {
      open += elapsed
    }
    if let r { rate.values.append(numbers(r)) }
    if let f { force.values.append(numbers(f)) }
    return open >= seconds(p.window) * 0.999 && max(rate.count, force.count) >= max(2, Int(p.minimumSamples))
  }

  struct Window {
    var scatter = (rate: 0.0, force: 0.0)
    var change = (rate: 0.0, force: 0.0)
    var meanRate = 0.0
    var isAtRest = false
    var biasHasChanged = false

    var disturbance: Double { max(scatter.rate, scatter.force, change.rate, change.force) }
    var activity: Double { max(disturbance, meanRate) }
  }

  mutating func close(bias: Vector3, uncertainty: Float?) -> Window {
    var w = Window()
    func scatter(_ s: Signal, _ minimum: Float) -> Double {
      guard s.count > 1 else { return 0 }
      let limit = max(s.quantile(Double(p.scatterQuantile)) * s.variance, Double(minimum) * Double(minimum))
      return (s.scatter / limit).squareRoot()
    }
    w.scatter = (scatter(rate, p.minimumAngularRate), scatter(force, p.minimumSpecificForce))
    if quiet > 0 {
      let share = open / quiet
      func change(_ s: Signal, _ minimum: Float) -> Double {
        guard s.count > 0 else { return 0 }
        let least = Double(minimum) * (s.isCoarse ? 1.5 : 1)
        let factor = Double(p.meanFactor)
        return (s.distance(s.mean, s.quietMean) / max(factor * factor * s.varianceOfMean * (1 + share), least * least))
          .squareRoot()
      }
      w.change = (change(rate, p.minimumAngularRateChange), change(force, p.minimumSpecificForceChange))
    }
    var isPossible = false
    if rate.count > 0 {
      let mean = rate.mean
      let largest = mean.map(abs).max() ?? 0
      isPossible = largest < Double(p.maximumBias)
      if let uncertainty {
        let distance = rate.distance(mean, [Double(bias.x), Double(bias.y), Double(bias.z)])
        let factor = Double(p.meanFactor)
        let limit = factor * factor * (rate.varianceOfMean + Double(uncertainty) * Double(uncertainty))
        w.meanRate = (distance / max(limit, Double(p.minimumAngularRate * p.minimumAngularRate))).squareRoot()
      } else {
        w.meanRate = largest / Double(p.maximumBias)
      }
    }
    if w.disturbance < 1, w.meanRate >= 1, uncertainty != nil, isPossible {
      differing += open
      w.biasHasChanged = differing >= seconds(p.biasChangeTime)
    } else {
      differing = 0
    }
    if w.biasHasChanged { (w.meanRate, differing) = (0, 0) }
    decide(w)
    lookForLevelNoise(w)
    w.isAtRest = isAtRest
    for signal in [\RestReference.rate, \RestReference.force] { finish(signal) }
    open = 0
    return w
  }

  private mutating func finish(_ signal: WritableKeyPath<RestReference, Signal>) {
    guard self[keyPath: signal].count > 0 else { return }
    if self[keyPath: signal].count > 1, self[keyPath: signal].scatter < 1e-30 { self[keyPath: signal].isCoarse = true }
    self[keyPath: signal].reference = self[keyPath: signal].mean
    self[keyPath: signal].values = []
  }

  private mutating func decide(_ w: Window) {
    func beginQuiet() {
      if rate.count > 0 { rate.quietMean = rate.mean }
      if force.count > 0 { force.quietMean = force.mean }
    }
    func leave() {
      isAtRest = false
      if w.change.force >= 1 {
        dwell = longest
      } else if w.activity >= 1 {
        dwell = min(longest, max(dwell, shortest * w.activity))
      }
    }
    guard w.disturbance < 1, isAtRest || max(w.change.rate, w.change.force) < Double(p.entryShare) else {
      leave()
      quiet = 0
      beginQuiet()
      return
    }
    if quiet == 0 { beginQuiet() }
    quiet += open
    func follow(_ s: inout Signal, _ memory: Double) {
      guard s.count > 0 else { return }
      let mean = s.mean
      for axis in 0..<3 { s.quietMean[axis] += (mean[axis] - s.quietMean[axis]) * open / min(quiet, memory) }
    }
    follow(&rate, 2)
    follow(&force, 5)
    guard w.meanRate < 1 else { return leave() }
    guard quiet >= max(dwell, shortest) else { return }
    isAtRest = true
    dwell = 0
    learn()
  }

  private mutating func learn() {
    func couldBeNoise(_ s: Signal, _ minimum: Float) -> Bool {
      let faint = Double(minimum) / 2
      return s.count < 2 || s.scatter <= max(s.quantile(3) * s.variance, faint * faint)
    }
    guard couldBeNoise(rate, p.minimumAngularRate), couldBeNoise(force, p.minimumSpecificForce) else {
      learnt = max(0, learnt - open)
      return
    }
    learnt = min(learnt + open, 30)
    let share = min(open / max(learnt, 1), 0.5)
    func take(_ s: inout Signal, _ smallest: Double) {
      guard s.count > 1 else { return }
      let seen = s.step / s.variance
      s.variance = max(smallest * smallest, s.variance + (s.scatter - s.variance) * share)
      s.colour = min(max(s.colour + (min(seen, 9) - s.colour) * share, 1), 9)
    }
    take(&rate, 1e-4)
    take(&force, 0.003)
  }

  private mutating func lookForLevelNoise(_ w: Window) {
    func begin() {
      rate.level = (rate.scatter, rate.scatter, rate.scatter, 0)
      force.level = (force.scatter, force.scatter, force.scatter, 0)
      level = (open, 1, max(rate.count, force.count))
    }
    func goesOn(_ s: inout Signal) -> Bool {
      guard s.count > 1 else { return true }
      let v = s.scatter
      s.level = (s.level.sum + v, min(s.level.least, v), max(s.level.most, v), s.level.steps + s.step)
      return s.level.most * s.quantile(-3) <= s.level.least * s.quantile(3)
    }
    guard level.windows > 0 else { return begin() }
    let (a, b) = (goesOn(&rate), goesOn(&force))
    guard a, b else { return begin() }
    level = (level.seconds + open, level.windows + 1, level.samples + max(rate.count, force.count))
    let isNew = learnt < seconds(p.firstLevelTime)
    guard level.seconds >= seconds(isNew ? p.firstLevelTime : p.levelTime), level.samples >= 120 else { return }
    let n = level.windows
    level.windows = 0
    let most = isNew ? 1 + 6 * (2 / (3 * (n - 1))).squareRoot() : 9
    func noise(_ s: Signal, _ largest: Double) -> (Double, Double)? {
      let v = s.level.sum / n
      guard s.count > 1, v > 0, v <= largest * largest,
        s.level.most * s.quantile(-0.9) >= s.level.least * s.quantile(0.9)
      else { return nil }
      let colour = s.level.steps / ((n - 1) * v)
      return colour >= 0.6 && colour <= most ? (v, min(max(colour, 1), 9)) : nil
    }
    let found = (noise(rate, 0.02), noise(force, 0.3))
    guard found.0 != nil || rate.count < 2, found.1 != nil || force.count < 2 else { return }
    if let (v, colour) = found.0 { (rate.variance, rate.colour) = (v, colour) }
    if let (v, colour) = found.1 { (force.variance, force.colour) = (v, colour) }
    guard !isAtRest, w.meanRate < 1 else { return }
    (isAtRest, quiet, dwell, learnt) = (true, open, 0, max(learnt, level.seconds))
  }
}
