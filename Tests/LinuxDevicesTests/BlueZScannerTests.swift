import LinuxDevices
import Quantities
import Testing

private let tag = "/org/bluez/hci0/dev_C0_FF_EE_01_02_03"
private let service = "0000fd5a-0000-1000-8000-00805f9b34fb"

/// A scanner and a fake BlueZ on a bus of their own.
private final class ScannerBench {
  let bus: PrivateBus
  let loop: EventLoop
  let scanner: BlueZScanner
  var blueZ: FakeBlueZ?
  var heard: [(address: String, services: Set<String>)] = []

  init?(adapter: String? = nil, hasBlueZ: Bool = true) throws {
    guard let bus = try PrivateBus() else { return nil }
    self.bus = bus
    loop = try EventLoop(clock: MachineClock())
    if hasBlueZ { blueZ = try FakeBlueZ(on: bus.address, in: loop) }
    scanner = BlueZScanner(adapter: adapter, address: bus.address)
    scanner.onSighting = { [unowned self] address, services, _ in heard.append((address, services)) }
  }

  deinit { scanner.stop() }

  func start() throws { try scanner.start(in: loop, at: MonotonicClock.now) }

  /// Turns the loop until something is so; false when it is not within ten seconds.
  func turns(until isSo: () -> Bool) -> Bool {
    let limit = MonotonicClock.now + .seconds(10)
    while !isSo() {
      guard MonotonicClock.now < limit else { return false }
      loop.turn(until: limit)
    }
    return true
  }

  /// Starts it and waits for its end.
  func failure() throws -> String {
    try start()
    #expect(turns { scanner.failure != nil })
    return scanner.failure?.message ?? ""
  }
}

@Suite(.serialized) struct BlueZScannerTests {
  @Test func itAsksForEveryAdvertisementAndHearsWhatOnlyAnAdvertisementChanges() throws {
    guard let bench = try ScannerBench() else { return }
    bench.blueZ?.known = [(tag, [service.uppercased()])]
    try bench.start()
    #expect(bench.turns { bench.scanner.isScanning })
    #expect(
      bench.blueZ?.calls == [
        "GetManagedObjects /", "SetDiscoveryFilter /org/bluez/hci0 Transport=le DuplicateData=1",
        "StartDiscovery /org/bluez/hci0",
      ])
    #expect(bench.heard.isEmpty, "what BlueZ knows was not heard now")
    // Another interface and another property of the device say nothing of the air.
    bench.blueZ?.change(tag, rssi: -50, interface: "org.bluez.Battery1")
    bench.blueZ?.change(tag)
    bench.blueZ?.change(tag, rssi: -50)
    #expect(bench.turns { !bench.heard.isEmpty })
    #expect(bench.heard.map(\.address) == ["C0:FF:EE:01:02:03"] && bench.heard[0].services == [service])
    bench.blueZ?.add("/org/bluez/hci0/dev_00_11_22_33_44_55", uuids: [service])
    #expect(bench.turns { bench.heard.count == 2 })
    #expect(bench.heard[1].address == "00:11:22:33:44:55" && bench.heard[1].services == [service])
    // Of two adapters the other one's devices are not its business.
    bench.blueZ?.change("/org/bluez/hci1/dev_C0_FF_EE_01_02_03", rssi: -50)
    bench.blueZ?.change(tag, rssi: -51, uuids: [])
    #expect(bench.turns { bench.heard.count == 3 })
    #expect(bench.heard[2].address == "C0:FF:EE:01:02:03" && bench.heard[2].services == [])
  }

  @Test func whatIsWrongIsToldInOneLineThatSaysWhatToDo() throws {
    guard let none = try ScannerBench(hasBlueZ: false) else { return }
    #expect(try none.failure() == "Bluetooth: BlueZ is not running; install it: sudo apt-get install bluez")
    for (method, error, words) in [
      ("StartDiscovery", "org.bluez.Error.NotReady", "the adapter is switched off"),
      ("GetManagedObjects", "org.freedesktop.DBus.Error.AccessDenied", "refuses this user"),
      ("SetDiscoveryFilter", "org.bluez.Error.Failed", "BlueZ says as the test wants"),
    ] {
      guard let bench = try ScannerBench() else { return }
      bench.blueZ?.refusals[method] = error
      #expect(try bench.failure().contains(words), "\(method)")
      // And it works when that is mended.
      bench.blueZ?.refusals = [:]
      try bench.start()
      #expect(bench.turns { bench.scanner.isScanning })
    }
  }

  @Test func anAdapterIsChosenByItsNameOrIsTheFirst() throws {
    guard let bench = try ScannerBench(adapter: "hci1") else { return }
    #expect(try bench.failure() == "Bluetooth: no adapter hci1; there are: hci0")
    bench.blueZ?.adapters = ["hci1", "hci0"]
    try bench.start()
    #expect(bench.turns { bench.scanner.isScanning })
    #expect(bench.blueZ?.calls.last == "StartDiscovery /org/bluez/hci1")
    bench.scanner.stop()
    guard let first = try ScannerBench() else { return }
    first.blueZ?.adapters = ["hci1", "hci0"]
    try first.start()
    #expect(first.turns { first.scanner.isScanning })
    #expect(first.blueZ?.calls.last == "StartDiscovery /org/bluez/hci0")
    guard let empty = try ScannerBench() else { return }
    empty.blueZ?.adapters = []
    #expect(try empty.failure() == "Bluetooth: BlueZ has no adapter")
  }

  @Test func aBlueZOrABusThatEndsIsAFailureAndNotASilence() throws {
    guard let bench = try ScannerBench() else { return }
    try bench.start()
    #expect(bench.turns { bench.scanner.isScanning })
    bench.blueZ?.end()
    #expect(bench.turns { bench.scanner.failure != nil })
    #expect(bench.scanner.failure?.message == "Bluetooth: BlueZ has ended")
    bench.blueZ = try FakeBlueZ(on: bench.bus.address, in: bench.loop)
    try bench.start()
    #expect(bench.turns { bench.scanner.isScanning })
    bench.blueZ?.end()
    guard let other = try ScannerBench() else { return }
    try other.start()
    #expect(other.turns { other.scanner.isScanning })
    other.bus.kill()
    #expect(other.turns { other.scanner.failure != nil })
    #expect(other.scanner.failure?.message.contains("the connection to D-Bus has ended") == true)
  }

  @Test func withoutABusItSaysSoAtOnce() throws {
    let loop = try EventLoop(clock: MachineClock())
    let scanner = BlueZScanner(address: "unix:path=/nonexistent/bus")
    let failure = #expect(throws: DeviceFailure.self) { try scanner.start(in: loop, at: .zero) }
    #expect(failure?.message.contains("no D-Bus at unix:path=/nonexistent/bus") == true)
    #expect(loop.nextDeadline == nil)
  }
}
