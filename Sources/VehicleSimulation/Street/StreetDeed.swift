import Quantities

/// One thing that happens to a parked vehicle in the street, with its numbers.
///
/// The kinds and their numbers are a table, so that a file names them and a wrong name can be answered with the right one.
public struct StreetDeed: Equatable, Sendable {
  /// What can happen.
  public enum Kind: String, CaseIterable, Sendable {
    /// Nothing.
    case stand
    /// Wind: it leans a little and rocks.
    case gust
    /// The ground shakes, as beside a lorry.
    case shake
    /// A machine that runs: an even tone in all three axes.
    case hum
    /// Something knocks against it; rings out within half a second.
    case bump
    /// The vehicle beside it is pulled out: knocks and rocking.
    case neighbour
    /// Somebody leans against it and goes.
    case leanOn
    /// The stand sinks into warm ground, or somebody tilts it slowly.
    case sink
    /// Drops fall on it.
    case rain
    /// Pushed over by some degrees, and stays so.
    case push
    /// Kicked over: falls and lies.
    case fall
    /// Lifted and tilted, with jolts.
    case lift
    /// Carried at walking pace.
    case carry
    /// Lifted upright and slowly, with a steady hand.
    case levelLift
    /// Slid over a floor, upright.
    case slide
    /// Stood upright by hand, on the ground, however it stood or lay.
    case upright
    /// A lock is cut.
    case grind
    /// Turned about the vertical.
    case turn
    /// Rolled by hand.
    case roll
    /// Standing in a van that drives.
    case drive
    /// Ridden.
    case ride
    /// Standing in a train, with its stops.
    case train
    /// Moved without anything that an inertial sensor could feel.
    case glide
    /// The sensor gives NaN.
    case notANumber
    /// The sensor reads the end of its range on all axes.
    case saturate
    /// One axis of each kind stays where it is: x of the rate and z of the force, or those `axis` places on.
    case stickAxis
    /// One axis of the rate reads the end of its range: x, or that `axis` places on.
    case axisAtEnd
    /// All values stay where they are.
    case stick
    /// Two axes change places: x and y, or those `axis` places on.
    case swapAxes
    /// Every second sample is missing.
    case halfRate
    /// Nothing comes from the sensor.
    case gap
    /// The sensor's clock is behind by some seconds.
    case timeBack
    /// The receiver has no position.
    case noFix
    /// The owner says it was them.
    case dismiss
    /// The owner has the buzzer sound; the deeds that follow happen meanwhile.
    case buzzer
    /// Wind of a mean speed 10 m above the ground, as a force on a body.
    case wind
    /// A hand presses sideways against the saddle.
    case press
    /// A blow against the frame.
    case knock
    /// The ground shakes under a body.
    case lorry
    /// A hacksaw at the lock.
    case saw
    /// An angle grinder at the lock.
    case grinder
    /// A bolt cutter at the lock.
    case boltCutter
    /// Hands lift a body.
    case hoist
    /// Hands carry a body at walking pace.
    case haul
    /// Hands put a body down and on its stand.
    case setDown
    /// An animal lies and breathes.
    case petLie
    /// It walks.
    case petWalk
    /// It runs.
    case petRun
    /// It digs.
    case petDig
    /// It shakes itself.
    case petShake
  }

  /// One number of a kind.
  public struct Number: Sendable {
    /// As a file has it.
    public let name: String
    /// What holds when a file says nothing.
    public let usual: Double
    /// What it may be.
    public let range: ClosedRange<Double>
  }

  /// What happens.
  public let kind: Kind
  private var values: [Double]

  /// A deed with its usual numbers.
  public init(_ kind: Kind) {
    self.kind = kind
    values = kind.numbers.map(\.usual)
  }

  /// Sets a number.
  ///
  /// - Returns: False when the kind has no such number, or it is out of range.
  @discardableResult public mutating func set(_ name: String, _ value: Double) -> Bool {
    guard let place = kind.numbers.firstIndex(where: { $0.name == name }), kind.numbers[place].range.contains(value)
    else { return false }
    values[place] = value
    return true
  }

  /// A number; 0 when the kind has none of that name.
  public subscript(name: String) -> Double {
    kind.numbers.firstIndex { $0.name == name }.map { values[$0] } ?? 0
  }

  /// The deed with strengths times `amplitude` and frequencies times `frequency`, held to what they may be.
  public func varied(amplitude: Double, frequency: Double) -> StreetDeed {
    var result = self
    for (place, number) in kind.numbers.enumerated() {
      switch number.name {
      case "degrees", "gravities", "strength": result.values[place] *= amplitude
      case "hertz": result.values[place] *= frequency
      default: continue
      }
      result.values[place] = min(max(result.values[place], number.range.lowerBound), number.range.upperBound)
    }
    return result
  }

  /// How long it takes, s.
  public var duration: Double {
    switch kind {
    case .carry, .roll, .haul:
      let speed = self["speed"]
      return self["metres"] / speed + StreetDeed.ramp(speed: speed, acceleration: 1)
    case .dismiss, .buzzer: return 0
    default: return self["seconds"]
    }
  }

  /// Seconds in which a speed is reached; an acceleration along `Jet.step` has its peak at 1.875 times its mean.
  static func ramp(speed: Double, acceleration: Double) -> Double { max(1.875 * speed / acceleration, 0.5) }
}

extension StreetDeed.Kind {
  /// Its numbers; the first may stand alone.
  public var numbers: [StreetDeed.Number] { StreetDeed.Kind.table[self] ?? [] }

  // Made once: they are looked at for each sample.
  private static let table = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.ownNumbers) })

  private var ownNumbers: [StreetDeed.Number] {
    func seconds(_ usual: Double) -> StreetDeed.Number {
      StreetDeed.Number(name: "seconds", usual: usual, range: 0...2_592_000)
    }
    func metres(_ usual: Double) -> StreetDeed.Number {
      StreetDeed.Number(name: "metres", usual: usual, range: 0...100_000)
    }
    func degrees(_ usual: Double) -> StreetDeed.Number {
      StreetDeed.Number(name: "degrees", usual: usual, range: -180...180)
    }
    func hertz(_ usual: Double) -> StreetDeed.Number {
      StreetDeed.Number(name: "hertz", usual: usual, range: 0.01...1000)
    }
    func gravities(_ usual: Double) -> StreetDeed.Number {
      StreetDeed.Number(name: "gravities", usual: usual, range: 0...16)
    }
    func speed(_ usual: Double) -> StreetDeed.Number {
      StreetDeed.Number(name: "speed", usual: usual, range: 0.1...60)
    }
    func strength(_ usual: Double) -> StreetDeed.Number {
      StreetDeed.Number(name: "strength", usual: usual, range: 0...100)
    }
    func newtons(_ usual: Double) -> StreetDeed.Number {
      StreetDeed.Number(name: "newtons", usual: usual, range: -2000...2000)
    }
    func impulse(_ usual: Double) -> StreetDeed.Number {
      StreetDeed.Number(name: "newtonSeconds", usual: usual, range: 0...100)
    }
    func height(_ usual: Double) -> StreetDeed.Number {
      StreetDeed.Number(name: "height", usual: usual, range: 0...1.2)
    }
    switch self {
    case .stand: return [seconds(60)]
    case .gust: return [degrees(1), hertz(1), seconds(8)]
    case .shake: return [gravities(0.05), hertz(8), seconds(5)]
    case .hum: return [gravities(0.01), hertz(23), seconds(60)]
    case .bump: return [strength(1.4), seconds(1)]
    case .neighbour: return [strength(1), seconds(6)]
    case .leanOn: return [degrees(4), seconds(30)]
    case .sink: return [degrees(5), seconds(7200)]
    case .rain: return [gravities(0.005), seconds(600)]
    case .push: return [degrees(4), seconds(0.8)]
    case .fall: return [degrees(75), seconds(2)]
    case .lift: return [metres(0.7), degrees(40), seconds(2.4)]
    case .carry: return [metres(60), speed(1.3), hertz(1.9)]
    case .levelLift: return [metres(0.8), seconds(5)]
    case .upright: return [seconds(3)]
    case .slide: return [metres(3), seconds(6)]
    case .grind: return [gravities(0.15), hertz(150), seconds(60)]
    case .turn: return [degrees(60), seconds(180)]
    case .roll: return [metres(20), speed(1)]
    case .drive: return [speed(10), seconds(120), gravities(0.04)]
    case .ride: return [speed(5), seconds(300), gravities(0.2)]
    case .train: return [seconds(2400), gravities(0.02), degrees(0.4)]
    case .glide: return [speed(5), seconds(100)]
    case .stickAxis, .axisAtEnd, .swapAxes:
      return [seconds(60), StreetDeed.Number(name: "axis", usual: 0, range: 0...2)]
    case .notANumber, .saturate, .stick, .halfRate, .gap, .timeBack: return [seconds(60)]
    case .noFix: return [seconds(600)]
    case .dismiss: return []
    case .wind: return [speed(5), seconds(300)]
    case .press: return [newtons(10), seconds(5), height(0.9)]
    case .knock: return [impulse(2), height(0.6), seconds(1)]
    case .lorry: return [gravities(0.02), hertz(12), seconds(6)]
    case .saw: return [newtons(12), hertz(1.6), seconds(60)]
    case .grinder: return [newtons(20), hertz(130), seconds(45)]
    case .boltCutter: return [impulse(4), seconds(8)]
    case .hoist: return [metres(0.7), seconds(2.5)]
    case .haul: return [metres(40), speed(1.2), hertz(1.9)]
    case .setDown: return [seconds(3)]
    case .petLie: return [seconds(600)]
    case .petWalk: return [speed(1.2), seconds(120)]
    case .petRun: return [speed(4), seconds(30)]
    case .petDig: return [seconds(20)]
    case .petShake: return [seconds(2)]
    case .buzzer:
      return [
        StreetDeed.Number(name: "seconds", usual: 30, range: 1...3600),
        StreetDeed.Number(name: "pulse", usual: 1, range: 0...1),
      ]
    }
  }
}

extension StreetDeed.Kind {
  /// True for what happens to every parked vehicle, and is nothing to worry about.
  package var isDisturbance: Bool {
    switch self {
    case .gust, .shake, .hum, .bump, .neighbour, .leanOn, .rain, .wind, .knock, .lorry: true
    default: false
    }
  }

  /// True for what moves or shakes the vehicle, and so can go on beside other deeds; a fault of a sensor, or what the owner does, has its
  /// own time.
  package var canBeInBackground: Bool {
    switch self {
    case .stand, .glide, .notANumber, .saturate, .stickAxis, .axisAtEnd, .stick, .swapAxes, .halfRate, .gap, .timeBack,
      .noFix, .dismiss, .buzzer, .upright:
      return false
    // A body has one thing done to it at a time.
    case .wind, .press, .knock, .lorry, .saw, .grinder, .boltCutter, .hoist, .haul, .setDown, .petLie, .petWalk,
      .petRun,
      .petDig, .petShake:
      return false
    case .gust, .shake, .hum, .bump, .neighbour, .leanOn, .sink, .rain, .push, .fall, .lift, .carry, .levelLift, .slide,
      .grind, .turn, .roll, .drive, .ride, .train:
      return true
    }
  }
}

extension StreetDeed.Kind {
  /// What must be there for it to happen.
  package enum Need: String, Sendable {
    /// Any scene.
    case nothing
    /// No body: it is drawn as a motion.
    case drawing
    /// A bicycle with a body.
    case bike
    /// A collar with joints.
    case collar
  }

  /// What it needs.
  package var need: Need {
    switch self {
    case .wind, .press, .knock, .lorry, .saw, .grinder, .boltCutter, .hoist, .haul, .setDown: .bike
    case .petLie, .petWalk, .petRun, .petDig, .petShake: .collar
    case .gust, .shake, .hum, .bump, .neighbour, .leanOn, .sink, .rain, .push, .fall, .lift, .carry, .levelLift, .slide,
      .grind, .turn, .train:
      .drawing
    case .stand, .upright, .roll, .drive, .ride, .glide, .notANumber, .saturate, .stickAxis, .axisAtEnd, .stick,
      .swapAxes,
      .halfRate, .gap, .timeBack, .noFix, .dismiss, .buzzer:
      .nothing
    }
  }

  /// True for deeds that take a vehicle or an animal somewhere.
  package var isTravel: Bool {
    switch self {
    case .ride, .roll, .carry, .drive, .train, .haul, .petWalk, .petRun: true
    default: false
    }
  }
}
