import Positioning
import Quantities
import Rules

/// A guard whose fences are told in metres about a middle, and fixes as the test has them.
final class Garden {
  var guardian = FenceGuard<4, 8>()
  private(set) var now = Instant.zero
  private(set) var events: [FenceEvent] = []
  var accuracy: Double? = 4.5
  var speed: Double? = 0
  var course: Double?
  var stillSince: Instant?
  /// 3 m per axis, unless a test says otherwise.
  var scatter: LearntScatter? = LearntScatter(deviation: 3, usualAccuracy: 4.5, isLearnt: true)
  private let plane: LocalTangentPlane
  let middle: GeodeticPosition

  init() throws {
    guard let middle = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 13) else { throw NoPlace() }
    self.middle = middle
    plane = LocalTangentPlane(origin: middle)
  }

  struct NoPlace: Error {}

  func place(_ east: Double, _ north: Double = 0) -> GeodeticPosition {
    plane.position(at: LocalOffset(east: east, north: north, up: 0))?.position ?? middle
  }

  @discardableResult func circle(_ number: Int = 1, name: String = "home", east: Double = 0, radius: Double = 50)
    -> FenceError?
  {
    guardian.begin(number, name: Array(name.utf8).span, .circle, width: radius)
    let middle = place(east)
    guardian.append(latitudeE9: middle.latitudeE9, longitudeE9: middle.longitudeE9)
    return finish()
  }

  @discardableResult func polygon(_ number: Int = 1, name: String = "home", _ corners: [(Double, Double)])
    -> FenceError?
  {
    guardian.begin(number, name: Array(name.utf8).span, .polygon)
    for corner in corners {
      let position = place(corner.0, corner.1)
      guardian.append(latitudeE9: position.latitudeE9, longitudeE9: position.longitudeE9)
    }
    return finish()
  }

  private func finish() -> FenceError? {
    let error = guardian.finish(at: now)
    fetch()
    return error
  }

  @discardableResult func activate(_ numbers: UInt8...) -> FenceError? {
    let error = guardian.activate(numbers.span, at: now)
    fetch()
    return error
  }

  @discardableResult func delete(_ number: UInt8) -> FenceError? {
    let error = guardian.delete(number, at: now)
    fetch()
    return error
  }

  @discardableResult func found() -> Bool {
    let isFound = guardian.found(at: now)
    fetch()
    return isFound
  }

  /// A fix after some seconds.
  func fix(_ east: Double, _ north: Double = 0, after seconds: Int = 1) {
    let then = now + .seconds(seconds)
    while let due = guardian.nextDeadline, due <= then {
      guardian.advance(to: due)
      fetch()
    }
    now = then
    var fix = GNSSFix(time: now)
    fix.mode = .threeDimensional
    fix.position = place(east, north)
    fix.horizontalAccuracy = accuracy
    fix.speed = speed
    fix.course = course
    guardian.process(fix, scatter: scatter, stillSince: stillSince)
    fetch()
  }

  /// Fixes at a place.
  func stay(_ east: Double, seconds: Int, every: Int = 1) {
    for _ in 0..<seconds / every { fix(east, after: every) }
  }

  /// Walks east, one fix a second.
  func walk(from: Double, to: Double, speed walking: Double = 2) {
    let before = speed
    speed = walking
    var east = from
    let step = from < to ? walking : -walking
    while (step > 0 && east < to) || (step < 0 && east > to) {
      east += step
      fix(east)
    }
    speed = before
  }

  func fetch() { while let event = guardian.nextEvent() { events.append(event) } }

  var alerts: [FenceEvent] {
    events.filter { if case .alert = $0.kind { return true } else { return false } }
  }
  var ends: [FenceAlarmEnd] {
    events.compactMap { if case .ended(let end) = $0.kind { return end } else { return nil } }
  }
  var state: FenceAlarmState { guardian.alarm.state }
  var fences: Int { guardian.fences.count }
}
