import Quantities

/// One witness of forward: the direction in the sensor frame in which an expected scalar is felt.
///
/// Both sides go through the same high-pass, which leaves the ratio between them alone and takes away whatever is constant
/// or slow: bias, slope of the road. What was seen fades with the memory. It is kept in parts, one after the other, because a
/// sensor that was turned in its mount shows only where what was before is compared with what came since: together they
/// give a mean between the mountings that looks as certain as any.
struct MountChannel: BitwiseCopyable {
  private var slowX: Float = 0
  private var slowY = Vector3.zero
  private var slowSeconds: Float = 0
  private var lastX: Float = 0
  private var lastY = Vector3.zero
  private var parts = InlineArray<6, MountRegression>(repeating: MountRegression())
  private var partCount = 1
  /// Pairs of a part; when all parts are filled they are joined by twos, and the next are twice as long.
  private var partLength = MountChannel.firstPart

  /// Pairs of the first parts.
  static var firstPart: Float { 60 }
  /// Most pairs of a part, before fading.
  static var longestPart: Float { 480 }
  /// A direction known worse than this, rad, does not tell whether it is another.
  static var vaguest: Float { 0.35 }

  /// Takes the pair of one interval in.
  ///
  /// - Parameters:
  ///   - x: What is expected.
  ///   - y: What was felt, sensor frame, with the vertical part taken out.
  ///   - seconds: Length of the interval, s.
  mutating func add(x: Float, y: Vector3, seconds: Float, _ parameters: MountParameters) {
    slowSeconds = min(slowSeconds + seconds, parameters.highPass)
    let share = seconds / max(slowSeconds, seconds)
    slowX += (x - slowX) * share
    slowY += (y - slowY) * share
    let (x, y) = (x - slowX, y - slowY)
    let keep = 1 - min(0.5, seconds / parameters.memory)
    for place in 0..<partCount { parts[place].fade(keep) }
    if parts[partCount - 1].weight >= partLength { beginPart() }
    parts[partCount - 1].add(x: x, y: y, lastX: lastX, lastY: lastY)
    lastX = x
    lastY = y
  }

  /// The next pair does not follow the last.
  mutating func interrupt() {
    slowSeconds = 0
    lastX = 0
    lastY = .zero
  }

  private mutating func beginPart() {
    // What came since contradicts what was before: the mean would hide it, so what was before goes.
    if let drift, drift.significance > MountDrift.certain {
      for place in drift.place..<partCount { parts[place - drift.place] = parts[place] }
      partCount -= drift.place
    }
    if partCount == parts.count {
      for place in 0..<parts.count / 2 { parts[place] = parts[2 * place] + parts[2 * place + 1] }
      partCount = parts.count / 2
      partLength = min(2 * partLength, MountChannel.longestPart)
    }
    parts[partCount] = MountRegression()
    partCount += 1
  }

  /// All that was seen.
  var all: MountRegression { sum(from: 0, to: partCount) }

  private func sum(from start: Int, to end: Int) -> MountRegression {
    var sum = parts[start]
    for place in start + 1..<max(end, start + 1) { sum = sum + parts[place] }
    return sum
  }

  /// How what came since some moment differs from what was before, for the moment that tells most; nil while none does.
  var drift: MountDrift? {
    var most: MountDrift?
    for place in 1..<max(partCount, 1) {
      guard let drift = drift(at: place), drift.significance > most?.significance ?? -1 else { continue }
      most = drift
    }
    return most
  }

  /// Square of how far the mean may be off because the sensor was turned on the way, rad²: `likely` is what the comparisons at
  /// all moments show in the mean beyond what chance explains; `clear` the most of those that chance does not explain. The other
  /// witnesses were turned with this one.
  var drifted: (likely: Float, clear: Float) {
    var (sum, clear, count): (Float, Float, Float) = (0, 0, 0)
    for place in 1..<max(partCount, 1) {
      guard let drift = drift(at: place) else { continue }
      sum += max(0, drift.excess)
      count += 1
      if drift.significance > MountDrift.certain { clear = max(clear, drift.excess) }
    }
    return (sum / max(count, 1), clear)
  }

  @inline(never) private func drift(at place: Int) -> MountDrift? {
    let older = sum(from: 0, to: place)
    let newer = sum(from: place, to: partCount)
    guard let before = older.response, let since = newer.response else { return nil }
    let lengths = (before: before.length, since: since.length)
    guard lengths.before > 0, lengths.since > 0 else { return nil }
    let own = (older.deviation / lengths.before, newer.deviation / lengths.since)
    let drift = MountDrift(
      place: place, before: lengths.before, since: lengths.since,
      angle: Elementary.atan2(before.cross(since).length, before.dot(since)),
      deviation: (own.0 * own.0 + own.1 * own.1).squareRoot(), share: older.share(with: newer))
    return drift.deviation < MountChannel.vaguest ? drift : nil
  }
}

/// How what a witness shows has changed.
struct MountDrift: BitwiseCopyable {
  /// The first part after the change.
  var place: Int
  /// Felt per expected before it.
  var before: Float
  /// The same since.
  var since: Float
  /// Angle between the directions, rad.
  var angle: Float
  /// Standard deviation of the angle, rad.
  var deviation: Float
  /// What was before as a share of the mean.
  var share: Float

  /// Square of the angle in its standard deviations; no turn is told from chance below a degree.
  var significance: Float { angle * angle / (deviation * deviation + 0.0175 * 0.0175) }
  /// Significance beyond which the sensor was turned: three standard deviations.
  static var certain: Float { 9 }

  /// Square of what the mean is off from the newer direction less what chance makes of it, rad².
  var excess: Float { (angle * angle - deviation * deviation) * share * share }
}
