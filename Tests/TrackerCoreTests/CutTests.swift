import MotionDetection
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// A story of one-second steps, told by fixes alone: parked, carried off, ridden, parked, dismissed, answered, parked.
private struct Story {
  var steps: [@Sendable (inout Owner) -> Void] = []

  init() {
    let still: @Sendable (inout Owner) -> Void = { $0.stand(seconds: 1) }
    let ride: @Sendable (inout Owner) -> Void = { $0.ride(seconds: 1) }
    steps += Array(repeating: still, count: 44)
    // Carried off, and watched where it is then.
    steps += Array(repeating: ride, count: 8) + Array(repeating: still, count: 50)
    // The owner switches alerts off, rides, and parks.
    steps.append { $0.submit(.setAlerts(enabled: false)) }
    steps += Array(repeating: ride, count: 30) + Array(repeating: still, count: 8)
    steps += Array(repeating: ride, count: 20) + Array(repeating: still, count: 44)
    steps.append { $0.submit(.setAlerts(enabled: true)) }
    // An alarm that the owner says is theirs.
    steps += Array(repeating: ride, count: 8)
    steps.append { $0.submit(.dismiss(alert: $0.tracker.lastAlert)) }
    steps += Array(repeating: still, count: 44)
  }

  static func owner() -> Owner {
    Owner {
      $0.motion.armAfter = .seconds(20)
      $0.motion.quietAfter = .seconds(20)
      $0.reports.parkedInterval = .seconds(86_400)
    }
  }
}

/// What the owner must hear, whatever happens to the power.
private struct Heard: Equatable {
  var parkings: [Double] = []
  var rides: [PacketRide] = []
  var alerts = 0
  var answers: [StatusReason] = []

  init(_ packets: some Sequence<Packet>) {
    for packet in packets {
      switch packet.kind {
      case .parking: parkings.append(packet.position.map { (Double($0.latitudeE7) / 1e7 - 52) * 111_267 } ?? -1)
      case .ride: if let ride = packet.ride { rides.append(ride) }
      case .movement: alerts += 1
      case .status: if let status = packet.status { answers.append(status.reason) }
      case .location, .fence, .transition: break
      }
    }
  }
}

/// The tracker loses power after each second of the story in turn and goes on from what it had kept; the rest of the story is told as if
/// nothing had happened, but for what is listed.
@Test func aPowerCutAtAnySecondLosesNothingThatWasPromised() {
  let story = Story()
  var uncut = Story.owner()
  var marks:
    [(kept: [UInt8], reference: ReferenceTracker?, north: Double, heard: Int, phase: MotionPhase, now: Instant)] = []
  for step in story.steps {
    marks.append(
      (
        uncut.kept, uncut.keptReference, uncut.north, uncut.allPackets.count, uncut.tracker.monitor.phase,
        uncut.tracker.now
      ))
    step(&uncut)
  }
  let all = uncut.allPackets
  let whole = Heard(all)
  #expect(whole.alerts == 2 && whole.rides.count == 1 && whole.parkings.count == 3, "\(whole)")
  #expect(whole.answers == [.alertsOff, .alertsOn, .dismissed])
  for (second, mark) in marks.enumerated() where second > 0 {
    var owner = Story.owner()
    owner.north = mark.north
    owner.restart(from: mark.kept, mark.reference)
    let restored = owner.tracker.monitor.phase
    for step in story.steps[second...] { step(&owner) }
    let rest = Heard(all[mark.heard...])
    let heard = Heard(owner.allPackets)
    let name = "cut after \(second) s, \(mark.phase)"
    #expect(heard.answers.count == rest.answers.count, "\(name)")
    #expect(
      restored
        == ([.parked, .suspicious, .alarmed].contains(mark.phase)
          ? .parked : mark.phase == .stolen ? .stolen : .settling))
    // An alarm that was going on is raised anew by what moves, or by where it is now: once more at most.
    let more = heard.alerts - rest.alerts
    #expect(
      more == 0 || (more == 1 && (mark.phase == .alarmed || mark.phase == .stolen)),
      "\(name): \(heard.alerts) alerts for \(rest.alerts)")
    if mark.phase == .alarmed, mark.north > 60, second < 60 { #expect(more == 1, "\(name): carried off and silent") }
    // Parked is told wherever it was told; the place to the metre.
    // An answer to an alarm that the new life has not raised yet says nothing: what it finds then is a theft.
    let isAnsweredEarly = mark.phase == .alarmed && second > 200 && heard.parkings.isEmpty
    #expect(
      heard.parkings.count == rest.parkings.count || isAnsweredEarly,
      "\(name): \(heard.parkings) for \(rest.parkings)")
    for (one, other) in zip(heard.parkings, rest.parkings) {
      #expect((one - other).magnitude < 1.1, "\(name): parked at \(one), not \(other)")
    }
    // A ride is told whole: since the state was last kept it may have begun (a new ride), gone on, or ended.
    // Dismissed before it was quiet, the way from where it was parked counts as the owner's.
    let isOwners = mark.phase == .alarmed && second > 200 && heard.rides.last?.distanceMetres ?? 0 <= 40
    #expect(
      heard.rides.count == rest.rides.count || (isOwners && heard.rides.count == rest.rides.count + 1),
      "\(name): \(heard.rides) for \(rest.rides)")
    for (one, other) in zip(heard.rides, rest.rides) {
      let isWhole = mark.phase == .riding || (mark.phase == .settling && second > 92)
      let lost = isWhole ? 3.0 : 0.0
      // From where the ride was last known, the straight line is added.
      let metres = Double(one.distanceMetres) - Double(other.distanceMetres)
      #expect(metres.magnitude <= 20 + lost, "\(name): \(one.distanceMetres) m for \(other.distanceMetres) m")
      // The time without power counts neither as riding nor as rest; what was not yet kept is lost.
      let seconds = ((one.end - one.start) - (other.end - other.start)).secondsDouble
      #expect(seconds.magnitude <= 22, "\(name): a ride of \(one.end - one.start) for \(other.end - other.start)")
    }
  }
}

@Test func everySecondsStateReadsBackToItself() {
  let story = Story()
  var owner = Story.owner()
  owner.acknowledges = false
  for step in story.steps {
    step(&owner)
    var now = GrowingBytes()
    owner.tracker.encodeState(into: &now)
    for place in 0..<owner.tracker.outbox.count { owner.tracker.encodePacket(at: place, into: &now) }
    var tracker = Tracker(configuration: owner.tracker.configuration)
    let isRestored = tracker.restore(now.bytes.span, at: owner.tracker.now)
    #expect(isRestored)
    var again = GrowingBytes()
    tracker.encodeState(into: &again)
    for place in 0..<tracker.outbox.count { tracker.encodePacket(at: place, into: &again) }
    let first = KeptFields(now.bytes)
    let second = KeptFields(again.bytes)
    #expect(first?.packets == second?.packets)
    #expect(first?.asRestored == second, "\(String(describing: first)) became \(String(describing: second))")
  }
}
