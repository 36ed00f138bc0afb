import Quantities

/// One witness of forward: the direction in the sensor frame in which an expected scalar is felt.
///
/// Both sides go through the same high-pass, which leaves the ratio between them alone and takes away whatever is constant
/// or slow: bias, slope of the road. What was seen fades with the memory. It is kept in two parts, an older and a newer one,
/// because a sensor that was turned in its mount shows only where the two are compared: together they give a mean between
/// the mountings that looks as certain as any.
struct MountChannel: BitwiseCopyable {
  private var slowX: Float = 0
  private var slowY = Vector3.zero
  private var slowSeconds: Float = 0
  private var lastX: Float = 0
  private var lastY = Vector3.zero
  private var older = MountRegression()
  private var newer = MountRegression()

  /// The newer part becomes the older when it has as many pairs, from the first to the second of these numbers.
  static var partLimits: (least: Float, most: Float) { (60, 600) }

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
    older.fade(keep)
    newer.fade(keep)
    let limits = MountChannel.partLimits
    if newer.weight >= min(max(older.weight, limits.least), limits.most) {
      // What the newer part contradicts is dropped: the mean would hide it.
      older = (drift?.excess ?? 0) > 0 ? newer : older + newer
      newer = MountRegression()
    }
    newer.add(x: x, y: y, lastX: lastX, lastY: lastY)
    lastX = x
    lastY = y
  }

  /// The next pair does not follow the last.
  mutating func interrupt() {
    slowSeconds = 0
    lastX = 0
    lastY = .zero
  }

  /// All that was seen.
  var all: MountRegression { older + newer }

  /// How the newer part differs from the older; nil while one shows nothing.
  var drift: MountDrift? {
    guard let before = older.response, let since = newer.response else { return nil }
    let lengths = (before: before.length, since: since.length)
    guard lengths.before > 0, lengths.since > 0 else { return nil }
    let own = (older.deviation / lengths.before, newer.deviation / lengths.since)
    return MountDrift(
      before: lengths.before, since: lengths.since,
      angle: Elementary.atan2(before.cross(since).length, before.dot(since)),
      deviation: (own.0 * own.0 + own.1 * own.1).squareRoot())
  }
}

/// How what a witness shows has changed.
struct MountDrift: BitwiseCopyable {
  /// Felt per expected in the older part.
  var before: Float
  /// The same in the newer part.
  var since: Float
  /// Angle between the directions, rad.
  var angle: Float
  /// Standard deviation of the angle, rad.
  var deviation: Float

  /// Square of the angle beyond twice what chance explains, rad²: the sensor may have been turned.
  var excess: Float { max(0, angle * angle - 4 * deviation * deviation) }
}
