import Foundation
import Glibc
import LinuxDevices
import Quantities
import TrackerRuntime
import StorageSupport
import Testing

@testable import LinuxRuntime

/// systemd's end of the notification socket.
private final class NotifySocket {
  private let descriptor: Int32
  private let folder: Folder

  init() throws {
    folder = try Folder()
    let path = folder("notify")
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { target in
      for (place, byte) in bytes.enumerated() { target[place] = byte }
    }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    setenv("NOTIFY_SOCKET", path, 1)
  }

  deinit {
    unsetenv("NOTIFY_SOCKET")
    unsetenv("WATCHDOG_USEC")
    close(descriptor)
  }

  /// What was told since the last time.
  func heard() -> [String] {
    var lines: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
      lines.append(String(decoding: buffer[..<count], as: UTF8.self))
    }
    return lines
  }
}

@Suite(.serialized) struct ServiceTests {
  @Test func systemdHearsThatTheServiceIsReadyAndAliveTwiceInEachInterval() throws {
    let socket = try NotifySocket()
    setenv("WATCHDOG_USEC", "3000000", 1)
    let notifier = ServiceNotifier()
    #expect(notifier.nextDeadline == nil && socket.heard() == [])
    notifier.ready(at: .seconds(10))
    #expect(socket.heard() == ["READY=1"])
    var due = Instant.milliseconds(11_500)
    for _ in 0..<3 {
      #expect(notifier.nextDeadline == due)
      notifier.advance(to: due - Interval(microseconds: 1))
      #expect(socket.heard() == [])
      notifier.advance(to: due)
      #expect(socket.heard() == ["WATCHDOG=1"])
      due = due + .milliseconds(1500)
    }
    notifier.tell("riding")
    notifier.stopping()
    #expect(socket.heard() == ["STATUS=riding", "STOPPING=1"])
    notifier.reloading(at: .milliseconds(12_345))
    #expect(socket.heard() == ["RELOADING=1\nMONOTONIC_USEC=12345000"])
  }

  @Test func withoutAWatchdogNothingIsDue() throws {
    let socket = try NotifySocket()
    let notifier = ServiceNotifier()
    notifier.ready(at: .seconds(10))
    notifier.advance(to: .seconds(1000))
    #expect(socket.heard() == ["READY=1"] && notifier.nextDeadline == nil)
  }
}

@Suite struct SensorProgressTests {
  @Test func whatWasRecordedIsCountedByItsKind() throws {
    let folder = try Folder()
    let trace = StorageTrace(folder.path)
    let loop = try EventLoop(clock: MachineClock())
    let source = FakeSensor()
    let start = MonotonicClock.now
    let recording = SensorRecording(
      RecordingSettings(folder: folder("rides")), configuration: RunConfiguration(), sensors: [source], loop: loop,
      at: start)
    #expect(recording.progress(at: start).sensors.map(\.state) == ["idle"])
    try recording.start(at: start)
    var place = GNSSFix(time: start)
    source.sink(.fix(place))
    place.mode = .threeDimensional
    place.position = GeodeticPosition(latitudeDegrees: 1, longitudeDegrees: 2)
    source.sink(.fix(place))
    for step in 0..<3 { source.sink(.inertial(InertialSample(time: start + .milliseconds(step), angularRate: .zero))) }
    var progress = recording.progress(at: start + .seconds(5))
    #expect(progress.fixes == 2 && progress.positions == 1 && progress.samples == 3 && progress.seconds == 5)
    #expect(progress.sensors.map(\.inputs) == [5] && progress.sensors.map(\.name) == ["fake sensor"])
    #expect(progress.lost == 0 && progress.problem == nil && progress.folder == folder("rides"))
    #expect(
      progress.file == "run-000001-001.leash" && progress.sensors[0].reason == nil && progress.sensors[0].hertz == 1)
    for _ in 0..<10 { source.sink(.inertial(InertialSample(time: start + .seconds(1), angularRate: .zero))) }
    #expect(recording.progress(at: start + .seconds(10)).sensors[0].hertz == 2)
    source.failure = DeviceFailure(.read, "port", .explained("gone"))
    recording.turn(until: MonotonicClock.now)
    progress = recording.progress(at: start + .seconds(11))
    #expect(progress.sensors[0].state == "failed" && progress.sensors[0].reason == "port: gone")
    source.sink(.fix(place))
    trace.fail(.write, with: ENOSPC)
    recording.advance(to: start + .seconds(3600))
    #expect(
      recording.progress(at: start).problem?.contains("No space left") == true
        && (1...16).contains(recording.progress(at: start).lost))
    let json = String(decoding: progress.json, as: UTF8.self)
    #expect(json.hasPrefix("{\"bytes\":") && json.contains("\"positions\":1") && !json.contains("\n"))
    recording.stop()
    #expect(source.stopCount == 1 && loop.nextDeadline == nil)
  }
}
