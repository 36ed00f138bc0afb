import LinuxDevices
import LinuxRuntime
import Quantities

/// What a check knows when it begins.
struct DoctorCase: Sendable {
  /// The machine.
  var machine: DoctorMachine
  /// What `leash run` would run with; nil for a machine without a configuration.
  var configuration: BoardConfiguration?
  /// The tracker that runs already.
  var tracker = RunningTracker.none

  /// A case.
  init(_ machine: DoctorMachine, _ configuration: BoardConfiguration? = nil, tracker: RunningTracker = .none) {
    self.machine = machine
    self.configuration = configuration
    self.tracker = tracker
  }
}

/// One thing that `leash doctor` looks at.
struct DoctorCheck: Sendable {
  /// What it looks at, as its findings call it.
  let name: String
  /// How long it may take.
  var limit: Interval = .seconds(5)
  /// Looks; it may wait.
  let run: @Sendable (DoctorCase) -> [Finding]

  /// All checks, in the order they are told in.
  static let all = [
    instance, time, service, permissions, storage, ports, satellites, inertial, modem, servers,
  ]

  /// Looks on a thread of its own, so that nothing that hangs holds up the others.
  ///
  /// - Parameter waiting: Called some times a second while it takes its time.
  func findings(_ patient: DoctorCase, waiting: (Interval) -> Void = { _ in }) -> [Finding] {
    let run = run
    do throws(DeviceFailure) {
      let mailbox = try Mailbox<[Finding]>()
      let start = MonotonicClock.now
      guard BackgroundThread.start({ mailbox.post(run(patient)) }) else {
        return [.fail(name, "the machine has no thread left", advice: "end some programs: ps -eLf | wc -l")]
      }
      var wait = EventWait()
      wait.add(mailbox.wakeUp.descriptor)
      while MonotonicClock.now < start + limit {
        wait.wait(until: min(start + limit, MonotonicClock.now + .milliseconds(200)))
        if let findings = mailbox.takeAll().first { return findings }
        waiting(MonotonicClock.now - start)
      }
      let seconds = limit.microseconds / 1_000_000
      return [.fail(name, "no result within \(seconds) s", advice: "look for a device that hangs: sudo dmesg | tail")]
    } catch {
      return [.fail(name, error.message, advice: nil)]
    }
  }
}

extension DoctorCheck {
  /// What a running tracker says of a device, in place of a test that would disturb it.
  static func told(_ name: String, _ device: BoardStatus.Device) -> Finding {
    let facts = device.facts.prefix(4).map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    let tail = facts.isEmpty ? "" : "; \(facts)"
    switch device.state {
    case "failed":
      return .fail(
        name, "the running tracker says: \(device.reason ?? "\(device.name) failed")", advice: "leash status")
    case "running" where device.lastInputSeconds == nil:
      return .warn(
        name, "\(device.name): in use by the running tracker, no data yet", advice: "leash status")
    default:
      let rate = device.hertz.map { ", \(TimeText.decimal($0, 1)) a second" } ?? ""
      return .ok(name, "\(device.name): in use by the running tracker, \(device.state)\(rate)\(tail)")
    }
  }

  /// The finding for a device that a tracker holds who can't be asked.
  static func unasked(_ name: String, _ patient: DoctorCase) -> Finding {
    .warn(
      name, "not tested: a running tracker may be using it and can't be asked from here",
      advice: "sudo leash doctor, or stop it first: sudo systemctl stop leash")
  }
}
