import ASCIIText
import InlineStorage
import MotionDetection
import Quantities
import Telemetry
import TrackerCore

// The whole tracker: a ride by NMEA, five minutes of rest, then the bike is tilted.

extension CoreRun {
  /// Runs a short story, and goes on from what it kept with another tracker.
  mutating func tracker() {
    var configuration = TrackerConfiguration()
    configuration.motion.armAfter = .seconds(10 + Int(opaque(0)))
    var state = InlineBytes<5376>()
    story(configuration, &state)
    restart(configuration, &state)
  }

  /// Expects the story's alert.
  @inline(never) private mutating func story(_ configuration: TrackerConfiguration, _ state: inout InlineBytes<5376>) {
    var device = through(.trackerInit) { Tracker(configuration: configuration) }
    var alerts: UInt32 = 0
    var step = 0
    while step < 1500 {
      let time = Instant.milliseconds(10 * step)
      // Leant over within a fifth of a second, as both parts of the sensor feel it.
      let tilt: Float = step < 1200 ? 0 : min(0.2, Float(step - 1199) * 0.01)
      let turn: Float = step >= 1200 && step < 1220 ? -1 : 0
      let noise = Float(Int(opaque(UInt8(truncatingIfNeeded: step &* 37))) - 128) * 0.00005
      let sample = InertialSample(
        time: time, angularRate: Vector3(0.02 + noise, turn - noise, noise),
        specificForce: Vector3(9.81 * tilt, noise, 9.8))
      through(.trackerSample) { device.process(sample) }
      alerts &+= drain(&device, &state)
      if step % 100 == 0 {
        var fix = GNSSFix(time: time)
        fix.utc = UTCTime(microseconds: 1_700_000_000_000_000 + time.microseconds)
        fix.mode = .threeDimensional
        fix.position = GeodeticPosition(latitudeDegrees: 53.25, longitudeDegrees: Double(opaque(-6.5)))
        fix.speed = 0.1
        fix.course = 1.5
        through(.trackerFix) { device.process(fix) }
        alerts &+= drain(&device, &state)
      }
      step += 1
    }
    let supply = Supply(charge: opaque(85), millivolts: 4105, isCharging: true, isExternal: true)
    through(.trackerReading) { device.process(.supply(SupplyReading(time: .seconds(20), supply))) }
    alerts &+= drain(&device, &state)
    let cell = NetworkCell(country: 262, network: 1, area: 4097, cell: 0x0123_4567)
    through(.trackerReading) {
      device.process(.network(NetworkReading(time: .seconds(20), signalDBm: -71, cell: cell)))
    }
    through(.trackerReading) { device.process(.temperature(TemperatureReading(time: .seconds(20), decidegrees: -5))) }
    through(.trackerReading) { device.process(.wheel(WheelReading(time: .seconds(20), pulses: 7))) }
    alerts &+= drain(&device, &state)
    through(.trackerSubmit) { device.submit(.locate, at: .seconds(20)) }
    alerts &+= drain(&device, &state)
    while let deadline = device.nextDeadline, deadline < .seconds(500) {
      through(.trackerAdvance) { device.advance(to: deadline) }
      alerts &+= drain(&device, &state)
      // Nobody answers the first time.
      guard alerts == 2, device.isAlarmOpen else { continue }
      through(.trackerSubmit) { device.submit(.dismiss(alert: 1), at: deadline) }
      alerts &+= drain(&device, &state)
    }
    expect(alerts == 2 && !device.isAlarmOpen)
    expect(device.outbox.count == 0)
    note(device.distance)
    note(UInt32(device.diagnostics.samplesOutOfOrder))
  }

  /// Not in the frame of the story: two trackers at once are more stack than the image has.
  @inline(never) private mutating func restart(
    _ configuration: TrackerConfiguration, _ state: inout InlineBytes<5376>
  ) {
    var device = Tracker(configuration: configuration)
    expect(through(.trackerRestore) { device.restore(state.span, at: .seconds(500)) })
    expect(drain(&device, &state) == 0)
    note(device.distance)
  }

  /// Puts what a restart needs in the place of what was kept before.
  mutating func keep(_ device: inout Tracker, in state: inout InlineBytes<5376>) {
    state.removeAll()
    through(.trackerEncodeState) { device.encodeState(into: &state) }
    var place = 0
    while place < device.outbox.count {
      through(.trackerEncodePacket) { device.encodePacket(at: place, into: &state) }
      place += 1
    }
  }

  /// Does what the device asks for; answers how many alerts went out.
  private mutating func drain(_ device: inout Tracker, _ state: inout InlineBytes<5376>) -> UInt32 {
    var alerts: UInt32 = 0
    var sent: UInt32?
    while let action = through(.trackerNextAction, { device.nextAction() }) {
      switch action {
      case .persist: keep(&device, in: &state)
      case .spool, .recall, .sound, .sense, .restart: break
      case .event(let event):
        var text = TextSum()
        event.encodeJSON(into: &text)
        note(text.sum)
      case .transmit(let sequence, let kind):
        if kind == .movement { alerts &+= 1 }
        var text = TextSum()
        through(.trackerDrainOutput) { _ = device.drainOutput(for: .uplink, into: &text) }
        note(text.sum)
        expect(sent == nil)
        sent = sequence
      }
    }
    if let sent {
      let now = device.now
      through(.trackerAcknowledge) { device.acknowledge(sent, at: now) }
      alerts &+= drain(&device, &state)
    }
    return alerts
  }
}
