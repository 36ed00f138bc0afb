import CSystemd
import Glibc
import LinuxDevices
import OtherPrograms
import Quantities
import ServerSupport
import SkippedTests

/// A bus of its own, where nobody else is.
final class PrivateBus {
  private let folder: ServerFolder
  private let daemon: OtherProgram
  var address: String { "unix:path=\(folder.path)/bus" }

  /// nil, and told, where there is no dbus-daemon.
  init?() throws {
    guard let path = OtherProgram.path(of: "dbus-daemon") else {
      noteSkipped("there is no dbus-daemon; the Debian package dbus-daemon has it")
      return nil
    }
    folder = try ServerFolder()
    daemon = try OtherProgram(
      [path, "--session", "--nofork", "--nopidfile", "--address=unix:path=\(folder.path)/bus"])
    // The socket's file is there before the daemon listens at it; until then a connection is refused.
    let address = address
    guard daemon.waits(within: .seconds(10), for: { PrivateBus.answers(at: address) }) else {
      throw DeviceFailure(.create, "a bus at \(address)", .other)
    }
  }

  private static func answers(at address: String) -> Bool {
    var bus: OpaquePointer?
    var name: UnsafePointer<CChar>?
    defer { _ = sd_bus_close_unref(bus) }
    return sd_bus_new(&bus) >= 0 && sd_bus_set_address(bus, address) >= 0 && sd_bus_set_bus_client(bus, 1) >= 0
      && sd_bus_start(bus) >= 0 && sd_bus_get_unique_name(bus, &name) >= 0
  }

  func kill() { daemon.kill() }
}

/// What BlueZ says on a bus, as its manual has it, with the devices that a test lets be heard.
final class FakeBlueZ: LoopMember {
  /// Adapters by name.
  var adapters = ["hci0"]
  /// Devices that it knows already, with their services.
  var known: [(path: String, uuids: [String])] = []
  /// The error that a method is answered with.
  var refusals: [String: String] = [:]
  /// Methods that were called, with what mattered in them.
  private(set) var calls: [String] = []
  private var bus: OpaquePointer?
  private let loop: EventLoop

  init(on address: String, in loop: EventLoop) throws {
    self.loop = loop
    var result = sd_bus_new(&bus)
    if result >= 0 { result = sd_bus_set_address(bus, address) }
    if result >= 0 { result = sd_bus_set_bus_client(bus, 1) }
    if result >= 0 { result = sd_bus_start(bus) }
    if result >= 0 { result = sd_bus_request_name(bus, "org.bluez", 0) }
    guard result >= 0 else { throw DeviceFailure(.create, "a fake BlueZ", errorNumber: -result) }
    sd_bus_add_filter(
      bus, nil,
      { message, place, _ in
        guard let message, let place else { return 0 }
        return Unmanaged<FakeBlueZ>.fromOpaque(place).takeUnretainedValue().answer(message)
      }, Unmanaged.passUnretained(self).toOpaque())
    loop.add(self)
    try loop.watch(sd_bus_get_fd(bus), for: .reading, by: self)
    work()
  }

  deinit { end() }

  /// Leaves the bus, as a daemon that crashes.
  func end() {
    guard let bus else { return }
    loop.forget(sd_bus_get_fd(bus))
    loop.remove(self)
    sd_bus_close_unref(bus)
    self.bus = nil
  }

  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) { work() }
  func advance(to now: Instant) {}
  var nextDeadline: Instant? { nil }

  private func work() {
    while let bus, sd_bus_process(bus, nil) > 0 {}
    sd_bus_flush(bus)
  }

  // MARK: Answers

  private func answer(_ message: OpaquePointer) -> Int32 {
    guard sd_bus_message_is_method_call(message, nil, nil) > 0, let name = sd_bus_message_get_member(message) else {
      return 0
    }
    let member = String(cString: name)
    let path = sd_bus_message_get_path(message).map { String(cString: $0) } ?? ""
    var words = ""
    if member == "SetDiscoveryFilter" { words = filter(message) }
    calls.append("\(member) \(path)\(words)")
    if let error = refusals[member] {
      var failure = sd_bus_error()
      sd_bus_error_set(&failure, error, "as the test wants")
      sd_bus_reply_method_error(message, &failure)
      sd_bus_error_free(&failure)
      return 1
    }
    var reply: OpaquePointer?
    guard sd_bus_message_new_method_return(message, &reply) >= 0, let reply else { return 1 }
    if member == "GetManagedObjects" { objects(reply) }
    sd_bus_send(bus, reply, nil)
    sd_bus_message_unref(reply)
    return 1
  }

  private func filter(_ message: OpaquePointer) -> String {
    var result = ""
    sd_bus_message_enter_container(message, 0x61, "{sv}")
    while sd_bus_message_enter_container(message, 0x65, "sv") > 0 {
      var name: UnsafePointer<CChar>?
      sd_bus_message_read_basic(message, 0x73, &name)
      let key = name.map { String(cString: $0) } ?? ""
      if sd_bus_message_enter_container(message, 0x76, "s") > 0 {
        var value: UnsafePointer<CChar>?
        sd_bus_message_read_basic(message, 0x73, &value)
        result += " \(key)=\(value.map { String(cString: $0) } ?? "")"
      } else if sd_bus_message_enter_container(message, 0x76, "b") > 0 {
        var flag: Int32 = 0
        sd_bus_message_read_basic(message, 0x62, &flag)
        result += " \(key)=\(flag)"
      }
      sd_bus_message_exit_container(message)
      sd_bus_message_exit_container(message)
    }
    sd_bus_message_exit_container(message)
    return result
  }

  private func objects(_ reply: OpaquePointer) {
    open(reply, "a", "{oa{sa{sv}}}")
    for adapter in adapters {
      open(reply, "e", "oa{sa{sv}}")
      append(reply, "o", "/org/bluez/\(adapter)")
      interfaces(reply, "org.bluez.Adapter1", uuids: nil, rssi: nil)
      close(reply)
    }
    for device in known {
      open(reply, "e", "oa{sa{sv}}")
      append(reply, "o", device.path)
      interfaces(reply, "org.bluez.Device1", uuids: device.uuids, rssi: nil)
      close(reply)
    }
    close(reply)
  }

  // MARK: What is heard

  /// A device that was not known is heard.
  func add(_ path: String, uuids: [String] = []) {
    signal("/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded") {
      append($0, "o", path)
      interfaces($0, "org.bluez.Device1", uuids: uuids, rssi: -60)
    }
  }

  /// A property of a device changes.
  func change(_ path: String, rssi: Int16? = nil, uuids: [String]? = nil, interface: String = "org.bluez.Device1") {
    signal(path, "org.freedesktop.DBus.Properties", "PropertiesChanged") {
      append($0, "s", interface)
      properties($0, uuids: uuids, rssi: rssi)
      open($0, "a", "s")
      close($0)
    }
  }

  private func signal(_ path: String, _ interface: String, _ member: String, _ body: (OpaquePointer) -> Void) {
    var message: OpaquePointer?
    guard sd_bus_message_new_signal(bus, &message, path, interface, member) >= 0, let message else { return }
    body(message)
    sd_bus_send(bus, message, nil)
    sd_bus_message_unref(message)
    sd_bus_flush(bus)
  }

  private func interfaces(_ message: OpaquePointer, _ name: String, uuids: [String]?, rssi: Int16?) {
    open(message, "a", "{sa{sv}}")
    open(message, "e", "sa{sv}")
    append(message, "s", name)
    properties(message, uuids: uuids, rssi: rssi)
    close(message)
    close(message)
  }

  private func properties(_ message: OpaquePointer, uuids: [String]?, rssi: Int16?) {
    open(message, "a", "{sv}")
    // Something that a scanner has no use for.
    open(message, "e", "sv")
    append(message, "s", "Paired")
    open(message, "v", "b")
    var no: Int32 = 0
    sd_bus_message_append_basic(message, 0x62, &no)
    close(message)
    close(message)
    if let uuids {
      open(message, "e", "sv")
      append(message, "s", "UUIDs")
      open(message, "v", "as")
      open(message, "a", "s")
      for uuid in uuids { append(message, "s", uuid) }
      for _ in 0..<3 { close(message) }
    }
    if var rssi {
      open(message, "e", "sv")
      append(message, "s", "RSSI")
      open(message, "v", "n")
      sd_bus_message_append_basic(message, 0x6E, &rssi)
      close(message)
      close(message)
    }
    close(message)
  }

  private func open(_ message: OpaquePointer, _ type: Character, _ contents: String) {
    sd_bus_message_open_container(message, CChar(type.asciiValue ?? 0), contents)
  }

  private func close(_ message: OpaquePointer) { sd_bus_message_close_container(message) }

  private func append(_ message: OpaquePointer, _ type: Character, _ text: String) {
    _ = text.withCString { sd_bus_message_append_basic(message, CChar(type.asciiValue ?? 0), $0) }
  }
}
