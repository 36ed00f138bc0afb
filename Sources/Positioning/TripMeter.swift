public import Quantities

/// Adds up the distance travelled from fix to fix.
///
/// A step is counted once it is `spacing` long: shorter ones are mostly the noise of fixes, which would make each way longer, and
/// where the vehicle stands they would never end. Between two steps the way is no straight line: where the direction has turned, the
/// corner that was cut is added.
///
/// While the vehicle stands the meter keeps the place where it came to stand, and follows the way from there without counting it.
/// The way is counted when motion detection knows that it travels, which is some fixes later, unless it has gone to and fro: then it
/// was the wander of the receiver, and the straight line is counted. While it is known to stand the place follows the fixes: what they
/// wander at rest would be a part of the next way (`follow`).
///
/// At walking pace the error of a fix may be forgotten within the time of a step, and then moves it by √2 of its radius a: errors alone
/// make a step of a with a probability of e^(−1/2), and one of 2a with e^(−2), which is how long a step must be there.
///
/// **The corner.** A step of length s on an arc that turns by θ is θ²s/24 longer than its chord. A way that turns at one point by φ,
/// anywhere in a step, is longer by φ²s/12 on average, and as the turn then shows in part at either end of the step, the squares of
/// both sum up to ⅔ φ²: that is θ²s/8. Roads have both; a tenth has the least error on one half of the recorded rides, and is
/// shown on the other (docs/odometer.md). For θ² stands 2(1 − cos θ), which needs no angle and stays finite.
///
/// **The silence.** Where nothing was heard the way is straight, unless an inertial sensor has felt its turns. A way whose directions add
/// up to a share k of its length is 1/k as long as the straight line. As directions are known to `turnError`, k is so to about
/// √(1 − k²) times that, and to a hundredth. By the speeds at its two ends it is as long as the time in which it moved, to `toldError`. The
/// two lengths are joined by these variances: a straight tunnel has its line, one that ends where it began the way of the speeds.
///
/// - Source: our derivation.
@frozen public struct TripMeter: Equatable, BitwiseCopyable, Sendable {
  /// Distance since the beginning, m. It never falls.
  public private(set) var distance: Double = 0
  /// Up to where the way is counted; nil before the first position.
  public internal(set) var last: GeodeticPosition?
  // Here they leave no hole.
  private var wasTravelling = false
  private var isAfterSilence = false
  private var isStill = false
  /// True while it is carried without being felt.
  private var isAfloat = false
  /// True while the place where it stands is that of the last fix there: see `follow`.
  var isFollowed = false
  /// Where the way that is not counted yet has come to, and how long it is, m; nil when there is none.
  private var tip: GeodeticPosition?
  private var openWay: Float = 0
  /// Variance of where ways by fixes began and ended, m²: see `noteEnd`.
  package internal(set) var ends: Float = 0
  /// The last step, m; zero where its direction says nothing of the next.
  private var eastward: Double = 0
  private var northward: Double = 0
  /// Of the distance, what was added for corners, m.
  public private(set) var corners: Double = 0
  /// Sum of the squares of the ways in silences, m².
  public private(set) var silences: Double = 0
  private var openCorners: Float = 0
  private var openSilences: Float = 0
  /// How well the place up to which it is counted is known, m; 0 when nobody has said.
  var lastAccuracy: Float = 0
  /// How much longer than the straight line the way in a silence was that is not counted yet, m.
  private var detour: Float = 0
  /// Whether speeds can be believed.
  var trial = SpeedTrial()
  /// By how much the way by positions is longer than that by speeds, or may be by noise where these tell nothing, m.
  package private(set) var disagreement: Float = 0
  /// What was travelled while an inertial sensor felt nothing, and is neither ridden nor carried yet, m.
  package private(set) var held: Float = 0
  /// The wheel, which counts where it can.
  package internal(set) var wheel = WheelMeter()

  private var step: PlaneStep {
    get { PlaneStep(east: eastward, north: northward) }
    set { (eastward, northward) = (newValue.east, newValue.north) }
  }

  /// A meter at zero.
  public init() {}

  /// A meter that goes on where an earlier one was.
  public init(distance: Double, last: GeodeticPosition?, corners: Double = 0, silences: Double = 0) {
    self.distance = distance
    self.last = last
    self.corners = corners
    self.silences = silences
  }

  /// What the meter needs of a fix.
  @frozen public struct Sight: Equatable, BitwiseCopyable, Sendable {
    /// When.
    public var time: Instant
    /// A position that the receiver vouches for.
    public var position: GeodeticPosition
    /// Speed over ground, m/s; nil when unknown.
    public var speed: Double?
    /// Radius about the position, m; nil when unknown.
    public var accuracy: Double?

    /// A sight of its parts.
    @inlinable public init(
      time: Instant, position: GeodeticPosition, speed: Double? = nil, accuracy: Double? = nil
    ) {
      self.time = time
      self.position = position
      self.speed = speed
      self.accuracy = accuracy
    }
  }

  /// Farther than this, m, and faster than `fastest`, a step from fix to fix is a receiver that errs or another receiver.
  @inlinable public static var farthestStep: Double { 1000 }
  /// No vehicle on the ground is faster, m/s.
  @inlinable public static var fastest: Double { 150 }
  /// Steps shorter than this are not counted yet, m.
  @inlinable public static var spacing: Double { 4.5 }
  /// Nor are those within the radius of a fix that is worse than this, m; at walking pace within twice as much …
  @inlinable package static var usualAccuracy: Double { 5 }
  /// … up to this, m: how fast the errors of a receiver change is not known, but the larger they are, the more they change.
  @inlinable package static var longestSpacing: Double { 25 }
  /// A receiver that reports a lower speed, m/s, stands: it must leave its own radius to be believed away.
  @inlinable public static var standingSpeed: Double { 0.5 }
  /// Nobody walks faster, m/s.
  @inlinable package static var walkingSpeed: Float { 2 }
  /// Between two fixes further apart anything may have happened: speeds and directions at their ends say nothing of it.
  @inlinable public static var longestStep: Interval { .seconds(10) }
  /// A way from where it stood that is longer than so many times the straight line is wander.
  @inlinable public static var straightest: Double { 1.5 }
  /// Closer to where it came to stand, m, or within the radius of the fix, it stands there still.
  @inlinable public static var homeRadius: Double { 15 }
  /// What is carried is not felt for so long …
  @inlinable package static var stillOfCarried: Interval { .seconds(120) }
  /// … on so long a way, m: walking pace, far more than the wander of a receiver.
  @inlinable package static var leastCarried: Double { 200 }
  /// Nobody is taken for slower than this while an inertial sensor feels that it moves, m/s: what is too long for it was carried.
  @inlinable package static var usualPace: Double { 8 }
  /// In longer silences a gyroscope loses the direction.
  @inlinable package static var longestUnseen: Interval { .seconds(180) }
  /// Standard deviation of a direction that a gyroscope has kept for so long, rad: 0.03 °/s of bias.
  @inlinable package static var turnError: Double { 0.1 }
  /// Standard deviation of a way by the speeds at its ends, as a share of it.
  @inlinable package static var toldError: Double { 0.3 }
  /// Share of θ²s that a turn by θ adds to a step.
  @inlinable public static var cornerShare: Double { 0.1 }
  /// Beyond this, m, and beyond three times the way at the reported speeds, a step is a jump of the receiver.
  @inlinable public static var jump: Double { 20 }
  /// Speeds are known to be right or wrong after this way, m; ways four times as long ago hardly count.
  @inlinable public static var speedTrial: Double { 50 }

  /// Takes one fix in.
  ///
  /// A step that no vehicle can make is not travelled: the meter goes on from where it ends. Of a step that speeds deny, where
  /// they have been right so far, what they show is travelled.
  ///
  /// - Parameters:
  ///   - sight: The fix.
  ///   - previous: The one before, with a position; nil when there is none.
  ///   - isTravelling: Whether the vehicle travels, as motion detection sees it.
  ///   - stillFor: For how long an inertial sensor has felt nothing at all.
  ///   - straightness: How straight the way since the last fix was, as an inertial sensor felt its turns: sum of its directions as a share
  ///     of their number, above 0 to 1; 1 when unknown.
  ///   - unseenFor: For how long it moved on that way, s; 0 when unknown.
  public mutating func record(
    _ sight: Sight, after previous: Sight? = nil, isTravelling: Bool, stillFor: Interval = .zero,
    straightness: Float = 1, unseenFor: Float = 0
  ) {
    isStill = stillFor > .zero
    if !isStill {
      isAfloat = false
      if held > 0 {
        distance += Double(held)
        held = 0
      }
    }
    defer { if isStill { judgeStill(stillFor) } }
    guard let home = last else {
      moveHome(to: sight)
      if !isTravelling { trial.forget() }
      wheel.meet(at: sight.time)
      return
    }
    let (speedBefore, speed) = (TripMeter.speed(of: previous), TripMeter.speed(of: sight))
    let pace = max(speedBefore, speed)
    let isStanding = speed < Float(TripMeter.standingSpeed)
    if !isTravelling, let previous {
      if wasTravelling {
        if isStanding, TripMeter.isArrival(sight, from: previous, at: speedBefore) {
          come(toStandAt: sight)
        } else {
          come(toStandAt: previous)
        }
      } else if seesBetter(sight, than: home) {
        moveHome(to: sight)
        forgetWay()
      } else if hasStood(since: previous.time, until: sight.time, pace: pace, stillFor: stillFor) {
        follow(sight, from: home)
      }
    }
    if isTravelling, wasTravelling, straightness < 1, let previous {
      noteTurns(from: previous, to: sight, straightness: straightness, seconds: unseenFor)
    }
    if isTravelling != wasTravelling { noteEnd(isBeginning: isTravelling) }
    wasTravelling = isTravelling
    defer { if wheel.isThere { lookAtWheel(sight) } }
    let from = tip ?? last ?? home
    let wasOpen = tip != nil
    if isTravelling { lastAccuracy = sight.accuracy.map { Float($0) } ?? 0 }
    if let previous, passesJump(from: from, previous, sight, isTravelling: isTravelling) { return }
    let reach = PlaneStep(from: from, to: sight.position)
    let length = reach.length
    var least = TripMeter.spacing
    if let accuracy = sight.accuracy {
      if isStanding { least = max(least, accuracy) }
      if accuracy > TripMeter.usualAccuracy {
        least = max(least, min(pace < TripMeter.walkingSpeed ? 2 * accuracy : accuracy, TripMeter.longestSpacing))
      }
    }
    if length >= least {
      var way = length < PlaneStep.longest ? length : Geodesic.fastDistance(from: from, to: sight.position)
      if isAfterSilence, unseenFor > 0, let previous {
        way -= carried(of: way, from: previous, to: sight, movedFor: Double(unseenFor))
      }
      let corner = corner(to: reach, length)
      openWay += Float(way + corner)
      openCorners += Float(corner)
      if isAfterSilence { endSilence(way) }
      step = reach
      tip = sight.position
    }
    guard let tip else { return }
    // Only what began before it was known to travel may be wander.
    let straight = wasOpen || !isTravelling ? Geodesic.fastDistance(from: last ?? home, to: tip) : Double(openWay)
    let isWander = Double(openWay) > TripMeter.straightest * straight
    if isTravelling {
      let way = isWander ? straight : Double(openWay)
      count(way, corners: isWander ? 0 : Double(openCorners), silences: Double(openSilences), to: sight)
      last = tip
      self.tip = nil
      (openWay, openCorners, openSilences) = (0, 0, 0)
    } else if isWander || straight < max(TripMeter.homeRadius, sight.accuracy ?? 0) {
      forgetWay()
    }
  }

  @inline(never) mutating func moveHome(to sight: Sight) {
    last = sight.position
    lastAccuracy = sight.accuracy.map { Float($0) } ?? 0
  }

  /// Whether a fix of a vehicle that stands shows better where that is than the one before, a cold receiver's first perhaps: it says so, and
  /// the other may err by as much.
  private func seesBetter(_ sight: Sight, than home: GeodeticPosition) -> Bool {
    guard lastAccuracy > Float(TripMeter.homeRadius), let accuracy = sight.accuracy,
      Float(accuracy) < 0.7 * lastAccuracy
    else { return false }
    return Geodesic.fastDistance(from: home, to: sight.position) < 3 * Double(lastAccuracy)
  }

  @inline(never) private mutating func endSilence(_ way: Double) {
    let unseen = way + Double(detour)
    openWay += detour
    openSilences += Float(min(unseen * unseen, 1e30))
    isAfterSilence = false
    detour = 0
  }

  /// What of the way in a silence is too long for the time in which an inertial sensor felt it move, and was carried, m.
  @inline(never) private mutating func carried(
    of way: Double, from previous: Sight, to sight: Sight, movedFor seconds: Double
  ) -> Double {
    guard (sight.time - previous.time).secondsDouble - seconds >= TripMeter.stillOfCarried.secondsDouble,
      !wheel.isCounting
    else { return 0 }
    let pace = max(TripMeter.usualPace, 2 * max(previous.speed ?? 0, sight.speed ?? 0))
    let rest = way - pace * seconds
    guard rest >= TripMeter.leastCarried else { return 0 }
    wheel.noteCarried(Float(min(rest, 1e6)))
    return rest
  }

  /// A silence ends in which an inertial sensor has felt turns. A wheel knows better.
  @inline(never) private mutating func noteTurns(
    from previous: Sight, to sight: Sight, straightness: Float, seconds: Float
  ) {
    let elapsed = sight.time - previous.time
    guard elapsed > TripMeter.longestStep, elapsed <= TripMeter.longestUnseen, !wheel.isCounting,
      let first = previous.speed, let second = sight.speed
    else { return }
    let chord = Geodesic.fastDistance(from: previous.position, to: sight.position)
    let told = (first + second) / 2 * Double(seconds)
    let share = Double(min(max(straightness, 0), 1))
    let doubt = TripMeter.turnError * Elementary.squareRoot(1 - share * share) + 0.01 * share
    let (shape, speed) = (1 / (doubt * doubt), 1 / (TripMeter.toldError * TripMeter.toldError))
    let way = (shape * share * chord + speed * told) / (shape * share * share + speed)
    detour = Float(min(max(0, way - chord), 1e6))
  }

  /// The last step ends where it stands, however short it is.
  @inline(never) private mutating func come(toStandAt sight: Sight) {
    count(Geodesic.fastDistance(from: last ?? sight.position, to: sight.position), to: sight, isEnd: true)
    last = sight.position
    isFollowed = false
    trial.forget()
  }

  /// Counts a way by fixes, or what the wheel says instead.
  private mutating func count(
    _ way: Double, corners: Double = 0, silences: Double = 0, to sight: Sight, isEnd: Bool = false
  ) {
    let more = trial.settle(way: silences == 0 ? way : nil)
    if wheel.isThere {
      let step = WheelMeter.Step(
        way: way, corners: corners, speed: Float(min(sight.speed ?? 0, 1e6)), hasSilence: silences > 0, isEnd: isEnd)
      distance += wheel.follow(step, to: sight.time, accuracy: sight.accuracy.map { Float($0) })
      // What a wheel counts has no corners that were cut and no silences.
      if wheel.isCounting { return }
    } else if isStill {
      held += Float(way)
      self.silences += silences
      return
    } else {
      distance += way
    }
    self.corners += corners
    self.silences += silences
    disagreement += more ?? noise(of: corners)
  }

  /// It stands, though no fix has shown it.
  package mutating func stand() { wasTravelling = false }

  /// It is found elsewhere after it was off.
  ///
  /// - Parameter isCounted: The way there was part of a ride: it counts as that in a silence does.
  package mutating func arrive(at position: GeodeticPosition, isCounted: Bool) {
    if isCounted, let last {
      let way = Geodesic.fastDistance(from: last, to: position)
      distance += way
      silences += way * way
    }
    jump(to: position)
  }

  /// What goes far without being felt for minutes is carried. A road is felt within seconds.
  @inline(never) private mutating func judgeStill(_ stillFor: Interval) {
    guard isAfloat || stillFor >= TripMeter.stillOfCarried && held >= Float(TripMeter.leastCarried) else { return }
    isAfloat = true
    wheel.noteCarried(held)
    held = 0
  }

  /// The sensor of the wheel may have died, and what it turns while the vehicle stands may be nothing.
  @inline(never) private mutating func lookAtWheel(_ sight: Sight) {
    let reach = wasTravelling ? nil : last.map { Float(min(Geodesic.fastDistance(from: $0, to: sight.position), 1e6)) }
    let accuracy = sight.accuracy.map { Float($0) }
    distance += wheel.look(at: sight.time, reach: reach, accuracy: accuracy, isOpen: tip != nil)
  }

  /// Takes in how many pulses the sensor of the wheel has counted.
  package mutating func record(pulses: UInt32, at time: Instant) {
    distance += wheel.record(pulses: pulses, at: time, isTravelling: wasTravelling)
  }

  /// No fix is there to say whether the wheel may count: one that is known does.
  package mutating func trustWheel(at time: Instant) { wheel.trust(at: time) }

  /// Counts what the wheel has turned while no fix could have seen it travel.
  package mutating func countWheel() { distance += wheel.countPending() }

  /// Goes on where an earlier meter was; what this one was told of its wheel stays.
  package mutating func restore(
    distance: Double, last: GeodeticPosition?, corners: Double, silences: Double, disagreement: Float = 0,
    ends: Float = 0, wheel kept: WheelMeter.Kept?
  ) {
    var wheel = WheelMeter()
    wheel.begin(circumference: self.wheel.given)
    self = TripMeter(distance: distance, last: last, corners: corners, silences: silences)
    if let kept { wheel.restore(kept) }
    self.wheel = wheel
    self.disagreement = disagreement
    self.ends = ends
  }

  /// Begins with a wheel of this circumference, m; 0 for one that nobody has measured.
  package mutating func beginWheel(circumference: Float) { wheel.begin(circumference: circumference) }

  /// A ride begins.
  ///
  /// - Returns: What is counted now of earlier rides, m.
  package mutating func beginRide() -> Double {
    let found = wheel.beginRide()
    distance += found
    return found
  }

  /// What was followed is no way.
  @inline(never) mutating func forgetWay() {
    tip = nil
    detour = 0
    (openWay, openCorners, openSilences) = (0, 0, 0)
    step = PlaneStep()
  }

  /// How much longer the way is than its two last steps, because it turned between them, m.
  private func corner(to next: PlaneStep, _ length: Double) -> Double {
    let before = step.length
    guard before > 0 else { return 0 }
    let cosine = (step.east * next.east + step.north * next.north) / (before * length)
    return TripMeter.cornerShare * min(2 * (1 - cosine), 2) * min(before, length)
  }

  /// Compares the step between two fixes with what can be, and with what their speeds tell.
  ///
  /// - Returns: True when the step was a jump, and is done with.
  private mutating func passesJump(
    from: GeodeticPosition, _ previous: Sight, _ sight: Sight, isTravelling: Bool
  ) -> Bool {
    let elapsed = sight.time - previous.time
    let seconds = elapsed.secondsDouble
    let way = Geodesic.fastDistance(from: previous.position, to: sight.position)
    if way > TripMeter.farthestStep, way > TripMeter.fastest * seconds {
      wheel.spoil()
      jump(to: sight.position)
      return true
    }
    guard elapsed <= TripMeter.longestStep else {
      step = PlaneStep()
      isAfterSilence = true
      trial.forget()
      return false
    }
    guard seconds > 0, let first = previous.speed, let second = sight.speed, first >= 0, second >= 0 else {
      if isTravelling { wheel.note(told: nil) }
      trial.forget()
      return false
    }
    let told = (first + second) / 2 * seconds
    if isTravelling {
      wheel.note(told: told)
      if trial.isRight, way > TripMeter.jump + 3 * max(first, second) * seconds {
        trial.forget()
        count(Double(openWay) + Geodesic.fastDistance(from: from, to: previous.position) + told, to: sight)
        wheel.spoil()
        jump(to: sight.position)
        return true
      }
    } else if max(first, second) < TripMeter.standingSpeed {
      // Else it may be setting off.
      return false
    }
    trial.add(told: told)
    return false
  }

  private mutating func jump(to position: GeodeticPosition) {
    last = position
    forgetWay()
  }

  /// True when speeds have shown another way than positions.
  public var isToldWrong: Bool { trial.isWrong }
}
