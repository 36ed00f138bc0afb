import ASCIIText
import CellularDelivery
import Delivery
import InlineStorage
import MotionDetection
import PacketForms
import Quantities
import Requests
import SIM7000
import Telemetry
import TrackerCore

// Packets on their ways: a tracker's alert goes to two receivers, to one of them by text message through the modem's driver.

extension CoreRun {
  /// Calls what brings packets to receivers, and requests to the tracker.
  mutating func delivery() {
    waits()
    requests()
    alertToTwoReceivers()
  }

  private mutating func waits() {
    var backOff = BackOff(seed: UInt64(opaque(5)))
    for _ in 0..<8 { note(backOff.next(after: .passing).microseconds) }
    note(backOff.next(after: .refusal).microseconds)
    backOff.reset()
    let first = backOff.next(after: .passing)
    expect(first >= .seconds(1) && first < .milliseconds(1250))
  }

  @inline(never) private mutating func requests() {
    var door = RequestDoor()
    sizes[.requestDoor] = UInt32(MemoryLayout<RequestDoor>.size)
    var digits = InlineBytes<64>()
    for place in 0..<64 { digits.append(0x30 + opaque(UInt8(place % 10))) }
    door.key = RequestKey(hexadecimal: digits.span)
    door[.way(0)] = RequestKindSet(.locate)
    var device = Tracker()
    expect(ask("#17 locate", .way(0), door, &device))
    expect(!ask("alerts off", .way(0), door, &device))
    expect(!ask("alerts off !1764000000000:0f1e2d3c4b5a69788796a5b4c3d2e1f0", .way(1), door, &device))
    var text = InlineBytes<40>("#18 alerts off")
    text.append(opaque(0x20))
    let signed = door.key?.signed(text.span, for: TrackerConfiguration().trackerID.span, counter: 1_764_000_000_000)
    expect(ask(signed ?? InlineBytes<416>(), .way(1), door, &device))
    expect(!device.monitor.alertsEnabled && device.requestsRefused(.forged) == 1)
    ownership(&door)
  }

  /// Claimed, asked by its owner, and given away.
  @inline(never) private mutating func ownership(_ door: inout RequestDoor) {
    door.claimSecret = door.key
    door.key = nil
    let id = TrackerConfiguration().trackerID
    var device = Tracker()
    var text = InlineBytes<40>("claim")
    let claim = door.claimSecret?.signed(text.span, for: id.span, counter: 1_764_000_000_000)
    expect(ask(claim ?? InlineBytes<416>(), .way(1), door, &device))
    expect(device.isClaimed)
    let key = door.claimSecret?.ownersKey(claim: 1_764_000_000_000, for: id.span)
    note(Int64(key?.hexadecimal.count ?? 0))
    text = InlineBytes<40>("enabled off")
    text.append(opaque(0x20))
    let request = key?.signed(text.span, for: id.span, counter: 1_764_000_000_001)
    expect(ask(request ?? InlineBytes<416>(), .way(1), door, &device))
    expect(device.isDisabled)
    expect(ask("unclaim", .console, door, &device))
    expect(!device.isDisabled && !device.isClaimed)
  }

  private mutating func ask(
    _ text: StaticString, _ origin: RequestOrigin, _ door: RequestDoor, _ device: inout Tracker
  ) -> Bool {
    var bytes = InlineBytes<416>()
    for place in 0..<text.utf8CodeUnitCount { bytes.append(opaque(text.utf8Start[place])) }
    return ask(bytes, origin, door, &device)
  }

  @inline(never) private mutating func ask(
    _ text: InlineBytes<416>, _ origin: RequestOrigin, _ door: RequestDoor, _ device: inout Tracker
  ) -> Bool {
    let verdict = through(.trackerJudge) { device.judge(text.span, from: origin, by: door, at: .seconds(1)) }
    through(.trackerVerdict) { device.take(verdict, at: .seconds(1)) }
    while device.nextAction() != nil {}
    return verdict.isAdmitted
  }

  /// Parked until it is armed, then tilted. The first receiver's port hands its packets back at first; the modem of the second is
  /// busy with a report that the network does not take when the alert comes.
  @inline(never) private mutating func alertToTwoReceivers() {
    var configuration = TrackerConfiguration()
    configuration.motion.armAfter = .seconds(10 + Int(opaque(0)))
    configuration.outbox.receivers.append(.all)
    var modem = ModemConfiguration()
    modem.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber()
    var scene = DeliveryScene(configuration, modem, into: &self)
    var step = 0
    while step < 1500 {
      // Within a second: what tilts from one sample to the next is no body but a sensor in trouble.
      let tilt = Float(min(max(step - 1200, 0), 100)) * 0.002
      let turning: Float = step >= 1200 && step < 1300 ? -0.2 : 0
      let noise = Float(Int(opaque(UInt8(truncatingIfNeeded: step &* 37))) - 128) * 0.00005
      scene.tracker.process(
        InertialSample(
          time: .milliseconds(10 * step), angularRate: Vector3(0.02 + noise, turning - noise, noise),
          specificForce: Vector3(9.81 * tilt, noise, 9.8)))
      scene.settle(at: .milliseconds(10 * step), into: &self)
      if step == 1199 {
        scene.tracker.submit(.locate, at: .milliseconds(10 * step))
        scene.settle(at: .milliseconds(10 * step), into: &self)
      }
      scene.pass(to: .milliseconds(10 * step), into: &self)
      step += 1
    }
    while step < 1700 {
      scene.pass(to: .seconds(step - 1485), into: &self)
      step += 1
    }
    // Nobody answers for three minutes.
    expect(scene.alerts.0 == 4 && scene.alerts.1 == 4)
    expect(scene.hasMadeRoom)
    expect(scene.tracker.outbox.count == 0 && scene.dispatcher.count == 0)
    scene.dropReport(at: .seconds(220), into: &self)
    let counts = scene.dispatcher.counts
    note(counts.retries)
    note(counts.fallbacks)
    expect(counts.retries > 0 && counts.unexpected == 0 && counts.refused == 0)
  }
}

/// A tracker, the ways of its packets, and the modem that is one of them.
struct DeliveryScene: ~Copyable {
  var tracker: Tracker
  var dispatcher: Dispatcher
  var world: ModemWorld
  /// Alerts that each receiver has.
  var alerts = (0, 0)
  /// The modem gave a report back for an alert.
  var hasMadeRoom = false
  /// How often the first receiver's port still hands a packet back.
  private var refusals = 2

  private static var direct: Int { 0 }
  private static var modem: Int { 1 }

  init(_ configuration: TrackerConfiguration, _ modem: ModemConfiguration, into run: inout CoreRun) {
    run.sizes[.dispatcher] = UInt32(MemoryLayout<Dispatcher>.size)
    tracker = Tracker(configuration: configuration)
    dispatcher = run.through(.dispatcherInit) { Dispatcher(parameters: configuration.outbox, seed: 23) }
    world = ModemWorld(modem, seed: 29, into: &run)
    world.payload = "leash: "
    world.plan(.says("\r\n+CMS ERROR: 38\r\n"), of: "AT+CMGS", times: 3)
    dispatcher.add(DeliveryWay(receiver: 0, port: 0, capacity: 4))
    dispatcher.add(DeliveryWay(receiver: 1, port: 1, format: .text))
  }

  /// Lets time pass for all three, and does what they ask for.
  mutating func pass(to time: Instant, into run: inout CoreRun) {
    tracker.advance(to: time)
    settle(at: time, into: &run)
    while true {
      world.outcome = nil
      world.run(for: time - world.now, into: &run)
      hear(into: &run)
      if world.now >= time { break }
    }
    run.through(.dispatcherAdvance) { dispatcher.advance(to: time) }
    settle(at: time, into: &run)
  }

  /// A report that its owner gives up while the modem has it.
  mutating func dropReport(at time: Instant, into run: inout CoreRun) {
    tracker.submit(.locate, at: time)
    settle(at: time, into: &run)
    pass(to: time, into: &run)
    guard let sequence = world.way.current else { return run.expect(false) }
    // It lets another go first, and has its turn again.
    if world.way.yield(on: &world.modem, at: time) {
      dispatcher.madeRoom(sequence, by: Int(world.way.currentWay), at: time)
      settle(at: time, into: &run)
    }
    dispatcher.drop(sequence)
    settle(at: time, into: &run)
    run.expect(world.way.current == nil && world.modem.isFree && dispatcher.count == 0)
  }

  /// What the modem's way tells.
  private mutating func hear(into run: inout CoreRun) {
    let now = world.now
    world.way.advance(to: now)
    let state = world.way.state(of: world.modem)
    run.through(.dispatcherNews) { dispatcher.setState(state, of: DeliveryScene.modem, at: now) }
    switch world.wayOutcome {
    case .delivered(let sequence, _):
      run.through(.dispatcherNews) { dispatcher.delivered(sequence, on: DeliveryScene.modem, at: now) }
    case .undelivered(let sequence, _, reason: _):
      run.through(.dispatcherNews) { dispatcher.handedBack(sequence, by: DeliveryScene.modem, at: now) }
    case nil: break
    }
    world.wayOutcome = nil
  }

  /// Does all that is asked for.
  mutating func settle(at time: Instant, into run: inout CoreRun) {
    while true {
      if let action = tracker.nextAction() {
        take(action, at: time, into: &run)
      } else if let step = run.through(.dispatcherNextStep, { dispatcher.nextStep() }) {
        carryOut(step, at: time, into: &run)
      } else {
        return
      }
    }
  }

  private mutating func take(_ action: Action, at time: Instant, into run: inout CoreRun) {
    guard case .transmit(let sequence, let kind) = action, let place = tracker.outbox.place(of: sequence) else {
      return
    }
    let receivers = tracker.outbox.pending(at: place)
    run.note(sequence)
    run.through(.dispatcherTake) { dispatcher.take(sequence, kind.priority, for: receivers, at: time) }
  }

  private mutating func carryOut(_ step: DeliveryStep, at time: Instant, into run: inout CoreRun) {
    run.note(time.microseconds)
    switch step {
    case .give(let sequence, let way, let part): give(sequence, Int(way), part: Int(part), at: time, into: &run)
    case .forget(let sequence, way: _):
      run.through(.wayForget) {
        _ = world.way.forget(sequence, way: UInt8(DeliveryScene.modem), on: &world.modem, at: time)
      }
    case .makeRoom:
      guard let sequence = run.through(.wayMakeRoom, { world.way.makeRoom(on: &world.modem, at: time) }) else { return }
      hasMadeRoom = true
      dispatcher.madeRoom(sequence, by: DeliveryScene.modem, at: time)
    case .acknowledged(let sequence, let receiver):
      if let place = tracker.outbox.place(of: sequence), tracker.outbox.name(at: place).kind == .movement {
        if receiver == 0 { alerts.0 += 1 } else { alerts.1 += 1 }
      }
      run.note(sequence << 8 | UInt32(receiver))
      tracker.acknowledge(sequence, by: Int(receiver), at: time)
    case .gaveUp: run.expect(false)
    }
  }

  private mutating func give(_ sequence: UInt32, _ way: Int, part: Int, at time: Instant, into run: inout CoreRun) {
    var text = InlineBytes<768>()
    let format = dispatcher.way(way).format
    guard let place = tracker.outbox.place(of: sequence),
      let head = run.through(
        .trackerEncodePacket, { tracker.encodePacket(at: place, part: part, as: format, into: &text) })
    else {
      run.expect(false)
      return dispatcher.cantCarry(sequence, on: way, at: time)
    }
    run.expect(!text.isTruncated)
    var sum = TextSum()
    sum.append(bytes: text.span)
    run.note(sum.sum)
    dispatcher.began(sequence, on: way, isLast: head.isLast)
    if way == DeliveryScene.modem {
      let kind = tracker.outbox.name(at: place).kind
      let isTaken = run.through(.wayBegin) {
        world.way.begin(
          text.span, sequence: sequence, way: UInt8(way), kind: kind, by: .sms, on: &world.modem, at: time)
      }
      run.expect(isTaken)
    } else if refusals > 0 {
      refusals -= 1
      run.through(.dispatcherNews) { dispatcher.handedBack(sequence, by: way, at: time) }
    } else {
      run.through(.dispatcherNews) { dispatcher.delivered(sequence, on: way, at: time) }
    }
  }
}
