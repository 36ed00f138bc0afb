import CSystemd
import Glibc
import Quantities

/// Hears Bluetooth Low Energy devices by way of BlueZ, which has the machine's adapter.
///
/// It asks for a discovery of its own, of every advertisement, and takes the changes of a device that an advertisement makes. BlueZ
/// ends the discovery when the connection to the bus ends.
///
/// - Source: [bluez-adapter] for methods and filter; sd-bus(3) for the connection.
package final class BlueZScanner: TagScanner, LoopMember {
  /// Takes what was just heard.
  package var onSighting: (_ address: String, _ services: Set<String>, _ time: Instant) -> Void = { _, _, _ in }
  /// Why it hears nothing any more since the last `start`; nil while it works.
  package private(set) var failure: DeviceFailure?
  /// True while BlueZ has said that it looks.
  package private(set) var isScanning = false

  private let adapter: String?
  private let address: String
  private var bus: OpaquePointer?
  private var descriptor: Int32 = -1
  private var loop: EventLoop?
  private var now = Instant.zero
  private var adapterPath = ""
  /// Services of devices, by their paths.
  private var services: [String: Set<String>] = [:]
  /// No more devices than these are remembered: in a street there are thousands in a day, and BlueZ forgets them, too.
  static var deviceLimit: Int { 1024 }

  /// - Parameters:
  ///   - adapter: Its name, as in `hci0`; nil for the first that there is.
  ///   - address: Of the bus; nil for the system's.
  package init(adapter: String? = nil, address: String? = nil) {
    self.adapter = adapter
    let given = address ?? getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
    self.address = given ?? "unix:path=/run/dbus/system_bus_socket"
  }

  deinit { sd_bus_close_unref(bus) }

  /// As in `Bluetooth`.
  package var name: String { "Bluetooth\(adapter.map { " \($0)" } ?? "")" }

  // MARK: Beginning and end

  /// Connects to the bus and asks for what BlueZ knows.
  ///
  /// - Throws: When there is no bus.
  package func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    stop()
    failure = nil
    self.now = now
    var opened: OpaquePointer?
    var code = sd_bus_new(&opened)
    if code >= 0 { code = sd_bus_set_address(opened, address) }
    if code >= 0 { code = sd_bus_set_bus_client(opened, 1) }
    if code >= 0 { code = sd_bus_start(opened) }
    guard code >= 0, let opened else {
      sd_bus_close_unref(opened)
      throw DeviceFailure(
        .open, "Bluetooth", errorNumber: -code,
        .explained("no D-Bus at \(address), needed by BlueZ; is the package 'dbus' installed?"))
    }
    bus = opened
    self.loop = loop
    loop.add(self)
    descriptor = sd_bus_get_fd(opened)
    listen("type='signal',sender='org.bluez',interface='org.freedesktop.DBus.ObjectManager',member='InterfacesAdded'") {
      $0.takeAddition($1)
    }
    listen(
      "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',"
        + "arg0='org.bluez.Device1'"
    ) { $0.takeChange($1) }
    listen("type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'") { scanner, _ in
      scanner.fail("BlueZ has ended")
    }
    call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects") { $0.takeObjects($1) }
    work()
    if let failure { throw failure }
  }

  /// Leaves the bus, which ends the discovery.
  package func stop() {
    if descriptor >= 0 { loop?.forget(descriptor) }
    descriptor = -1
    loop?.remove(self)
    loop = nil
    sd_bus_close_unref(bus)
    bus = nil
    isScanning = false
    services = [:]
    handlers = []
  }

  private func fail(_ text: String) {
    if failure == nil { failure = DeviceFailure(.open, "Bluetooth", .explained(text)) }
  }

  // MARK: The bus

  /// What is done with a message; kept until the connection ends, as sd-bus has only its place.
  private final class Handler {
    unowned let scanner: BlueZScanner
    let body: (BlueZScanner, BusMessage) -> Void
    init(_ scanner: BlueZScanner, _ body: @escaping (BlueZScanner, BusMessage) -> Void) {
      self.scanner = scanner
      self.body = body
    }
  }
  private var handlers: [Handler] = []

  private func keep(_ body: @escaping (BlueZScanner, BusMessage) -> Void) -> UnsafeMutableRawPointer {
    let handler = Handler(self, body)
    handlers.append(handler)
    return Unmanaged.passUnretained(handler).toOpaque()
  }

  private func listen(_ rule: String, _ body: @escaping (BlueZScanner, BusMessage) -> Void) {
    let code = sd_bus_add_match_async(bus, nil, rule, BlueZScanner.receive, nil, keep(body))
    if code < 0 { fail("can't listen: \(String(cString: strerror(-code)))") }
  }

  /// Calls a method of BlueZ; a refusal is a failure.
  private func call(
    _ path: String, _ interface: String, _ method: String, arguments: (BusMessage) -> Void = { _ in },
    then body: @escaping (BlueZScanner, BusMessage) -> Void
  ) {
    var message: OpaquePointer?
    var code = sd_bus_message_new_method_call(bus, &message, "org.bluez", path, interface, method)
    if code >= 0, let message {
      arguments(BusMessage(message))
      let place = keep { scanner, reply in
        if let error = reply.errorName {
          scanner.fail(BlueZScanner.words(for: error, reply.errorText))
        } else {
          body(scanner, reply)
        }
      }
      code = sd_bus_call_async(bus, nil, message, BlueZScanner.receive, place, 10_000_000)
    }
    sd_bus_message_unref(message)
    if code < 0 { fail("can't ask BlueZ: \(String(cString: strerror(-code)))") }
  }

  private static let receive: sd_bus_message_handler_t = { message, place, _ in
    guard let message, let place else { return 0 }
    let handler = Unmanaged<Handler>.fromOpaque(place).takeUnretainedValue()
    handler.body(handler.scanner, BusMessage(message))
    return 0
  }

  /// What a refusal of the bus or of BlueZ means for the user.
  private static func words(for error: String, _ text: String) -> String {
    switch error {
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
      "BlueZ is not running; install it: sudo apt-get install bluez"
    case "org.bluez.Error.NotReady":
      "the adapter is switched off; run 'bluetoothctl power on' or 'rfkill unblock bluetooth'"
    case "org.freedesktop.DBus.Error.AccessDenied":
      "BlueZ refuses this user; run 'sudo usermod -aG bluetooth USER' and log in again"
    default: "BlueZ says \(text.isEmpty ? error : text)"
    }
  }

  /// Does all that has come, and has the descriptor watched for what the bus wants next.
  private func work() {
    var turns = 0
    while let bus, failure == nil, turns < 256 {
      turns += 1
      let code = sd_bus_process(bus, nil)
      if code == 0 { break }
      if code < 0 { fail("the connection to D-Bus has ended: \(String(cString: strerror(-code)))") }
    }
    guard failure == nil, let bus, let loop else {
      let reason = failure
      stop()
      failure = reason
      return
    }
    let events = sd_bus_get_events(bus)
    var interest: Readiness = []
    if events & POLLIN != 0 { interest.insert(.reading) }
    if events & POLLOUT != 0 { interest.insert(.writing) }
    do throws(DeviceFailure) {
      try loop.watch(descriptor, for: interest, by: self)
    } catch {
      stop()
      failure = error
    }
  }

  /// Something has come, or there is room for what is to go.
  package func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    self.now = now
    work()
  }

  /// When the bus has something to do by itself, such as to give up waiting for an answer.
  package var nextDeadline: Instant? {
    var microseconds: UInt64 = 0
    guard let bus, sd_bus_get_timeout(bus, &microseconds) >= 0, microseconds < UInt64(Int64.max) else { return nil }
    // The bus counts by the clock that the machine's loop counts by.
    return Instant(microseconds: Int64(microseconds))
  }

  /// Lets the bus do what is due.
  package func advance(to now: Instant) {
    if let due = nextDeadline, due <= now {
      self.now = now
      work()
    }
  }

  // MARK: What BlueZ says

  private func takeObjects(_ reply: BusMessage) {
    var adapters: [String] = []
    reply.forEach("{oa{sa{sv}}}") { entry in
      let path = entry.text("o") ?? ""
      entry.interfaces { interface, properties in
        if interface == "org.bluez.Adapter1" { adapters.append(path) }
        if interface == "org.bluez.Device1" { note(path, properties) }
      }
    }
    adapters.sort()
    let wanted = adapters.first { path in adapter.map { path.hasSuffix("/\($0)") } ?? true }
    guard let path = wanted else {
      let others = adapters.map { String($0[($0.lastIndex(of: "/") ?? $0.startIndex)...].dropFirst()) }
      return fail(
        others.isEmpty
          ? "BlueZ has no adapter" : "no adapter \(adapter ?? ""); there are: \(others.joined(separator: ", "))")
    }
    adapterPath = path
    call(path, "org.bluez.Adapter1", "SetDiscoveryFilter", arguments: { $0.appendDiscoveryFilter() }) { scanner, _ in
      scanner.call(path, "org.bluez.Adapter1", "StartDiscovery") { scanner, _ in scanner.isScanning = true }
    }
  }

  /// A device is new: it was heard.
  private func takeAddition(_ message: BusMessage) {
    let path = message.text("o") ?? ""
    message.interfaces { interface, properties in
      guard interface == "org.bluez.Device1" else { return }
      note(path, properties)
      hear(path)
    }
  }

  /// A device has changed; when that is what only an advertisement changes it was heard.
  private func takeChange(_ message: BusMessage) {
    guard let path = message.path, message.text("s") == "org.bluez.Device1" else { return }
    let change = message.properties()
    note(path, change)
    if !change.names.isDisjoint(with: ["RSSI", "ManufacturerData", "ServiceData"]) { hear(path) }
  }

  private func note(_ path: String, _ change: BusMessage.Properties) {
    guard let uuids = change.uuids else { return }
    if services.count >= BlueZScanner.deviceLimit, services[path] == nil { services = [:] }
    services[path] = Set(uuids.map { $0.lowercased() })
  }

  private func hear(_ path: String) {
    guard isScanning, path.hasPrefix(adapterPath), let start = path.firstRange(of: "/dev_")?.upperBound else { return }
    let address = path[start...].map { $0 == "_" ? ":" : String($0) }.joined()
    onSighting(address, services[path] ?? [], now)
  }
}
