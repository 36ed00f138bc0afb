import Glibc
import Requests
import Rules
import Telemetry
import TrackerCore

/// What the tracker took last of the rules of the configuration, in a file beside the state.
struct TakenRules {
  /// What is in the file.
  struct Record: Equatable {
    /// The digests of the tables, by their names.
    var digests: [String: String] = [:]
    /// Rows of them that the tracker refused, with the digests of what it had in their places.
    var refused: [RuleName: String] = [:]
    /// Tables of which damage has taken rows, or the zone, that have not come back yet.
    var lost: Set<String> = []
  }

  private let file: MarkFile

  init(ofState path: String) { file = MarkFile(path: path + ".rules") }

  /// The record; empty when there is no such file.
  func read() -> Record {
    var result = Record()
    for line in String(decoding: file.read(upTo: 16_384), as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words.count == 2, words[0] == "lost" {
        result.lost.insert(words[1])
      } else if words.count == 2 {
        result.digests[words[0]] = words[1]
      }
      guard words.count == 4, words[0] == "refused", let number = UInt8(words[2]),
        let table = PacketRule.Table.allCases.first(where: { "\($0.name)" == words[1] })
      else { continue }
      result.refused[RuleName(table, number)] = words[3]
    }
    return result
  }

  /// - Returns: The system's error number; 0 when it is on the storage.
  func write(_ record: Record) -> Int32 {
    let tables = record.digests.map { "\($0.key) \($0.value)\n" }
    let rows = record.refused.map { "refused \($0.key) \($0.value)\n" }
    let lost = record.lost.map { "lost \($0)\n" }
    return file.write(Array((tables.sorted() + rows.sorted() + lost.sorted()).joined().utf8))
  }

  func forget() { unlink(file.path) }
}

extension RuleTables {
  /// A digest of each table by its name.
  var digests: [String: String] {
    let tables = [
      ("timeZone", timeZone ?? ""), ("fences", list(.fence)), ("places", list(.place)), ("alarms", list(.alarm)),
    ]
    return Dictionary(uniqueKeysWithValues: tables.map { ($0.0, RuleTables.digest($0.1)) })
  }

  private static func digest(_ text: String) -> String {
    var hash = SHA256()
    for byte in text.utf8 { hash.update(byte) }
    let digest = hash.finish()
    // Half of it tells them apart.
    return (0..<16).map { place in
      let digits = String(digest[place], radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }.joined()
  }

  /// The names of those tables that are others than these digests are of. A table without a digest was empty.
  func changed(since taken: [String: String]) -> Set<String> {
    let nothing = RuleTables().digests
    return Set(digests.filter { (taken[$0.key] ?? nothing[$0.key]) != $0.value }.keys)
  }

  /// Those that a tracker is to be told: tables that are others than it took last; of the others rows that it refused then, unless a
  /// request has put something in their place since, and rows that it has lost.
  func untold(since taken: TakenRules.Record, known: RuleTables) -> RuleTables {
    let changed = changed(since: taken.digests)
    var result = only(changed)
    var again = Set(taken.refused.filter { known.digest($0.key) == $0.value }.keys)
    again.formUnion(rowNames.subtracting(known.rowNames).filter { taken.lost.contains($0.table.key) })
    if !changed.contains(PacketRule.Table.fence.key) { result.fences = only(again).fences }
    if !changed.contains(PacketRule.Table.place.key) { result.places = only(again).places }
    if !changed.contains(PacketRule.Table.alarm.key) { result.alarms = only(again).alarms }
    if taken.lost.contains("timeZone"), known.timeZone == nil { result.timeZone = timeZone }
    return result
  }

  /// A digest of one row, or of its absence.
  func digest(_ row: RuleName) -> String {
    let alone = only([row])
    return RuleTables.digest(alone.list(row.table))
  }

  /// These rows and nothing else.
  private func only(_ rows: Set<RuleName>) -> RuleTables {
    var result = RuleTables()
    result.fences = fences.filter { rows.contains(RuleName(.fence, $0.outline.number)) }
    result.places = places.filter { rows.contains(RuleName(.place, $0.number)) }
    result.alarms = alarms.filter { rows.contains(RuleName(.alarm, $0.number)) }
    return result
  }

  /// The names of all rows.
  private var rowNames: Set<RuleName> {
    Set(
      fences.map { RuleName(.fence, $0.outline.number) } + places.map { RuleName(.place, $0.number) }
        + alarms.map { RuleName(.alarm, $0.number) })
  }

  /// The tables of which these sections of a state have rows, and `timeZone` for that of the zone.
  static func names(of sections: StateSections) -> Set<String> {
    var result: Set<String> = sections.contains(.rules) ? ["timeZone"] : []
    for table in PacketRule.Table.allCases where !sections.intersection(table.rows).isEmpty { result.insert(table.key) }
    return result
  }

  /// These tables and nothing of the others.
  func only(_ names: Set<String>) -> RuleTables {
    var result = RuleTables()
    if names.contains("timeZone") { result.timeZone = timeZone }
    if names.contains("fences") { result.fences = fences }
    if names.contains("places") { result.places = places }
    if names.contains("alarms") { result.alarms = alarms }
    return result
  }
}

extension PacketRule.Table {
  /// The table's name in a file.
  var key: String { "\(name)s" }

  /// Its rows in a state.
  fileprivate var rows: StateSections {
    switch self {
    case .fence: .fences
    case .place: .placeRows
    case .alarm: .alarmRows
    }
  }
}
