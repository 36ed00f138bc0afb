import Glibc
import Quantities

/// Random numbers of a seed, the same everywhere.
///
/// - Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014): SplitMix64.
struct GaitRandom {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  mutating func uniform(_ from: Double, _ to: Double) -> Double {
    from + (to - from) * Double(next() >> 11) / 9_007_199_254_740_992
  }

  mutating func normal() -> Double {
    (-2 * log(1 - uniform(0, 1))).squareRoot() * cos(2 * .pi * uniform(0, 1))
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(next() % UInt64(elements.count))] }
}

/// A model of what a sensor at a collar feels of an animal that walks: no animal was measured for it.
///
/// Two feet at a time, those of a diagonal, push as half a sine, for the share of the stride that is the duty factor; over a stride they
/// carry the weight, which gives the height of the sine. What both diagonals push, less the weight, is the trunk's acceleration. A collar
/// feels a part of it, with the nod of the head once a stride, thrust along the way at each step, and its sensor's noise and last digit.
///
/// - Source: [gait-force] for forces as half sines of height π / (4 duty factor), [gait-preferred] for the stride of a walk, 1.62 Hz at
///   1 kg and less with the −0.15 power of the mass, and its duty factor of 0.62; [gait-speed] for the same power in a trot. What is in
///   no source is drawn from a wide range: see `docs/activity.md`.
struct GaitModel {
  /// What walks.
  enum Family: String, CaseIterable {
    case dogWalk = "dog, 5 to 45 kg, walk"
    case dogTrot = "dog, 5 to 45 kg, trot"
    case catWalk = "cat, 3 to 6 kg, walk"
    case puppyTrot = "puppy, 1.5 to 4 kg, trot"
    case horseWalk = "horse, 300 to 650 kg, walk"
    case horseTrot = "horse, 300 to 650 kg, trot"
    case poorSensor = "dog, walk and trot, poor sensor at 12.5 Hz"
    case irregular = "dog, walk, irregular, turns its head"
    // Made when the constants were fixed.
    case pauses = "dog, walk and trot, with pauses"
    case gallop = "dog, 5 to 45 kg, gallop"
    case person = "person, 45 to 100 kg, walk"

    /// Those whose even seeds constants were chosen with; the others were only looked at afterwards.
    static var chosen: [Family] { allCases.filter { ![.pauses, .gallop, .person].contains($0) } }
  }

  /// Samples, their times in s.
  private(set) var samples: [(time: Double, force: Vector3)] = []
  /// Pushes of a diagonal that were made.
  private(set) var steps = 0

  /// A sensor with its mounting.
  private struct Sensor {
    var hertz: Double
    var noise: Double
    var digit: Double
    var axes: [(Double, Double, Double)]

    init(_ random: inout GaitRandom, isPoor: Bool) {
      hertz = isPoor ? 12.5 : random.pick([12.5, 25, 26, 50, 52, 62.5, 100, 104, 200, 400])
      noise = isPoor ? random.uniform(0.05, 0.12) : random.uniform(0.005, 0.04)
      digit = isPoor ? 0.153 : random.pick([0.0012, 0.0048, 0.0096, 0.038])
      // A random rotation, by a quaternion.
      let parts = (0..<4).map { _ in random.normal() }
      let length = parts.map { $0 * $0 }.reduce(0, +).squareRoot()
      let (w, x, y, z) = (parts[0] / length, parts[1] / length, parts[2] / length, parts[3] / length)
      axes = [
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
      ]
    }

    func reading(forward: Double, left: Double, up: Double, _ random: inout GaitRandom) -> Vector3 {
      let read = axes.map { axis in
        let value = axis.0 * forward + axis.1 * left + axis.2 * up + noise * random.normal()
        return Float((value / digit).rounded() * digit)
      }
      return Vector3(read[0], read[1], read[2])
    }
  }

  /// An animal that stands for ten seconds, walks for so many, and stands for ten again.
  init(_ family: Family, seed: Int, seconds: Double) {
    var random = GaitRandom(seed &* 64 &+ (Family.allCases.firstIndex(of: family) ?? 0))
    let sensor = Sensor(&random, isPoor: family == .poorSensor)
    let mass: Double
    switch family {
    case .dogWalk, .dogTrot, .poorSensor, .irregular, .pauses, .gallop: mass = random.uniform(5, 45)
    case .catWalk: mass = random.uniform(3, 6)
    case .puppyTrot: mass = random.uniform(1.5, 4)
    case .horseWalk, .horseTrot: mass = random.uniform(300, 650)
    case .person: mass = random.uniform(45, 100)
    }
    let isTrot =
      [.dogTrot, .puppyTrot, .horseTrot].contains(family)
      || ([.poorSensor, .pauses].contains(family) && random.uniform(0, 1) < 0.5)
    let isGallop = family == .gallop
    let pace = isGallop ? random.uniform(1.8, 2.4) : isTrot ? random.uniform(1.3, 1.9) : random.uniform(0.85, 1.25)
    let stride = 1 / (1.62 * pow(mass, -0.15) * pace)
    let duty = isGallop ? random.uniform(0.3, 0.45) : isTrot ? random.uniform(0.38, 0.5) : random.uniform(0.56, 0.66)
    let part = isTrot ? random.uniform(0.5, 1) : random.uniform(0.6, 1)
    let sides = random.uniform(-0.15, 0.15)
    let nod = random.uniform(0, 0.6)
    let thrust = random.uniform(0.1, 0.4)
    let isIrregular = family == .irregular
    let timing = isIrregular ? random.uniform(0.05, 0.08) : random.uniform(0.01, 0.04)
    let strength = isIrregular ? random.uniform(0.15, 0.25) : random.uniform(0.03, 0.12)

    var pushes: [(start: Double, length: Double, height: Double)] = []
    var bouts: [(from: Double, to: Double)] = []
    var time = 10.0
    while time < 10 + seconds {
      let bout = family == .pauses ? random.uniform(10, 40) : seconds
      bouts.append((time, min(time + bout, 10 + seconds)))
      time += bout + random.uniform(3, 20)
    }
    time = 10
    var walked = 0
    // A bound takes all four feet, once a stride, with twice the height.
    let rhythm = isGallop ? stride : stride / 2
    while walked < bouts.count {
      if time >= bouts[walked].to {
        walked += 1
        if walked < bouts.count { time = bouts[walked].from }
        continue
      }
      let height =
        (isGallop ? 2 : 1) * .pi / (4 * duty) * (1 + (pushes.count % 2 == 0 ? sides : -sides))
        * (1 + strength * random.normal())
      pushes.append((time, stride * duty, height))
      time += rhythm * max(0.5, 1 + timing * random.normal())
    }
    steps = pushes.count
    let phase = random.uniform(0, 2 * .pi)
    var first = 0
    var turn = 0.0
    for place in 0..<Int((seconds + 20) * sensor.hertz) {
      let time = Double(place) / sensor.hertz
      while first < pushes.count, pushes[first].start + pushes[first].length < time { first += 1 }
      var load = 0.0
      var now = first
      while now < pushes.count, pushes[now].start <= time {
        let share = (time - pushes[now].start) / pushes[now].length
        if share < 1 { load += pushes[now].height * sin(.pi * share) }
        now += 1
      }
      let isWalking = bouts.contains { time >= $0.from && time < $0.to }
      var (forward, left, up) = (0.0, 0.0, 9.80665)
      if isWalking {
        let angle = 2 * Double.pi * (time - 10) / stride + phase
        up += 9.80665 * part * (load - 1)
        // The nod is a part of what the trunk does.
        up += nod * 2 * sin(angle)
        forward += thrust * 2 * cos(2 * angle)
        left += thrust * sin(angle)
      }
      if isIrregular {
        turn = 0.98 * turn + 0.2 * random.normal() * (100 / sensor.hertz).squareRoot()
        left += turn
      }
      samples.append((time, sensor.reading(forward: forward, left: left, up: up, &random)))
    }
  }
}
