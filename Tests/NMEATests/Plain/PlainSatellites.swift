import NMEA
import Quantities

/// Satellites in view and used, counted as the comments of `SatelliteLedger` and `Constellation` say.
struct PlainSatellites {
  var inView = SatelliteCounts()
  var hasOthers = false
  private var listed = 0
  private var told: Int?
  private var run: Talker?
  /// The sentences of the report that is coming in, without a gap from the first on.
  private var report: [GSV] = []

  var used: UInt8? {
    if listed > 0 { return UInt8(min(listed, 255)) }
    return told.map { UInt8(min($0, 255)) }
  }

  var listedCount: Int { listed }

  mutating func tell(_ count: UInt16?) { if let count { told = Int(count) } }
  mutating func otherSentence() { run = nil }

  private func second(_ talker: Talker) -> Character { Character(UnicodeScalar(UInt8(talker.letters & 0xFF))) }

  /// True for the first sentence of a run with talker GN.
  mutating func take(_ sentence: GSA) -> Bool {
    let letter = second(sentence.talker)
    let isCombined = letter == "N"
    let isFirst = isCombined && run.map { second($0) != "N" } ?? true
    let goesOn = run.map { second($0) != letter || isCombined } ?? false
    if !goesOn { listed = 0 }
    run = sentence.talker
    if "ABDILNQZ".contains(letter) { hasOthers = true }
    for place in 0..<24 where sentence.satellites[place] > 0 { listed += 1 }
    return isFirst
  }

  static func constellation(_ number: UInt16, _ talker: Talker) -> Constellation? {
    guard number > 0 else { return nil }
    let letters = String(decoding: [UInt8(talker.letters >> 8), UInt8(talker.letters & 0xFF)], as: UTF8.self)
    switch letters {
    case "GL": return (33...64).contains(number) ? .sbas : .glonass
    case "GA": return .galileo
    case "GB", "BD", "PQ": return .beiDou
    case "GQ", "QZ": return .qzss
    case "GI": return .navIC
    default: break
    }
    switch number {
    case 1...32: return .gps
    case 33...64, 120...158: return .sbas
    case 65...99: return .glonass
    case 193...200: return .qzss
    case 201...264, 401...463: return .beiDou
    case 301...336: return .galileo
    default: return nil
    }
  }

  mutating func take(_ sentence: GSV) {
    let isGalileo = sentence.talker == .galileo
    if sentence.signalIdentifier > 1, !(isGalileo && sentence.signalIdentifier == 7), sentence.sentenceNumber ?? 0 > 0 {
      return
    }
    guard let count = sentence.sentenceCount, let number = sentence.sentenceNumber, number >= 1 else { return }
    let goesOn = report.last.map {
      $0.talker == sentence.talker && $0.sentenceCount == count && $0.sentenceNumber.map { $0 + 1 } == number
    }
    if number == 1 { report = [] } else if goesOn != true { return report = [] }
    report.append(sentence)
    guard number == count else { return }
    var counting: [Constellation: Int] = [:]
    for part in report {
      for entry in 0..<Int(part.entryCount) {
        if let owner = PlainSatellites.constellation(part.satellites[entry].number, part.talker) {
          counting[owner, default: 0] += 1
        }
      }
    }
    let own = sentence.talker.constellation
    for constellation in Constellation.allCases {
      let seen = UInt8(min(counting[constellation] ?? 0, 255))
      switch own {
      case .gps?: if constellation == .gps || constellation == .sbas || seen > 0 { inView[constellation] = seen }
      case nil: inView[constellation] = seen
      case let only?: if constellation == only { inView[constellation] = seen }
      }
    }
  }
}
