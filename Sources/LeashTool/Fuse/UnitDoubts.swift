import Quantities

/// Finds columns of `leash fuse` that are in another unit than they are taken for: gravity and the earth's field have known lengths, and
/// nothing else is felt most of the time.
struct UnitDoubts {
  /// How long a vector is, counted over rows.
  private struct Length {
    var count = 0
    var likelyCount = 0
    var sum = 0.0

    mutating func add(_ v: Vector3?, likely: ClosedRange<Float>) {
      guard let length = v?.length, length.isFinite else { return }
      count += 1
      sum += Double(length)
      if likely.contains(length) { likelyCount += 1 }
    }

    /// The mean; nil while most rows are as long as they may be.
    var doubtful: Double? { count >= 100 && 2 * likelyCount < count ? sum / Double(count) : nil }
  }

  private var force = Length()
  private var field = Length()

  /// Half of gravity to twice of it, m/s².
  private static let likelyForce: ClosedRange<Float> = 4.9...19.6
  /// Half of the weakest field on earth to twice the strongest near magnets of a vehicle, µT.
  private static let likelyField: ClosedRange<Float> = 10...130

  /// Takes a sample in.
  mutating func add(_ sample: InertialSample) {
    force.add(sample.specificForce, likely: UnitDoubts.likelyForce)
    field.add(sample.magneticFluxDensity, likely: UnitDoubts.likelyField)
  }

  /// What to tell about it; `hasField` false if the field is not used.
  func remarks(hasField: Bool) -> [String] {
    var remarks: [String] = []
    if let mean = force.doubtful {
      let unit = UnitDoubts.unit(of: mean / 9.81, [("g", 1 / 9.81), ("mg or cm/s²", 100)])
      remarks.append(
        "the specific force is \(UnitDoubts.text(mean)) long on average where gravity alone is 9.81: ax ay az are taken for m/s²\(unit)"
      )
    }
    if hasField, let mean = field.doubtful {
      let unit = UnitDoubts.unit(
        of: mean / 48, [("gauss", 0.01), ("mgauss", 10), ("nT", 1000), ("mT", 0.001), ("T", 1e-6)])
      remarks.append(
        "the magnetic field is \(UnitDoubts.text(mean)) long on average where the earth's is 22 to 67: mx my mz are taken for µT\(unit)"
      )
    }
    return remarks
  }

  /// The unit that a length would be in, if it is that of one of them within a factor of two.
  private static func unit(of ratio: Double, _ units: [(name: String, ratio: Double)]) -> String {
    guard let found = units.first(where: { (0.5...2).contains(ratio / $0.ratio) }) else { return "" }
    return ", and seem to be in \(found.name)"
  }

  private static func text(_ length: Double) -> String {
    length >= 100 ? TimeText.count(Int(min(length, 1e15))) : TimeText.decimal(length, length >= 0.1 ? 2 : 6)
  }
}
