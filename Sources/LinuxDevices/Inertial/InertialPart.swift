import Quantities

/// A family of inertial parts behind registers, as data: what it is called, where it answers, what it can be set to, and the
/// steps that set it up.
///
/// The sensor (`I2CInertialSensor`) knows no part; a new one is a file with one of these.
public struct InertialPart: Sendable {
  /// What the family is called in configurations: `mpu6050`.
  public let name: String
  /// Addresses its pins can choose.
  public let addresses: [UInt8]
  /// The register with the part's number.
  let identityRegister: UInt8
  /// Numbers that are told, with the part each stands for.
  let identities: [(number: UInt8, part: String)]
  /// Settings of the accelerometer, finest first: register code and m/s² per step.
  let specificForceScales: [(range: SpecificForceRange, code: UInt8, scale: Double)]
  /// Settings of the gyroscope, finest first: register code and rad/s per step.
  let angularRateScales: [(range: AngularRateRange, code: UInt8, scale: Double)]
  /// Rates it can measure at, slowest first, with their register code.
  let rates: [(hertz: Double, code: UInt8)]
  /// The low-passes for a rate, lowest first; empty when the rate decides.
  let lowPasses: @Sendable (_ hertz: Double) -> [InertialLowPass]
  /// What its FIFO looks like.
  let fifo: InertialFIFO
  /// The steps from any state to one with all ranges and rates set and the FIFO ready to be reset.
  let setUp: @Sendable (InertialPartChoice) -> [RegisterStep]
  /// The steps that empty the FIFO and let it collect.
  let resetFIFO: [RegisterStep]
  /// The writes that let the part sleep.
  let sleep: [RegisterStep]
  /// True when the part does nothing without a file of its maker.
  public let needsConfigurationFile: Bool

  /// The part's name for a number it tells; nil when it is not of this family.
  func part(for number: UInt8) -> String? { identities.first { $0.number == number }?.part }
}

/// What is chosen of a part's abilities for the settings of a user.
struct InertialPartChoice: Sendable {
  /// The name behind the number the part told.
  var part: String
  /// Samples per second, nominal.
  var hertz: Double
  var rateCode: UInt8
  var lowPass: InertialLowPass?
  var specificForce: (range: SpecificForceRange, code: UInt8, scale: Double)
  var angularRate: (range: AngularRateRange, code: UInt8, scale: Double)
  /// The maker's configuration, where the part needs one.
  var configuration: [UInt8] = []

  /// The nearest of what the part can do: rates and cut-offs that are not lower, ranges that are not smaller.
  ///
  /// - Returns: nil when the part has no choice of a low-pass and one is wanted, or tables are empty.
  init?(_ part: InertialPart, named name: String, for settings: InertialSettings) {
    guard let rate = part.rates.first(where: { $0.hertz >= settings.hertz * (1 - 1e-9) }) ?? part.rates.last,
      let force = part.specificForceScales.first(where: { $0.range >= settings.specificForceRange })
        ?? part.specificForceScales.last,
      let turn = part.angularRateScales.first(where: { $0.range >= settings.angularRateRange })
        ?? part.angularRateScales.last
    else { return nil }
    let passes = part.lowPasses(rate.hertz)
    if let wanted = settings.lowPassHertz {
      guard let pass = passes.first(where: { $0.hertz >= wanted * (1 - 1e-9) }) ?? passes.last else { return nil }
      lowPass = pass
    } else {
      // Below half the rate, where there is such a one: what is above would come back as something slower.
      lowPass = passes.last { $0.hertz <= rate.hertz / 2 } ?? passes.first
    }
    self.part = name
    hertz = rate.hertz
    rateCode = rate.code
    specificForce = force
    angularRate = turn
  }
}

/// A low-pass of a part.
struct InertialLowPass: Equatable, Sendable {
  /// Where it cuts off, Hz.
  var hertz: Double
  /// Its register code.
  var code: UInt8
  /// By how much it delays the angular rate; zero where the data sheet does not tell.
  var delay = Interval.zero

  init(_ hertz: Double, _ code: UInt8, delay: Interval = .zero) {
    self.hertz = hertz
    self.code = code
    self.delay = delay
  }
}

extension InertialPart {
  /// What its data sheet tells about the part at these settings: the ends of the ranges that are chosen and the delay of the
  /// low-pass, zero where the data sheet does not tell it.
  ///
  /// The ends are those of its numbers of 16 bits, which may be beyond the nominal range. The noise is left to the filter, which
  /// assumes more than any of these parts has.
  package func description(for settings: InertialSettings) -> SensorDescription {
    var result = SensorDescription()
    guard let choice = InertialPartChoice(self, named: name, for: settings) else { return result }
    result.angularRateRange = Float(choice.angularRate.scale * 32767)
    result.specificForceRange = Float(choice.specificForce.scale * 32767)
    result.latency = choice.lowPass?.delay ?? .zero
    return result
  }
}

/// One step of setting up a part.
enum RegisterStep: Sendable, Equatable {
  /// Writes registers, from the first one on.
  case write(UInt8, [UInt8])
  /// Changes some bits of a register and leaves the others.
  case change(UInt8, mask: UInt8, bits: UInt8)
  /// Lets the part work before the next step.
  case wait(Interval)
  /// Looks until the masked bits have a value; fails with the words after a time.
  case expect(UInt8, mask: UInt8, value: UInt8, within: Interval, failure: String)
}

/// What a part's FIFO looks like from the bus.
struct InertialFIFO: Sendable {
  /// How samples lie in it.
  enum Format: Sendable, Equatable {
    /// Six big-endian numbers: accelerometer, gyroscope.
    case bigEndianForceFirst
    /// Six little-endian numbers: gyroscope, accelerometer.
    case littleEndianRateFirst
    /// Words of seven bytes: a tag, three little-endian numbers.
    case taggedWords
    /// A byte that says what follows, then little-endian numbers; a frame that tells changed settings has so many bytes.
    case headedFrames(configurationLength: Int)
  }

  /// What one look at the FIFO told.
  struct Level: Equatable {
    /// Bytes to read.
    var byteCount: Int
    /// Samples were lost.
    var isOverrun = false
    /// Bytes to throw away ahead of the first whole sample.
    var misalignment = 0
  }

  /// Registers to look at, each read as one block.
  let levelBlocks: [(register: UInt8, count: Int)]
  /// What their bytes mean.
  let level: @Sendable ([UInt8]) -> Level
  /// The register that samples are read from again and again.
  let dataRegister: UInt8
  let format: Format
  /// Bytes of one sample of six axes.
  let sampleLength: Int
}
