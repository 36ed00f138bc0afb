import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// What an owner must hear of a scene, whatever happens to the power.
private struct News {
  var alerts: [MovementDetector] = []
  var rides: [PacketRide] = []
  /// Metres north of 52° north.
  var parkings: [Double] = []
  var answers: [StatusReason] = []
  var positions = 0

  init(_ packets: some Sequence<Packet>) {
    for packet in packets {
      switch packet.kind {
      // That it is told again depends on when nobody answered.
      case .movement: if let alert = packet.alert, alert.repetition == 0 { alerts.append(alert.evidence.detector) }
      case .ride: if let ride = packet.ride { rides.append(ride) }
      case .parking: parkings.append(packet.position.map { (Double($0.latitudeE7) / 1e7 - 52) * 111_267 } ?? -1)
      case .status: if let status = packet.status { answers.append(status.reason) }
      case .location: positions += 1
      case .fence, .transition: break
      }
    }
  }
}

/// All that a loss of power may change. Nothing else may, and each of these does somewhere.
private enum Exception {
  /// An alarm is not kept as one: it is raised anew by what moves, or by where and how the vehicle is now, once.
  case alarmAnew
  /// An alarm that nothing shows any more, a touch that is over, is over; the vehicle is parked where it was, and that is not told
  /// again.
  case alarmOver
  /// What was felt before is not kept: when power goes amid three seconds of handling, what is left of it may be too short.
  case touchForgotten
  /// Until the vertical is known again, a moment after a start, what lays the vehicle down is felt as handling; the alarm grows.
  case tiltFeltFirst
  /// A ride that an alarm turns out to be counts from the alarm that was raised anew.
  case rideFromTheNewAlarm
  /// The state is kept each hundred metres and with each packet: of a ride that is never seen again the last metres are missing,
  /// and where it is next seen it has moved.
  case lastMetresUnseen
  /// For how long to report often is not kept: nobody knows how long the power was away.
  case liveTracking
}

/// Each scene, with the power lost once at each of its seconds and given back at once: the owner hears the same. Where the vehicle only
/// stands, with no packet or event near, every thirtieth second stands for the others.
@Suite struct SceneCutTests {
  @Test(arguments: NamedScene.all)
  func aSceneThatLosesPowerIsToldAsIfItHadNot(scene: NamedScene) {
    var uncut = scene.parked(hertz: 25)
    uncut.forget()
    uncut.noteMoments()
    scene.run(&uncut)
    let moments = uncut.moments ?? []
    #expect(moments.count > 5)
    // Whatever waits for a rest gets one, which begins anew when power comes back.
    uncut.stand(seconds: 320, every: 4)
    let start = moments[0].clock
    let told = uncut.allEvents.map(\.time) + uncut.allPackets.filter { $0.kind != .location }.map(\.time)
    var found: Set<Exception> = []
    for second in moments.indices {
      let seconds = told.map { Int(($0 - start).secondsDouble.rounded()) - second }
      guard second <= 8 || second % 30 == 0 || seconds.contains(where: { (-2...2).contains($0) }) else { continue }
      let isUnseen = scene.name == "a ride into a garage" && (60..<70).contains(second)
      // What was last seen is not where it is: that is the exception.
      var life = scene.owner(hertz: 25, isWatched: !isUnseen)
      life.losePower(at: second, of: moments)
      scene.run(&life)
      life.stand(seconds: 320, every: 4)
      found.formUnion(
        exceptions(
          scene, moments, second, heard: News(life.allPackets),
          rest: News(uncut.allPackets[moments[second].packets...]), isUnseen: isUnseen))
      let phase = life.tracker.monitor.phase
      #expect(phase == .parked || (isUnseen && phase == .stolen), "\(scene.name), \(second) s")
      #expect(life.tracker.monitor.isArmed == true)
      #expect(life.tracker.outbox.count == 0, "\(scene.name), \(second) s")
    }
    #expect(found == listed(scene.name), "no more and no less than is listed")
  }

  /// What may be otherwise in a scene.
  private func listed(_ scene: String) -> Set<Exception> {
    switch scene {
    case "an alarm that becomes a ride": [.alarmAnew, .rideFromTheNewAlarm]
    case "a bike that is carried off a little": [.alarmAnew]
    case "a bike that is laid down": [.alarmAnew, .alarmOver]
    case "a bike that is pushed a step", "handling", "a dismissed alarm": [.alarmOver, .touchForgotten]
    case "live tracking": [.liveTracking]
    case "a ride into a garage": [.lastMetresUnseen]
    default: []
    }
  }

  /// Compares, and says what was otherwise for a reason.
  private func exceptions(
    _ scene: NamedScene, _ moments: [Owner.Moment], _ second: Int, heard: News, rest: News, isUnseen: Bool
  ) -> Set<Exception> {
    var found: Set<Exception> = []
    let moment = moments[second]
    let name = "\(scene.name), \(moment.phase) at \(second) s: \(heard) for \(rest)"
    let isAlarmed = moment.phase == .alarmed || moment.phase == .stolen
    let metres = (moment.north - moments[0].north).magnitude
    switch heard.alerts.count - rest.alerts.count {
    case 0:
      if moment.phase == .alarmed {
        found.insert(.alarmOver)
        // What was told and has been still since is watched as it lies.
        #expect(metres < 30 && (!scene.detectors.contains(.tilt) || second > 12), "moved and silent: \(name)")
      }
    case 1 where isAlarmed: found.insert(.alarmAnew)
    case 1 where isUnseen: found.insert(.lastMetresUnseen)
    case 1 where scene.detectors == [.tilt] && rest.alerts == [.tilt] && heard.alerts.last == .tilt:
      found.insert(.tiltFeltFirst)
    case -1 where scene.detectors == [.handling] && second > 0 && second < 3: found.insert(.touchForgotten)
    default: Issue.record("\(name)")
    }
    if heard.answers != rest.answers {
      #expect(found == [.touchForgotten] && rest.answers == [.dismissed] && heard.answers == [.unknownAlert], "\(name)")
    }
    let isParkingUntold =
      heard.parkings.isEmpty && rest.parkings.count == 1
      && (found == [.touchForgotten] || found == [.alarmOver])
    // The one that follows an alarm which the last metres of a ride have raised.
    let parkings = isUnseen ? heard.parkings.prefix(rest.parkings.count) : heard.parkings[...]
    #expect(parkings.count == rest.parkings.count || isParkingUntold, "\(name)")
    for (one, other) in zip(parkings, rest.parkings) {
      if isUnseen, other - one > 1.1 { found.insert(.lastMetresUnseen) }
      #expect((one - other).magnitude < (isUnseen ? 100 : 1.1), "parked at \(one), not \(other): \(name)")
    }
    // A ride into the sight of the receiver, by what it seems to have moved.
    let rides = isUnseen ? heard.rides.prefix(rest.rides.count) : heard.rides[...]
    #expect(rides.count == rest.rides.count, "\(name)")
    for (one, other) in zip(rides, rest.rides) {
      let lost = Double(other.distanceMetres) - Double(one.distanceMetres)
      let unkept = (moment.clock - moment.keptAt).secondsDouble + 2
      let seconds = ((other.end - other.start) - (one.end - one.start)).secondsDouble
      if isAlarmed {
        found.insert(.rideFromTheNewAlarm)
        #expect(lost >= -3 && lost <= metres + 3 && seconds >= -2 && seconds <= Double(second) + 2, "\(name)")
      } else if isUnseen {
        #expect(lost >= 0 && lost < 100 && seconds >= 0 && seconds <= unkept, "\(name)")
      } else {
        // From where it was last known the straight line is added. What was not kept of its time is lost.
        #expect(lost.magnitude <= 3 && seconds >= -2 && seconds <= unkept, "\(name)")
      }
    }
    // The first fix after a start is reported; an alarm reports as it goes on, and anew when it begins anew.
    let more = heard.positions - rest.positions
    switch more {
    case 0...1: break
    case ..<0 where scene.name == "live tracking": found.insert(.liveTracking)
    case ..<0 where !found.isDisjoint(with: [.alarmOver, .touchForgotten]): break
    case 2...7 where !found.isDisjoint(with: [.alarmAnew, .lastMetresUnseen]): break
    default: Issue.record("\(more) positions more: \(name)")
    }
    return found
  }
}
