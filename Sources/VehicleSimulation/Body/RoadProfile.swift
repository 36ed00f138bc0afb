import Quantities

/// A kind of road: how rough it is, how that changes, and what lies on it.
package struct RoadSurface: Equatable, Sendable {
  /// Displacement density at 0.1 cycles a metre, m³: 16e-6 is the middle of class A of ISO 8608, each class four times that of the one
  /// before.
  package var roughness = 16e-6
  /// Standard deviation of the logarithm of the density from place to place: patches.
  package var patches = 0.5
  /// Length of a patch, m.
  package var patchLength = 15.0
  /// Roots, joints, kerbs: so many a metre, and the mean of their heights, m.
  package var bumps = (perMetre: 0.02, height: 0.006)
  /// Slope along the road that pushes a wheel, as a multiple of that of the profile: a wheel meets an edge ahead of its axle.
  package var alongShare = 2.5
  /// Slope across the road as a multiple of that of the profile: a tyre stands on single stones.
  package var crossShare = 3.0

  /// A smooth asphalt.
  package init() {}

  package static func == (a: RoadSurface, b: RoadSurface) -> Bool {
    a.roughness == b.roughness && a.patches == b.patches && a.patchLength == b.patchLength && a.bumps == b.bumps
      && a.alongShare == b.alongShare && a.crossShare == b.crossShare
  }
}

/// A road under wheels: its height, and its slopes, along a track.
///
/// - Source: [iso8608]: one-sided displacement density G(n) = G(n₀) (n/n₀)⁻² with n₀ = 0.1 /m, so the slope is white with 4π²n₀²G(n₀). Our
///   derivation: steps of a centimetre whose variance is half of that density times their length, pulled back towards zero below 0.01
///   /m, as the standard has no density below; a wheel sees the mean over its contact, here a decay of `contact`.
struct RoadProfile: Sendable {
  /// The road under a wheel.
  struct Spot: Equatable, Sendable {
    /// m.
    var height = 0.0
    /// Change of the height a metre.
    var rise = 0.0
    /// Slopes that push the wheel, along and across.
    var along = 0.0
    var across = 0.0

    /// A flatter one.
    static func * (a: Spot, s: Double) -> Spot {
      Spot(height: a.height * s, rise: a.rise * s, along: a.along * s, across: a.across * s)
    }
  }

  private static let step = 0.01
  private static let ringLength = 512
  private let surface: RoadSurface
  private let contact: Double
  /// How much of a patch is left after a step.
  private let keep: Double
  private var random: SeededRandom
  private var heights = [Double](repeating: 0, count: RoadProfile.ringLength)
  private var slopes = [Double](repeating: 0, count: RoadProfile.ringLength)
  private var across = [Double](repeating: 0, count: RoadProfile.ringLength)
  private var raw = 0.0
  private var seen = 0.0
  private var cross = 0.0
  private var patch = 0.0
  private var bump = (left: 0.0, length: 0.3, height: 0.0)
  /// Places of the grid that are made.
  private var made = 0

  /// - Parameter contact: Length over which a wheel sees the mean, m.
  init(_ surface: RoadSurface, contact: Double, random: SeededRandom) {
    self.surface = surface
    self.contact = contact
    keep = Elementary.exp(-RoadProfile.step / surface.patchLength)
    self.random = random
    patch = self.random.gaussian()
  }

  private mutating func extend() {
    let step = RoadProfile.step
    patch = keep * patch + (1 - keep * keep).squareRoot() * random.gaussian()
    let local = surface.roughness * Elementary.exp(surface.patches * patch)
    // 4π²n₀²G/2 with n₀ = 0.1.
    let size = (0.19739208802178717 * local * step).squareRoot()
    raw += size * random.gaussian() - raw * 0.0628318530717959 * step
    if bump.left > 0 {
      bump.left -= step
    } else if random.uniform() < surface.bumps.perMetre * step {
      let height = -Elementary.log(1 - random.uniform()) * surface.bumps.height
      bump = (0.2, 0.2, min(height, 0.06))
    }
    let share = max(bump.left, 0) / bump.length
    let whole = raw + (bump.left > 0 ? bump.height * Elementary.sin(Double.pi * share) : 0)
    seen += (whole - seen) * step / contact
    cross += (-cross + size / step * random.gaussian() * surface.crossShare) * step / contact
    let place = made % RoadProfile.ringLength
    heights[place] = seen
    slopes[place] = (whole - seen) / contact
    across[place] = cross
    made += 1
  }

  /// Height (m) and slopes along and across under a wheel that has come so far, m; a wheel may be up to 4 m behind the first.
  mutating func under(_ metres: Double) -> Spot {
    let place = max(metres, 0) / RoadProfile.step
    let whole = Int(place)
    while made <= whole + 1 { extend() }
    let share = place - Double(whole)
    let (a, b) = (whole % RoadProfile.ringLength, (whole + 1) % RoadProfile.ringLength)
    let rise = slopes[a] + share * (slopes[b] - slopes[a])
    return Spot(
      height: heights[a] + share * (heights[b] - heights[a]), rise: rise, along: surface.alongShare * rise,
      across: across[a] + share * (across[b] - across[a]))
  }
}
