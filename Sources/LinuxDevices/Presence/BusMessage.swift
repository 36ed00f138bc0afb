import CSystemd

/// A message of D-Bus that lives while it is handled: read from front to back, and written.
struct BusMessage {
  private let message: OpaquePointer

  init(_ message: OpaquePointer) { self.message = message }

  /// Properties of an object, as far as they matter here.
  struct Properties {
    var names: Set<String> = []
    /// Of `UUIDs`; nil when it is not among them.
    var uuids: [String]?
  }

  /// The object that a signal is of.
  var path: String? { sd_bus_message_get_path(message).map { String(cString: $0) } }

  /// The name of the error that a reply is; nil when it is none.
  var errorName: String? {
    guard sd_bus_message_is_method_error(message, nil) > 0, let error = sd_bus_message_get_error(message) else {
      return nil
    }
    return error.pointee.name.map { String(cString: $0) } ?? ""
  }

  /// What the error says.
  var errorText: String {
    sd_bus_message_get_error(message).flatMap { $0.pointee.message.map { String(cString: $0) } } ?? ""
  }

  /// Text of a type, `s` or `o`; nil when something else comes.
  func text(_ type: Character) -> String? {
    var place: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(message, CChar(type.asciiValue ?? 0), &place) > 0, let place else { return nil }
    return String(cString: place)
  }

  private func enter(_ type: Character, _ contents: String) -> Bool {
    sd_bus_message_enter_container(message, CChar(type.asciiValue ?? 0), contents) > 0
  }

  private func leave() { sd_bus_message_exit_container(message) }

  /// Goes through an array of dictionary entries.
  func forEach(_ contents: String, _ body: (BusMessage) -> Void) {
    guard enter("a", contents) else { return }
    while enter("e", String(contents.dropFirst().dropLast())) {
      body(self)
      leave()
    }
    leave()
  }

  /// Reads `a{sa{sv}}`: interfaces with their properties.
  func interfaces(_ body: (String, Properties) -> Void) {
    forEach("{sa{sv}}") { entry in
      let name = entry.text("s") ?? ""
      body(name, entry.properties())
    }
  }

  /// Reads `a{sv}`.
  func properties() -> Properties {
    var result = Properties()
    forEach("{sv}") { entry in
      let name = entry.text("s") ?? ""
      result.names.insert(name)
      guard name == "UUIDs", entry.enter("v", "as") else {
        sd_bus_message_skip(message, "v")
        return
      }
      var uuids: [String] = []
      if entry.enter("a", "s") {
        while let uuid = entry.text("s") { uuids.append(uuid) }
        entry.leave()
      }
      entry.leave()
      result.uuids = uuids
    }
    return result
  }

  /// Writes a filter: Low Energy, and every advertisement, also one that says nothing new.
  func appendDiscoveryFilter() {
    open("a", "{sv}")
    open("e", "sv")
    append("Transport")
    open("v", "s")
    append("le")
    close()
    close()
    open("e", "sv")
    append("DuplicateData")
    open("v", "b")
    var yes: Int32 = 1
    sd_bus_message_append_basic(message, CChar(UInt8(ascii: "b")), &yes)
    close()
    close()
    close()
  }

  private func append(_ text: String) {
    _ = text.withCString { sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0) }
  }

  private func open(_ type: Character, _ contents: String) {
    sd_bus_message_open_container(message, CChar(type.asciiValue ?? 0), contents)
  }

  private func close() { sd_bus_message_close_container(message) }
}
