import CSerialPort

/// A serial port of this machine, as its driver describes it.
package struct SerialPortDescription: Equatable, Sendable {
  /// The device, such as `/dev/ttyUSB0`.
  package var path: String
  /// What the driver or the USB device says it is; empty when it says nothing.
  package var text: String

  /// A port.
  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }

  /// The machine's serial ports, in the order of their names; pseudo-terminals are not among them.
  package static func all() -> [SerialPortDescription] {
    var list: UnsafeMutablePointer<OpaquePointer?>?
    guard sp_list_ports(&list) == SP_OK, let list else { return [] }
    defer { sp_free_port_list(list) }
    var ports: [SerialPortDescription] = []
    var place = 0
    while let port = list[place] {
      place += 1
      guard let name = sp_get_port_name(port) else { continue }
      ports.append(
        SerialPortDescription(
          path: String(cString: name), text: sp_get_port_description(port).map { String(cString: $0) } ?? ""))
    }
    return ports.sorted { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
  }
}
