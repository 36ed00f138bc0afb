import MotionDetection
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// Something that happens to a parked bike, after which it stands parked again.
struct NamedScene: CustomTestStringConvertible, Sendable {
  let name: String
  /// Kinds of packets beside positions, in the order in which they must come.
  let packets: [PacketKind]
  /// Detectors of its alerts.
  var detectors: [MovementDetector] = []
  /// The names of events that must come, in their order.
  let events: [String]
  /// A sensor runs beside the receiver.
  var hasSensor = false
  let run: @Sendable (inout Owner) -> Void

  var testDescription: String { name }

  static let all: [NamedScene] = [
    NamedScene(
      name: "an alarm that becomes a ride", packets: [.movement, .status, .ride, .parking], detectors: [.speed],
      events: ["movement", "stolen", "rideStarted", "dismissed", "standing", "parked", "armed"]
    ) {
      $0.ride(seconds: 60)
      $0.submit(.dismiss(alert: $0.tracker.lastAlert))
      $0.ride(seconds: 140)
      $0.stand(seconds: 310)
    },
    NamedScene(
      name: "a bike that is carried off a little", packets: [.movement, .status, .parking], detectors: [.speed],
      events: ["movement", "stolen", "dismissed", "parked", "armed"]
    ) {
      $0.ride(seconds: 20)
      $0.stand(seconds: 70)
      $0.submit(.dismiss(alert: $0.tracker.lastAlert))
      $0.stand(seconds: 310)
    },
    NamedScene(
      name: "a bike that is elsewhere", packets: [.movement, .status, .parking], detectors: [.displacement],
      events: ["movement", "stolen", "dismissed", "parked", "armed"]
    ) {
      $0.north += 300
      $0.stand(seconds: 75)
      $0.submit(.dismiss(alert: $0.tracker.lastAlert))
      $0.stand(seconds: 310)
    },
    NamedScene(
      name: "a bike that is pushed a step", packets: [.movement], detectors: [.handling],
      events: ["suspicious", "movement", "quiet"], hasSensor: true
    ) {
      $0.handle()
      $0.north += $0.north > 3 ? -6 : 6
      $0.rest(seconds: 66)
    },
    NamedScene(
      name: "handling", packets: [.movement], detectors: [.handling], events: ["suspicious", "movement", "quiet"],
      hasSensor: true
    ) {
      $0.handle()
      $0.rest(seconds: 66)
    },
    NamedScene(
      name: "a bike that is laid down", packets: [.movement, .status, .status], detectors: [.tilt],
      events: ["suspicious", "movement", "quiet", "disarmed", "armed"], hasSensor: true
    ) {
      $0.move(seconds: 2, rate: Vector3(0.4, 0, 0))
      $0.rest(seconds: 70)
      // Parked again, it is watched as it lies; it is put up while alerts are off, so that both times are alike.
      $0.submit(.setAlerts(enabled: false))
      $0.sensor.earthFromBody = .identity
      $0.rest(seconds: 20)
      $0.submit(.setAlerts(enabled: true))
    },
    NamedScene(
      name: "a dismissed alarm", packets: [.movement, .status, .parking], detectors: [.handling],
      events: ["suspicious", "movement", "dismissed", "parked", "armed"], hasSensor: true
    ) {
      $0.handle()
      $0.submit(.dismiss(alert: $0.tracker.lastAlert))
      $0.rest(seconds: 310)
    },
    NamedScene(name: "a bump", packets: [], events: ["suspicious", "calmed"], hasSensor: true) {
      $0.bump()
      $0.rest(seconds: 20)
    },
    NamedScene(name: "no reception", packets: [], events: ["fixLost", "fixAcquired"]) {
      for _ in 0..<100 {
        $0.wait(until: $0.clock + .seconds(1))
        $0.noFix()
      }
      $0.stand(seconds: 10)
    },
    NamedScene(name: "short outages", packets: [], events: []) {
      for _ in 0..<3 {
        for _ in 0..<25 {
          $0.wait(until: $0.clock + .seconds(1))
          $0.noFix()
        }
        $0.stand(seconds: 2)
      }
    },
    NamedScene(name: "live tracking", packets: [], events: ["liveTracking"]) {
      $0.submit(.track(interval: .seconds(2), duration: .seconds(20)))
      $0.stand(seconds: 60)
    },
    NamedScene(
      name: "a ride with alerts off", packets: [.status, .ride, .parking, .status],
      events: ["disarmed", "rideStarted", "standing", "resumed", "standing", "parked", "armed"]
    ) {
      $0.submit(.setAlerts(enabled: false))
      $0.ride(seconds: 60)
      $0.stand(seconds: 40)
      $0.ride(seconds: 40, speed: 8, course: 0)
      $0.stand(seconds: 310)
      $0.submit(.setAlerts(enabled: true))
    },
    NamedScene(
      name: "a tunnel", packets: [.status, .ride, .parking, .status],
      events: ["disarmed", "rideStarted", "standing", "travelledUnseen", "standing", "parked", "armed"]
    ) {
      $0.submit(.setAlerts(enabled: false))
      $0.ride(seconds: 60)
      $0.rideUnseen(seconds: 60, isTold: false)
      $0.ride(seconds: 60)
      $0.stand(seconds: 310)
      $0.submit(.setAlerts(enabled: true))
    },
    NamedScene(
      name: "a ride into a garage", packets: [.status, .ride, .parking, .status],
      events: ["disarmed", "rideStarted", "standing", "fixLost", "parked", "armed", "fixAcquired"]
    ) {
      $0.submit(.setAlerts(enabled: false))
      $0.ride(seconds: 60)
      for _ in 0..<620 {
        $0.wait(until: $0.clock + .seconds(1))
        $0.noFix()
      }
      $0.submit(.setAlerts(enabled: true))
      $0.stand(seconds: 5)
    },
    NamedScene(
      name: "answers", packets: [.status, .status, .status], events: []
    ) {
      $0.submit(.locate)
      $0.submit(.dismiss(alert: 0))
      $0.submit(.dismiss(alert: $0.tracker.lastAlert + 1))
      $0.submit(.setAlerts(enabled: true))
      $0.submit(.locate)
      $0.stand(seconds: 5)
    },
    NamedScene(name: "late fixes", packets: [], events: []) {
      let place = $0.place()
      for age in [1, 59, 61, 3600] {
        $0.wait(until: $0.clock + .seconds(70))
        var late = GNSSFix(time: $0.clock - .seconds(age))
        (late.mode, late.position, late.horizontalAccuracy) = (.threeDimensional, place, 5)
        $0.process(late)
        $0.submit(.locate)
      }
      $0.stand(seconds: 5)
    },
  ]

  /// A tracker of its own, which has seen nothing.
  func owner(hertz: Int = 50, isWatched: Bool = true) -> Owner {
    // No life sign falls into one run and not into the other.
    Owner(hertz: hertz, isWatched: isWatched) { $0.reports.parkedInterval = .seconds(86_400) }
  }

  /// A tracker that stands parked and armed, with nothing new to say.
  func parked(hertz: Int = 50) -> Owner {
    var owner = owner(hertz: hertz)
    if hasSensor { owner.rest(seconds: 320) } else { owner.stand(seconds: 320) }
    _ = owner.news()
    return owner
  }
}

extension Owner {
  /// Stands still with sensor and receiver.
  mutating func rest(seconds: Int) {
    for _ in 0..<seconds {
      move(seconds: 1)
      fix(speed: 0)
    }
  }
}

/// A packet without what differs when the same happens again: numbers, times and places become differences.
struct Again: Equatable, CustomStringConvertible {
  var kind: PacketKind
  var seconds: Double
  var age: Double
  var isStale: Bool
  var phase: MotionPhase
  var isArmed: Bool
  var metres: Double
  var north: Double?
  var detector: MovementDetector?
  var alert: UInt32?
  var ride: [Double]
  var reason: StatusReason?

  init(_ packet: Packet, start: Instant, meter: Double, north: Double, alerts: UInt32) {
    kind = packet.kind
    seconds = (packet.time - start).secondsDouble
    age = packet.fixAge.secondsDouble
    isStale = packet.isStale
    phase = packet.phase
    isArmed = packet.isArmed
    metres = Double(packet.distanceMetres) - meter
    self.north = packet.position.map { (Double($0.latitudeE7) / 1e7 - 52) * 111_267 - north }
    detector = packet.alert?.evidence.detector
    alert = packet.alert.map { $0.id - alerts }
    ride =
      packet.ride.map {
        [($0.start - start).secondsDouble, ($0.end - start).secondsDouble, Double($0.distanceMetres)]
      } ?? []
    reason = packet.status?.reason
  }

  var description: String {
    "\(kind) \(seconds) s age \(age) \(isStale) \(phase) \(isArmed) \(metres) m north \(north ?? -1) \(ride) \(alert ?? 0)"
  }

  /// The same but for rounding, and a window of a sensor.
  func isLike(_ other: Again) -> Bool {
    func near(_ a: Double, _ b: Double, _ bound: Double) -> Bool { (a - b).magnitude <= bound }
    return kind == other.kind && near(seconds, other.seconds, 0.61) && near(age, other.age, 0.61)
      && isStale == other.isStale && phase == other.phase && isArmed == other.isArmed
      && near(metres, other.metres, 1.01)
      && near((north ?? -1e9).magnitude, (other.north ?? -1e9).magnitude, 1.01) && detector == other.detector
      && alert == other.alert
      && ride.count == other.ride.count && zip(ride, other.ride).allSatisfy { near($0, $1, 1.01) }
      && reason == other.reason
  }
}
