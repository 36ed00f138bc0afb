import Quantities
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

  /// The ten years from 2026 on, s since 1970: what clocks did before is no matter.
  private static let years: Range<Int64> = 1_767_225_600..<2_082_801_600

  /// What should be known of a name whose clock is set in ways that its POSIX text can't say, as in Morocco around Ramadan; nil for others.
  func remark(_ name: String, as text: String) -> String? {
    guard !ZoneFolder.isPOSIX(name), let zone = PosixTimeZone(Array(text.utf8).span),
      let file = try? SmallFile(path: "\(folder)/\(name)", limit: 1 << 20)
    else { return nil }
    let isOtherwise = ZoneTransitions(file.bytes).list.contains { time, offset in
      ZoneFolder.years.contains(time) && zone.offset(at: UTCTime(microseconds: time * 1_000_000)) != offset
    }
    guard isOtherwise else { return nil }
    return
      "'timeZone': the clock of \(name) is set in ways that a POSIX string can't say; alarms follow '\(text)' all year"
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

/// The changes of a clock that a file of the time zone database lists: when, s since 1970, and the offset from then on, s east.
///
/// - Source: RFC 8536, section 3: after a block of version 1 the same with times of 64 bits.
struct ZoneTransitions {
  private(set) var list: [(time: Int64, offset: Int32)] = []

  /// Empty for bytes that are no such file.
  init(_ bytes: [UInt8]) {
    func number(_ place: Int, _ count: Int) -> UInt64? {
      guard place >= 0, place + count <= bytes.count else { return nil }
      return bytes[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
    // Counts of a header: of UT indicators, standard indicators, leap seconds, times, types and characters.
    func counts(_ header: Int) -> [Int]? {
      guard number(header, 4) == 0x545A_6966 else { return nil }
      let counts = (0..<6).compactMap { number(header + 20 + 4 * $0, 4).map { Int($0) } }
      return counts.count == 6 && counts.allSatisfy { $0 <= bytes.count } ? counts : nil
    }
    guard let first = counts(0) else { return }
    let second = 44 + first[3] * 5 + first[4] * 6 + first[5] + first[2] * 8 + first[1] + first[0]
    guard let own = counts(second) else { return }
    let times = second + 44
    let types = times + own[3] * 8
    let offsets = types + own[3]
    for place in 0..<own[3] {
      guard let time = number(times + 8 * place, 8), let type = number(types + place, 1), type < UInt64(own[4]),
        let offset = number(offsets + 6 * Int(type), 4)
      else { return }
      list.append((Int64(bitPattern: time), Int32(bitPattern: UInt32(offset))))
    }
  }
}
