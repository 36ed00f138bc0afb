import Rules

/// Where this machine keeps time zones.
package struct ZoneFolder: Sendable {
  /// The folder of their files.
  package var folder = "/usr/share/zoneinfo"
  /// The file of the machine's own.
  package var localTime = "/etc/localtime"

  /// As usual.
  package init() {}

  /// A zone as POSIX writes it, from that text itself or from a name such as `Europe/Amsterdam`; nil when it is neither.
  package func posixText(_ name: String) -> String? {
    if ZoneFolder.isPOSIX(name) { return name }
    // A name of the list, and no way out of the folder.
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }),
      name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    return footer("\(folder)/\(name)") ?? (name == "UTC" ? "UTC0" : nil)
  }

  /// The machine's own zone; nil when it can't be read, or has no rule that POSIX could write.
  package var local: String? { footer(localTime) }

  static func isPOSIX(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count <= textLimit && PosixTimeZone(bytes.span) != nil
  }

  /// The longest text of a zone that a tracker keeps, bytes.
  static var textLimit: Int { 48 }

  /// True for a text that is right but for its length.
  static func isTooLong(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count > textLimit && PosixTimeZone(bytes.span) != nil
  }

  /// The names of places in the folder's own list; none when it has no list.
  var names: [String] {
    guard let file = try? SmallFile(path: "\(folder)/zone.tab", limit: 1 << 20) else { return [] }
    return file.bytes.split(separator: 0x0A).compactMap { line in
      // Country, coordinates, name, remarks.
      let columns = line.split(separator: 0x09)
      guard line.first != 0x23, columns.count > 2 else { return nil }
      return String(decoding: columns[2], as: UTF8.self)
    }
  }

  /// The last line of a file of the time zone database: the rule for all times after the last that it lists.
  ///
  /// - Source: RFC 8536, section 3.3.
  private func footer(_ path: String) -> String? {
    guard let file = try? SmallFile(path: path, limit: 1 << 20), file.bytes.starts(with: Array("TZif".utf8)),
      file.bytes.count > 44, file.bytes[4] >= 0x32, file.bytes.last == 0x0A
    else { return nil }
    let body = file.bytes.dropLast()
    guard let start = body.lastIndex(of: 0x0A) else { return nil }
    let text = String(decoding: body[(start + 1)...], as: UTF8.self)
    return ZoneFolder.isPOSIX(text) ? text : nil
  }
}
