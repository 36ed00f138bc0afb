import Quantities
import Testing

@testable import InertialFusion

/// Three by three matrices in double precision, for models.
private typealias Matrix = [[Double]]

// Plain loops: closures make the model five times as slow in a debug build.

private func product(_ a: Matrix, _ b: Matrix) -> Matrix {
  var all: Matrix = []
  for row in a {
    var products: [Double] = []
    for column in 0..<b[0].count {
      var total = 0.0
      for place in 0..<row.count { total += row[place] * b[place][column] }
      products.append(total)
    }
    all.append(products)
  }
  return all
}

private func transposed(_ a: Matrix) -> Matrix {
  var all: Matrix = []
  for column in 0..<a[0].count {
    var row: [Double] = []
    for place in 0..<a.count { row.append(a[place][column]) }
    all.append(row)
  }
  return all
}

private func sum(_ a: Matrix, _ b: Matrix, _ factor: Double = 1) -> Matrix {
  var all: Matrix = []
  for row in 0..<a.count {
    var sums: [Double] = []
    for column in 0..<a[row].count { sums.append(a[row][column] + factor * b[row][column]) }
    all.append(sums)
  }
  return all
}

private func diagonal(_ value: Double) -> Matrix { (0..<3).map { i in (0..<3).map { $0 == i ? value : 0 } } }

private func inverse(_ m: Matrix) -> Matrix {
  // Gauss and Jordan.
  var a = m.indices.map { i in m[i] + m.indices.map { $0 == i ? 1.0 : 0.0 } }
  for column in m.indices {
    let pivot = (column..<m.count).max { abs(a[$0][column]) < abs(a[$1][column]) } ?? column
    a.swapAt(column, pivot)
    let scale = a[column][column]
    a[column] = a[column].map { $0 / scale }
    for row in m.indices where row != column {
      let factor = a[row][column]
      a[row] = zip(a[row], a[column]).map { $0 - factor * $1 }
    }
  }
  return a.map { Array($0[m.count...]) }
}

private func trace(_ m: Matrix) -> Double { m[0][0] + m[1][1] + m[2][2] }

/// What the comments of `MagneticEstimate` and `HardIronEvidence` describe, written down in full and in double precision: all
/// readings and all blocks are kept, the earth's field is folded anew for every hypothesis, and the body's field and the delay
/// are found together as four unknowns of one system.
private struct Ledger {
  /// A reading or a block: z, what a second of delay does to it, the rotation, its length.
  struct Entry {
    var z: [Double]
    var c: [Double]
    var r: Matrix
    var seconds = 0.0
  }

  let p: MagneticParameters
  /// Readings with the gain each had.
  var readings: [(entry: Entry, gain: Double)] = []
  var fieldVariance = 0.0
  var isKnown = false
  var disturbance = 0.0
  var rival = RivalLedger()
  /// Blocks' news with their weights.
  var blocks: [(news: Entry, weight: Double, counted: Double)] = []
  /// What was known of the delay when the blocks were thrown away.
  var oldDelay = (value: 0.0, information: 0.0)
  var open: [Entry] = []
  var last: Entry?
  var misfit = 1.0
  var believed: [Double]?
  var best = [0.0, 0, 0]
  var delay = 0.0
  var noise = 0.3
  var covariance: Matrix
  var evidence = 0.0
  var turns = 0
  var forgotten = 0

  init(_ p: MagneticParameters) {
    self.p = p
    covariance = diagonal(Double(p.initialHardIron) * Double(p.initialHardIron))
  }

  private func square(_ x: Float) -> Double { Double(x) * Double(x) }
  private func square(_ v: [Double]) -> Double { v.reduce(0) { $0 + $1 * $1 } }
  private func times(_ m: Matrix, _ v: [Double]) -> [Double] {
    var all: [Double] = []
    for row in m {
      var total = 0.0
      for place in 0..<v.count { total += row[place] * v[place] }
      all.append(total)
    }
    return all
  }
  private func minus(_ a: [Double], _ b: [Double], _ factor: Double = 1) -> [Double] {
    var all: [Double] = []
    for place in 0..<a.count { all.append(a[place] - factor * b[place]) }
    return all
  }

  /// M, if the body's field were h.
  func field(_ h: [Double]) -> [Double] {
    var mean = [0.0, 0, 0]
    for reading in readings {
      for row in 0..<3 {
        let r = reading.entry.r[row]
        let seen = reading.entry.z[row] - (r[0] * h[0] + r[1] * h[1] + r[2] * h[2])
        mean[row] += reading.gain * (seen - mean[row])
      }
    }
    return mean
  }

  /// The mean of the rotations with those gains.
  var rotation: Matrix {
    // In place: it is asked of the whole history at each step.
    var mean = diagonal(0)
    for reading in readings {
      for row in 0..<3 {
        for column in 0..<3 { mean[row][column] += reading.gain * (reading.entry.r[row][column] - mean[row][column]) }
      }
    }
    return mean
  }

  var present: [Double] { believed ?? [0, 0, 0] }

  mutating func update(
    reading: [Double], rate: [Double], r: Matrix, elapsed: Double, isAtRest: Bool, tilt: Double
  ) {
    let z = times(r, reading)
    if !isKnown {
      isKnown = true
      readings = [(Entry(z: z, c: [0, 0, 0], r: r), 1)]
      fieldVariance = 400
    }
    if !isAtRest { fieldVariance += square(p.fieldWandering) * elapsed }
    let off = square(minus(minus(z, times(r, present)), field(present)))
    var predicted = 3 * fieldVariance
    if believed != nil {
      let turned = sum(r, rotation, -1)
      predicted += trace(product(product(turned, covariance), transposed(turned)))
    }
    let ratio = off / (square(p.rejection) + Double(p.rejectionShare) * predicted)
    disturbance = ratio.squareRoot()
    let seconds = min(elapsed, 0.2)
    let spread = square(p.fieldNoise) / seconds * (1 + ratio * ratio * ratio)
    let gain = fieldVariance / (fieldVariance + spread)
    readings.append((Entry(z: z, c: [0, 0, 0], r: r), gain))
    let least = Double(p.placeVariance) + min(square(z) * max(0, tilt - 0.001), 1000)
    fieldVariance = max(fieldVariance * (1 - gain), least)
    let turning = isAtRest ? 0 : seconds * min(1, square(rate) * square(p.placeSeconds))
    let level = field(present)
    let won = rival.update(
      deviation: off, reading: minus(z, times(r, present)), ratio: ratio, field: level, seconds: seconds,
      turning: turning, variance: noise / scatterShare + fieldVariance, p)
    if let won {
      readings = [(Entry(z: minus(won.field, times(rotation, present), -1), c: [0, 0, 0], r: rotation), 1)]
      fieldVariance = max(fieldVariance, min(square(p.fieldNoise) / max(won.seconds, 0.01), 400))
      (open, last) = ([], nil)
    }
    let (w, m) = (rate, reading)
    let c = times(r, [w[1] * m[2] - w[2] * m[1], w[2] * m[0] - w[0] * m[2], w[0] * m[1] - w[1] * m[0]])
    if elapsed > 0.5 { (open, last) = ([], nil) }
    open.append(Entry(z: minus(z, c, -delay), c: c, r: r, seconds: min(elapsed, 0.2)))
    if open.reduce(0, { $0 + $1.seconds }) >= 0.198 { close() }
  }

  private mutating func close() {
    let length = open.reduce(0) { $0 + $1.seconds }
    func mean(_ part: (Entry) -> [Double]) -> [Double] {
      (0..<3).map { i in open.reduce(0) { $0 + part($1)[i] * $1.seconds } / length }
    }
    let block = Entry(
      z: mean { $0.z }, c: mean { $0.c }, r: (0..<3).map { row in mean { $0.r[row] } }, seconds: length)
    let before = last
    (last, open) = (block, [])
    guard let before else { return }
    let turned = sum(block.r, before.r, -1).reduce(0) { $0 + square($1) }
    guard turned >= 0.0005 else { return }
    let a = 1 - min(1, length / Double(p.placeSeconds))
    let m0 = field([0, 0, 0])
    let g = rotation
    let news = Entry(
      z: minus(minus(block.z, m0), minus(before.z, m0), a), c: minus(block.c, before.c, a),
      r: sum(sum(block.r, g, -1), sum(before.r, g, -1), -a))
    let trust = 1 / (1 + 3 * turned)
    let left = minus(minus(news.z, times(news.r, best)), news.c, delay)
    let off = square(left) * trust
    let weight = off > 27 * noise ? trust * 27 * noise / off : trust
    if blocks.reduce(0, { $0 + $1.counted }) > 24 { misfit += (off / (3 * noise) - misfit) * 0.1 }
    let keep = 1 - 0.2 / Double(p.hardIronMemory)
    for place in blocks.indices {
      blocks[place].weight *= keep
      blocks[place].counted *= keep
    }
    oldDelay.information *= keep
    blocks.append((news, weight, 3 * weight / trust))
    if misfit > 6 {
      oldDelay = (delay, delayInformation)
      blocks = []
      misfit = 1
      noise = 0.3
      forgotten += 1
    }
    solve()
  }

  /// The four by four system of h and the delay, without the prior of the delay.
  private func system(prior: Double) -> (Matrix, [Double]) {
    var m = (0..<4).map { i in (0..<4).map { $0 == i && i < 3 ? prior : 0.0 } }
    var d = [0.0, 0, 0, 0]
    for block in blocks {
      let rows = (0..<3).map { block.news.r[$0] + [block.news.c[$0]] }
      for axis in 0..<3 {
        for i in 0..<4 {
          d[i] += block.weight * rows[axis][i] * block.news.z[axis]
          for j in 0..<4 { m[i][j] += block.weight * rows[axis][i] * rows[axis][j] }
        }
      }
    }
    m[3][3] += oldDelay.information
    d[3] += oldDelay.information * oldDelay.value
    return (m, d)
  }

  /// What is known of the delay with h left open.
  private var delayInformation = 0.0

  /// What is new in a block of the scatter of places.
  private var scatterShare: Double {
    let kept = 1 - min(1, 0.2 / Double(p.placeSeconds))
    return 1 - kept * kept
  }

  private mutating func solve() {
    var (m, d) = system(prior: noise / square(p.initialHardIron))
    delayInformation = 1 / inverse(m)[3][3]
    m[3][3] += noise / square(p.delayUncertainty)
    let inverted = inverse(m)
    let x = times(inverted, d)
    best = Array(x[0..<3])
    delay = x[3]
    let unexplained =
      blocks.reduce(0) { sum, block in
        sum + block.weight * square(minus(minus(block.news.z, times(block.news.r, best)), block.news.c, delay))
      } + oldDelay.information * (delay - oldDelay.value) * (delay - oldDelay.value)
    let count = blocks.reduce(0) { $0 + $1.counted }
    noise = (unexplained + 15 * 0.3) / (max(count - 4, 0) + 15)
    covariance = sum(
      diagonal(noise / scatterShare * Double(p.placeShare)), inverted[0..<3].map { Array($0[0..<3]) }, noise * 2)
    guard count > 24 else { return }
    let certainty = inverse(covariance)
    func distance(_ v: [Double]) -> Double { zip(v, times(certainty, v)).reduce(0) { $0 + $1.0 * $1.1 } }
    evidence = distance(best)
    // How far it turns the earth's field to the side, against how uncertain that is.
    let level = field(present)
    func across(_ axis: Int) -> Double { rotation[1][axis] * level[0] - rotation[0][axis] * level[1] }
    let aside: [Double] = [across(0), across(1), across(2)]
    func product(_ a: [Double], _ b: [Double]) -> Double { a[0] * b[0] + a[1] * b[1] + a[2] * b[2] }
    let shift: Double = product(aside, minus(best, present))
    let open: Double = product(aside, times(covariance, aside))
    let isWorth: Bool = open <= shift * shift
    if isWorth, distance(minus(best, present)) > Double(p.hardIronEvidence) {
      believe(evidence > Double(p.hardIronEvidence) ? best : nil)
    } else if believed != nil {
      if evidence < Double(p.hardIronDoubt) { believe(nil) } else { believed = best }
    }
  }

  private mutating func believe(_ h: [Double]?) {
    turns += 1
    let since = field(present)
    believed = h
    guard let last else { return }
    let now = minus(minus(last.z, times(last.r, present)), last.c, delay)
    let always = square(minus(now, field(present)))
    let lately = square(minus(now, since))
    if lately < always {
      // It was known before the body had its field: whatever that is, this stays.
      readings = [(Entry(z: since, c: [0, 0, 0], r: diagonal(0)), 1)]
    }
    fieldVariance = max(fieldVariance, min(always, lately) / 3)
    rival.other = nil
  }
}

private func array(_ v: Vector3) -> [Double] { [Double(v.x), Double(v.y), Double(v.z)] }

private func distance(_ a: [Double], _ b: [Double]) -> Double {
  zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
}

/// The sums that the filter keeps say what the whole history would.
@Suite struct MagneticModelTests {
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func sumsSayWhatTheWholeHistoryWould(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func number() -> Float { Float(Int64(bitPattern: random.next() >> 11) - (1 << 52)) * 0x1p-52 }
    func vector(_ scale: Float) -> Vector3 { Vector3(number(), number(), number()) * scale }
    var p = MagneticParameters()
    // Every part large enough to be seen.
    p.fieldWandering = 0.5
    p.placeVariance = seed == 2 ? 5 : 0.1
    p.rejectionShare = seed == 4 ? 0.5 : 2
    p.rejection = seed == 3 ? 9 : 4.25
    p.relearnAfter = seed == 3 ? 1.53 : 60
    p.placeSeconds = seed == 1 ? 1 : 2
    p.placeShare = seed == 2 ? 2 : 0.5
    p.hardIronMemory = seed == 4 ? 20 : 120
    p.hardIronEvidence = seed == 4 ? 30 : 16
    p.hardIronDoubt = seed == 4 ? 10 : 6
    p.delayUncertainty = seed == 2 ? 0.004 : 0.015
    var filter = MagneticEstimate(p)
    var model = Ledger(p)
    #expect(filter.hardIron == .zero && !filter.hasHardIron && !filter.isKnown)
    var attitude = Quaternion.identity
    let earth = Vector3(3, 18, -44)
    var iron = Vector3(9, -14, 6)
    var mostDisturbed = 0.0
    var (rivalSteps, oddSteps) = (0, 0)
    for step in 0..<900 {
      let rests = (120..<150).contains(step)
      let rate = rests ? .zero : vector(2) + Vector3(0.5, -0.3, 0.8)
      if !rests { attitude = (attitude * Quaternion(rotationVector: rate * 0.05)).normalized }
      if step == 500 { iron += Vector3(30, 25, -20) }
      if step == 750 { iron = .zero }
      let elapsed: Float = step % 97 == 0 ? 0.6 : 0.05
      let passing = (250..<300).contains(step) ? Vector3(40, -10, 20) : .zero
      // The magnetometer is 20 ms late.
      let truth = attitude.turned(by: rate * -0.02)
      let reading = truth.conjugate.rotate(earth + passing) + iron + vector(0.3)
      let tilt: Float = step % 200 < 30 ? 0.003 : 0.0005
      let turned = attitude.turned(by: rate * -filter.delay)
      let columns = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)].map { array(turned.rotate($0)) }
      filter.update(
        with: reading, rotation: attitude, rate: rate, elapsed: elapsed, isAtRest: rests, tiltVariance: tilt,
        parameters: p)
      model.update(
        reading: array(reading), rate: array(rate), r: transposed(columns), elapsed: Double(elapsed), isAtRest: rests,
        tilt: Double(tilt))
      mostDisturbed = max(mostDisturbed, model.disturbance)
      // What has gone wrong stays wrong: every fifth step is looked at, and those where something happens.
      guard step % 5 == 0 || step < 30 || step % 250 < 20 else { continue }
      let believed = distance(array(filter.hardIron), model.present)
      let best = distance(array(filter.likelyHardIron), model.best)
      let field = distance(array(filter.field), model.field(model.present))
      let variance = abs(Double(filter.horizontalVariance) / model.fieldVariance - 1)
      let disturbance = abs(Double(filter.disturbance) - model.disturbance) / (1 + model.disturbance)
      let rival = filter.rival
      let seconds =
        abs(Double(rival.presentSeconds) - model.rival.known)
        + (rival.isThere ? abs(Double(rival.seconds) - (model.rival.other?.seconds ?? -1)) : 0)
      let doubt = abs(Double(rival.doubt) - model.rival.doubt)
      let delay = abs(Double(filter.delay) - model.delay)
      let noise = abs(Double(filter.noise) / model.noise - 1)
      let spread = abs(Double(filter.hardIronUncertainty) / (trace(model.covariance) / 3).squareRoot() - 1)
      rivalSteps += rival.isThere ? 1 : 0
      // Of two candidates that are as good each may take the other.
      if seconds > 0.05 || doubt > 0.02 + 0.05 * model.rival.doubt { oddSteps += 1 }
      if believed > 0.05 || best > 0.05 || field > 0.05 || variance > 0.03 || disturbance > 0.02 || delay > 1e-4
        || noise > 0.02 || spread > 0.02
      {
        Issue.record(
          """
          step \(step): \(believed), \(best), \(field) µT, \(variance), \(disturbance), \(delay) s, \(noise), \(spread)
          """)
        return
      }
      if step == 490 {
        #expect(filter.hasHardIron && (filter.hardIron - iron).length < 6, "\(filter.hardIron)")
        #expect(abs(filter.delay - 0.02) < 0.006 || seed == 2, "\(filter.delay)")
      }
    }
    #expect(mostDisturbed > 2 && model.turns >= 2 && model.forgotten >= 1 && model.rival.begun > 1)
    #expect(rivalSteps > 20 && oddSteps * 2 < rivalSteps, "\(oddSteps) of \(rivalSteps) steps with a rival")
    #expect(filter.hardIron.length < 3, "\(filter.hardIron)")
    // The level frame has turned: the earth's field is found anew, the body's stays.
    let known = filter.hardIron
    filter.forgetField()
    #expect(!filter.isKnown && !filter.rival.isThere && filter.hardIron == known)
    filter.update(
      with: earth + known, rotation: .identity, rate: .zero, elapsed: 0.04, isAtRest: true, tiltVariance: 0,
      parameters: p)
    #expect(filter.isKnown && (filter.field - earth).length < 0.01)
  }

  /// At rest nothing wanders: the field is averaged down to the scatter of places, and no further.
  @Test func atRestTheFieldIsAveragedAndNoFurtherThanThePlaceAllows() {
    var p = MagneticParameters()
    func rest(_ filter: inout MagneticEstimate, elapsed: Float = 0.04, isAtRest: Bool = true) {
      filter.update(
        with: Vector3(0, 18, -44), rotation: .identity, rate: .zero, elapsed: elapsed, isAtRest: isAtRest,
        tiltVariance: 0, parameters: p)
    }
    var filter = MagneticEstimate(p)
    var variance: Float = .infinity
    for step in 0..<4000 {
      rest(&filter)
      #expect(filter.horizontalVariance <= variance)
      variance = filter.horizontalVariance
      // A plain mean of n readings of variance 225.
      if step == 999 { #expect(abs(variance / (1 / (1 / 400 + 1000.0 / 225)) - 1) < 0.01) }
    }
    #expect(variance == p.placeVariance)
    p.placeVariance = 0.01
    var other = MagneticEstimate(p)
    for _ in 0..<4000 { rest(&other) }
    #expect(other.horizontalVariance < 0.06)
    // Moved, it wanders: 0.08 µT/√s for ten thousand seconds in one step.
    rest(&other, elapsed: 10_000, isAtRest: false)
    #expect(other.horizontalVariance > 20 && other.horizontalVariance < 45.1)
  }

  /// What is stated of a field at rest: the share of what was known before, and one place, known from the first reading on.
  @Test func aRestTellsOnePlaceAndThatAtOnce() {
    let p = MagneticParameters()
    func take(_ filter: inout MagneticEstimate, _ count: Int, isAtRest: Bool) {
      for _ in 0..<count {
        filter.update(
          with: Vector3(0, 18, -44), rotation: .identity, rate: .zero, elapsed: 0.04, isAtRest: isAtRest,
          tiltVariance: 0, parameters: p)
      }
    }
    var fresh = MagneticEstimate(p)
    take(&fresh, 5, isAtRest: true)
    // The first reading has left 144 of 400 µT².
    #expect(fresh.horizontalVariance > 35 && fresh.statedVariance(p) < 6)
    take(&fresh, 120, isAtRest: true)
    #expect(fresh.horizontalVariance > 1.5 && abs(fresh.statedVariance(p) - p.placeVariance) < 0.02)
    take(&fresh, 2000, isAtRest: true)
    #expect(abs(fresh.statedVariance(p) - p.placeVariance) < 0.002, "no better known by looking longer")
    // Moving, each reading is news, and the next rest begins with what is known then.
    var known = MagneticEstimate(p)
    take(&known, 500, isAtRest: false)
    #expect(known.statedVariance(p) == known.horizontalVariance)
    let before = known.horizontalVariance
    take(&known, 500, isAtRest: true)
    let share = known.horizontalVariance / before
    let expected = share * share * before + (1 - share) * (1 - share) * p.placeVariance
    #expect((0.45...0.55).contains(share) && abs(known.statedVariance(p) / expected - 1) < 1e-5)
    #expect(known.statedVariance(p) < known.horizontalVariance)
    take(&known, 1, isAtRest: false)
    #expect(known.statedVariance(p) == known.horizontalVariance)
    // What makes the field doubtful at rest makes what is stated as doubtful.
    take(&known, 10, isAtRest: true)
    known.turn(variance: 0.01)
    #expect(known.statedVariance(p) == known.horizontalVariance && known.horizontalVariance > 20)
  }

  @Test func whatIsNoNumberBeginsAnew() {
    let p = MagneticParameters()
    var filter = MagneticEstimate(p)
    filter.update(
      with: Vector3(3e38, 3e38, 3e38), rotation: .identity, rate: .zero, elapsed: 0.04, isAtRest: false,
      tiltVariance: 0, parameters: p)
    filter.update(
      with: Vector3(-3e38, 0, 3e38), rotation: .identity, rate: .zero, elapsed: 0.04, isAtRest: false, tiltVariance: 0,
      parameters: p)
    #expect(filter == MagneticEstimate(p))
  }
}
