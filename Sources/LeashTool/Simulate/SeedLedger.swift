import Glibc
import JSON5
import Quantities
import SimulatedWorld

/// Which seeds of which campaigns were lived, and what came of them: a JSON object in each line of a file.
struct SeedLedger {
  /// A life.
  private struct Entry {
    var campaign: String
    var seed: UInt64
    var seconds = 0.0
    /// Time in which the inertial sensor slept, and that was passed over, s.
    var asleep = 0.0
    var passedOver = 0.0
    var counts: [String: Int] = [:]
    var faults: [String: Int] = [:]
    var broken: [String] = []

    /// Years of 365 days that it lasted; it ends with its last input, some moments before.
    var wholeYears: Int { Int((seconds + 60) / (365 * 86_400)) }

    /// The same if enough happened in them, and its sensor slept: nights are a part of a year.
    var years: Int {
      let years = wholeYears
      let thefts = (counts["thefts"] ?? 0) + (counts["excused"] ?? 0)
      let others = faults.reduce(0) { $0 + ($1.key == "power" || $1.key == "owner" ? 0 : $1.value) }
      let isEnough =
        counts["ridden"] ?? 0 >= 300 * years && counts["disturbances"] ?? 0 >= 100 * years && thefts >= years
        && counts["cuts"] ?? 0 >= 10 * years && others >= 20 * years && asleep > 0
      return isEnough ? years : 0
    }
  }

  private var entries: [Entry] = []
  private let path: String

  /// Numbers of a life that are added up, with their words.
  private static let sums = [
    ("ridden", "rides of the owner"), ("judgedRides", "of them held against the truth"),
    ("disturbances", "harmless disturbances"),
    ("thefts", "thefts that had to be told"), ("excused", "thefts that were excused"), ("alerts", "alerts"),
    ("cuts", "power cuts"),
    ("packets", "packets"), ("metres", "metres ridden"),
  ]

  /// Reads a file; one that is not there is a ledger without a life.
  ///
  /// - Throws: At the first line that is none of a ledger, also at one that was not written to its end.
  init(_ path: String) throws(CommandFailure) {
    self.path = path
    guard access(path, F_OK) == 0 else { return }
    let bytes = try SceneFiles.bytes(path)
    var known: Set<String> = []
    var number = 0
    var start = 0
    while start < bytes.count {
      number += 1
      guard let end = bytes[start...].firstIndex(of: 0x0A) else { throw damaged(number) }
      let value = try? JSON5Value(reading: Array(bytes[start..<end]))
      guard let entry = value.flatMap(SeedLedger.entry) else { throw damaged(number) }
      guard known.insert("\(entry.campaign) \(entry.seed)").inserted else {
        throw .usage("\(path):\(number): seed \(entry.seed) is there twice")
      }
      entries.append(entry)
      start = end + 1
    }
  }

  private func damaged(_ line: Int) -> CommandFailure { .usage("\(path):\(line): not a line of a ledger of seeds") }

  private static func entry(_ value: JSON5Value) -> Entry? {
    guard case .object(let members) = value.content else { return nil }
    var result = Entry(campaign: "", seed: 0)
    var hasSeed = false
    for member in members {
      switch (member.key, member.value.content) {
      case ("campaign", .string(let text)): result.campaign = text
      case ("seed", .number(let number)):
        guard let seed = number.exactly(UInt64.self) else { return nil }
        result.seed = seed
        hasSeed = true
      case ("seconds", .number(let number)):
        guard number.value.isFinite, number.value >= 0 else { return nil }
        result.seconds = number.value
      case ("asleep", .number(let number)):
        guard number.value.isFinite, number.value >= 0 else { return nil }
        result.asleep = number.value
      case ("passedOver", .number(let number)):
        guard number.value.isFinite, number.value >= 0 else { return nil }
        result.passedOver = number.value
      case ("faults", .object(let faults)):
        for fault in faults {
          guard let count = SeedLedger.count(fault.value) else { return nil }
          result.faults[fault.key] = count
        }
      case ("broken", .array(let promises)):
        for promise in promises {
          guard case .object(let parts) = promise.content,
            case .string(let name)? = parts.first(where: { $0.key == "promise" })?.value.content
          else { return nil }
          result.broken.append(name)
        }
      case (let key, .number) where sums.contains { $0.0 == key }:
        guard let count = SeedLedger.count(member.value) else { return nil }
        result.counts[key] = count
      default: break
      }
    }
    return hasSeed && !result.campaign.isEmpty ? result : nil
  }

  private static func count(_ value: JSON5Value) -> Int? {
    guard case .number(let number) = value.content, let count = number.exactly(Int.self), count >= 0 else { return nil }
    return count
  }

  /// Seeds of a campaign that were lived.
  func seeds(of campaign: String) -> Set<UInt64> { Set(entries.lazy.filter { $0.campaign == campaign }.map(\.seed)) }

  /// Adds a life to the file.
  func append(_ result: LifeResult, of campaign: String) throws(CommandFailure) {
    let line = "{\"campaign\":\"\(campaign)\"," + LifeText.json(result).dropFirst() + "\n"
    // In one piece: a process that ends meanwhile leaves a whole line, or none.
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .unopened(path) }
    let bytes = Array(line.utf8)
    let isWritten = write(file, bytes, bytes.count) == bytes.count
    guard close(file) == 0, isWritten else { throw .environment("\(path): can't write all of it") }
  }

  /// How the hours of all campaigns were spent, as a table of a page.
  var table: String {
    var faults: [String: Int] = [:]
    for entry in entries { faults.merge(entry.faults) { $0 + $1 } }
    func row(_ words: String, _ number: String) -> String { "| \(words) | \(number) |\n" }
    var text = "| | |\n|---|---:|\n"
    text += row("lives", TimeText.count(entries.count))
    func hours(_ words: String, _ seconds: (Entry) -> Double) -> String {
      row(words, TimeText.decimal(entries.reduce(0) { $0 + seconds($1) } / 3600, 1))
    }
    text += hours("hours lived") { $0.seconds }
    text += hours("hours in which the inertial sensor slept") { $0.asleep }
    text += hours("of them passed over, as nothing happened") { $0.passedOver }
    let years = entries.filter { $0.wholeYears > 0 }
    if !years.isEmpty {
      text += row("device-years that count, with nights asleep", TimeText.count(years.reduce(0) { $0 + $1.years }))
      text += row("lives of a year and more that were never asleep", TimeText.count(years.count { $0.asleep == 0 }))
      text += row(
        "lives of a year and more in which too little happened",
        TimeText.count(years.count { $0.asleep > 0 && $0.years == 0 }))
    }
    for (key, words) in SeedLedger.sums {
      text += row(words, TimeText.count(entries.reduce(0) { $0 + ($1.counts[key] ?? 0) }))
    }
    for kind in FaultClass.allCases {
      text += row("faults: \(kind.rawValue)", TimeText.count(faults[kind.rawValue] ?? 0))
    }
    let failed = entries.filter { !$0.broken.isEmpty }
    let seeds = failed.isEmpty ? "" : ": seeds \(failed.map { "\($0.seed)" }.joined(separator: ", "))"
    return text + row("lives that broke a promise\(seeds)", TimeText.count(failed.count))
  }
}

extension SimulatedLives {
  /// What a life depends on besides its seed, as a number: the version of the program, what is lived, and all settings.
  var campaign: String {
    let kinds = classes.map(\.rawValue).sorted().joined(separator: ",")
    let way = transport.map { "\($0)" } ?? "drawn"
    let text =
      "\(Version.number)\n\(scene?.name ?? "day") \(days.map { "\($0) days" } ?? "")\n\(kinds)\n\(way)\n\(settings)"
      + (pace == .calm ? "\ncalm" : "") + (isStreamed ? "\nstreamed" : "")
      + (idle.map { "\nidle \($0)" } ?? "")
    var hash = LifeHash()
    hash.add(Array(text.utf8))
    return String(hash.value, radix: 16)
  }
}
