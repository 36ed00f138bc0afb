import Foundation
import NMEA
import Quantities
import Testing

/// Gives every sentence to the assembler and to the plain one.
private struct Both: SentenceVisitor, ~Copyable {
  var real: EpochAssembler
  var plain: PlainEpochs

  mutating func receive(_ sentence: RMC) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: GGA) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: GSA) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: GSV) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: GLL) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: VTG) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: ZDA) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: GNS) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: GST) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: GBS) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: HDT) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: THS) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: TXT) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: PGRME) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: PGRMZ) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: PGRMF) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: PMGNST) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: PSRFEPE) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: PSTI030) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(_ sentence: PASHRPOS) { real.receive(sentence); plain.receive(sentence) }
  mutating func receive(unrecognized fields: borrowing SentenceFields) {
    real.receive(unrecognized: fields)
    plain.receive(unrecognized: fields)
  }
}

/// Receivers of many kinds, their sentences with anything in their fields.
private struct Receiver {
  var random: SeededGenerator
  /// The order of the sentences of this receiver.
  private var order: [String]
  private var view = (talker: "GP", count: 0, number: 0)
  /// Seconds since the day began, in hundredths.
  private var time: Int
  private var day = 13
  private var trouble = 0
  private let step: Int
  /// For long, and all of it.
  private let losesTime: Bool

  init(seed: UInt64) {
    random = SeededGenerator(state: seed &* 0x9E37_79B9 | 1)
    order = []
    losesTime = seed % 9 == 2
    time = [0, 4_320_000, 8_639_700][Int(seed % 3)]
    step = [100, 20, 100, 10, 500, 1][Int(seed % 6)]
    let kinds = seed % 4 == 0 ? Receiver.kinds : Array(Receiver.kinds[..<12])
    for _ in 0..<Int.random(in: 1...6, using: &random) { order.append(kinds.randomElement(using: &random) ?? "RMC") }
    if seed % 18 == 2 { order = ["PASHR", "PGRMZ", "PMGNST"].shuffled(using: &random) }
    if seed % 3 != 1, seed % 18 != 2 { order += ["RMC", "GGA"].shuffled(using: &random) }
  }

  static let kinds = [
    "RMC", "GGA", "GSA", "GLL", "VTG", "ZDA", "GNS", "GST", "GSAs", "GBS", "GSV", "GNSA", "HDT", "THS", "TXT", "PGRME",
    "PGRMZ", "PGRMF", "PMGNST", "PSRFEPE", "PSTI", "PASHR", "DBT", "HDG", "MWV", "XDR", "GPGSA", "PUBX",
  ]

  mutating func pick(_ list: [String]) -> String { list.randomElement(using: &random) ?? "" }
  mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  /// The lines of one epoch.
  mutating func epoch() -> [String] {
    time +=
      oneIn(12)
      ? [0, 1, -step, 50 * step, 4_320_000, 4_320_001, -4_320_000][Int.random(in: 0..<7, using: &random)] : step
    if time >= 8_640_000 { (time, day) = (time - 8_640_000, day + 1) }
    if time < 0 { (time, day) = (time + 8_640_000, day - 1) }
    if oneIn(15) { trouble = Int.random(in: 1...(losesTime ? 9 : 4), using: &random) }
    trouble = max(0, trouble - 1)
    var lines = order
    if oneIn(8) { lines.swapAt(0, lines.count - 1) }
    if oneIn(8) { lines.removeLast() }
    if oneIn(8) { lines.append(pick(Receiver.kinds)) }
    return lines.map { line(body($0)) }
  }

  private func pad(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  private mutating func clock() -> String {
    if trouble > 0, losesTime || oneIn(3) { return "" }
    let late = oneIn(20) ? time - step : oneIn(30) ? time + 1 : time
    let value = max(0, min(late, 8_639_999))
    let seconds = value / 100
    let text = pad(seconds / 3600) + pad(seconds / 60 % 60) + pad(seconds % 60)
    // A tenth of a millisecond less than what begins an epoch.
    if oneIn(25) { return text + "." + pad(value % 100) + "99" }
    return oneIn(4) ? text + "." + pad(value % 100) : value % 100 == 0 ? text : text + "." + pad(value % 100)
  }

  private mutating func date() -> String {
    oneIn(20) ? pick(["", "310215", "060180", "311279", "220899"]) : "\(pad(max(1, day % 28)))0415"
  }
  private mutating func place() -> String {
    if trouble > 0, oneIn(2) { return ",,," }
    return "4404.\(Int.random(in: 1000...9999, using: &random)),N,12118.8472,W"
  }
  private mutating func number(_ list: [String]) -> String { trouble > 0 && oneIn(3) ? "" : pick(list) }
  private mutating func amount() -> String {
    pick(["", "0.0", "1.5", "12.25", "-3.0", "359.9", "360.0", "-10.5", "725.0"])
  }
  private mutating func dilution() -> String { pick(["", "0.9", "1.25", "0.0", "99.99", "-1.0"]) }
  private mutating func used() -> String { number(["08", "03", "04", "02", "00", "12", "300", ""]) }
  private mutating func mode() -> String { pick(["A", "A", "A", "D", "E", "F", "M", "N", "P", "R", "S", "", "Q"]) }
  private mutating func status() -> String {
    trouble > 0 ? pick(["V", "A", ""]) : pick(["A", "A", "A", "D", "V", "X"])
  }

  private mutating func talker() -> String {
    oneIn(4) ? pick(["GP", "GN", "GL", "GA", "GB", "BD", "GQ", "QZ", "GI", "PQ", "IN"]) : "GP"
  }

  private mutating func satellites(_ count: Int) -> String {
    // One alone, too.
    if oneIn(6) { return pick(["01", "65"]) + String(repeating: ",", count: count - 1) }
    return (0..<count).map { _ in pick(["", "01", "12", "31", "65", "40", "120", "201", "301", "193"]) }.joined(
      separator: ",")
  }

  private mutating func body(_ kind: String) -> String {
    switch kind {
    case "RMC": return "\(talker())RMC,\(clock()),\(status()),\(place()),\(amount()),\(amount()),\(date()),,,\(mode())"
    case "GGA":
      return
        "\(talker())GGA,\(clock()),\(place()),\(number(["1", "1", "1", "2", "0", "4", "5", "9", ""])),\(used()),\(dilution()),"
        + "\(pick(["1100.5", "-3.25", ""])),M,\(pick(["-20.0", "46.5", ""])),M,,"
    case "GSA": return gsa(talker())
    case "GPGSA": return gsa("GP")
    case "GNSA": return gsa("GN")
    case "GSAs": return gsa(pick(["GL", "GA", "GB", "GI", "GQ", "BD", "QZ"]))
    case "GLL": return "GPGLL,\(place()),\(clock()),\(status()),\(mode())"
    case "VTG": return "GPVTG,\(amount()),T,,M,\(amount()),N,,K,\(mode())"
    case "ZDA":
      return
        "GPZDA,\(clock()),\(pad(max(1, day % 28))),04,\(oneIn(6) ? pick(["1979", "1980", "", "2015"]) : "2015"),00,00"
    case "GNS":
      return
        "GNGNS,\(clock()),\(place()),\(pick(["AA", "DN", "N", "", "AN", "RR", "NA", "NNA", "NN", "NNNNNF"])),\(used()),\(dilution()),"
        + "\(pick(["406.1", ""])),\(pick(["-26.3", ""])),,,\(pick(["S", "C", "U", "V", ""]))"
    case "GST": return "GPGST,\(clock()),1.0,,,,\(amount()),\(amount()),\(amount())"
    case "GBS": return "GPGBS,\(clock()),\(amount()),\(amount()),\(amount()),,,,"
    case "GSV":
      // Mostly what comes next in a report of up to three, with losses.
      if view.number >= view.count || oneIn(8) { view = (talker(), Int.random(in: 1...3, using: &random), 0) }
      view.number += oneIn(8) ? 2 : 1
      let odd = oneIn(6)
      let count = odd ? pick(["1", "2", "3", ""]) : "\(view.count)"
      return "\(view.talker)GSV,\(count),\(odd ? pick(["1", "1", "2", "3", "0", ""]) : "\(view.number)"),08,"
        + (0..<4).map { _ in "\(pick(["", "01", "12", "40", "65", "120", "201", "301"])),40,083,46" }.joined(
          separator: ",")
        + pick(["", "", "", "", ",1", ",2", ",7", ",8"])
    case "HDT": return "HEHDT,274.07,T"
    case "THS": return "GNTHS,77.52,E"
    case "TXT": return "GNTXT,01,01,02,hello"
    case "PGRME": return "PGRME,\(amount()),M,\(amount()),M,25.0,M"
    case "PGRMZ": return "PGRMZ,\(pick(["246", "", "-12"])),f,\(pick(["1", "2", "3", "0", "4", ""]))"
    case "PGRMF":
      return "PGRMF,290,293895,\(date()),\(clock()),13,\(place()),\(pick(["A", "A", "M", ""])),"
        + "\(pick(["0", "1", "2", "3", ""])),\(amount()),\(amount()),2,1"
    case "PMGNST":
      return "PMGNST,01.75,\(pick(["1", "2", "3", "4", ""])),\(pick(["T", "T", "F", ""])),816,11.1,-00496,00"
    case "PSRFEPE": return "PSRFEPE,\(clock()),\(status()),\(dilution()),\(amount()),\(amount()),0.0,180.0"
    case "PSTI":
      return "PSTI,030,\(clock()),\(status()),\(place()),\(pick(["103.3", ""])),\(pick(["0.0", "1.5", "-4.5", ""])),"
        + "\(pick(["0.0", "-2.5", "3.5", ""])),0.0,\(date()),\(mode()),1.2,4.2"
    case "PASHR":
      return
        "PASHR,POS,\(pick(["0", "1", "2", "3", "4", ""])),\(used()),\(clock()),\(place()),\(pick(["21.5", ""])),,\(amount()),\(amount()),0.1,"
        + "\(dilution()),\(dilution()),\(dilution()),1.1,A"
    case "PUBX": return "PUBX,00"
    default: return "SD\(kind),1.0,f"
    }
  }

  private mutating func gsa(_ talker: String) -> String {
    "\(talker)GSA,A,\(pick(["3", "3", "2", "1", "E", "", "4"])),\(satellites(12)),\(dilution()),\(dilution()),\(dilution())"
      + pick(["", "", ",1", ",2", ",3", ",4"])
  }
}

@Suite struct EpochStoryTests {
  @Test func whateverAReceiverSendsItBecomesTheFixesOfTheManual() {
    var fixCount = 0
    for seed in 1...700 as ClosedRange<UInt64> {
      var receiver = Receiver(seed: seed)
      let rollover = seed % 7 == 0 ? CivilDate(year: 2026, month: 1, day: 1) : nil
      let silence: Interval = seed % 5 == 0 ? .milliseconds(120) : .milliseconds(300)
      let holds = seed % 6 != 1
      let counts = seed % 3 == 1
      var both = Both(
        real: seed % 5 == 0 || !holds || rollover != nil || counts
          ? EpochAssembler(
            rolloverReference: rollover, silenceAfter: silence, holdsThreeDimensional: holds, countsSatellites: counts)
          : EpochAssembler(),
        plain: PlainEpochs(rollover: rollover, silence: silence, holds: holds, counts: counts))
      var framer = SentenceFramer()
      var now = Instant.zero
      var story: [String] = []
      for _ in 0..<24 {
        for text in receiver.epoch() {
          now = now + .milliseconds([0, 1, 40, 119, 120, 299, 300][Int.random(in: 0..<7, using: &receiver.random)])
          both.real.advance(to: now)
          both.plain.advance(to: now)
          both.real.now = now
          both.plain.now = now
          story.append(text)
          framer.receive(Array(text.utf8).span, into: &both)
          // Now and then nobody fetches for a while.
          if seed % 40 != 0, let trouble = difference(&both, &fixCount) {
            Issue.record("seed \(seed): \(trouble) after\n\(story.suffix(12).joined())")
            return
          }
        }
      }
      both.real.flush()
      both.plain.flush()
      #expect(Int(both.real.droppedFixCount) == both.plain.lost)
      if let trouble = difference(&both, &fixCount) { Issue.record("seed \(seed): \(trouble) at the end") }
    }
    #expect(fixCount > 10_000)
  }

  private func difference(_ both: inout Both, _ count: inout Int) -> String? {
    for expected in both.plain.found {
      let fix = both.real.nextFix()
      if fix != expected { return "\(fix.map { "\($0)" } ?? "no fix"), expected \(expected)" }
      count += 1
    }
    both.plain.found = []
    if let more = both.real.nextFix() { return "one fix too many: \(more)" }
    if both.real.nextDeadline != both.plain.deadline {
      return "due \(String(describing: both.real.nextDeadline)), expected \(String(describing: both.plain.deadline))"
    }
    return nil
  }

  @Test func bytesThatComeWhenTheSilenceIsOverBelongToAnotherFix() {
    for (late, count) in [(299, 1), (300, 2)] {
      var receiver = NMEAReceiver()
      let first = line("GPRMC,120000,A,4404.1234,N,12118.8472,W,10.0,90.0,130415,,,A")
      let second = line("GPGGA,120000,4404.1234,N,12118.8472,W,1,08,0.9,1100.5,M,-20.0,M,,")
      receiver.receive(Array(first.utf8).span, at: .seconds(5))
      receiver.receive(Array(second.utf8).span, at: .seconds(5) + .milliseconds(late))
      receiver.finish()
      var found: [GNSSFix] = []
      while let fix = receiver.nextFix() { found.append(fix) }
      #expect(found.count == count && found.last?.heightAboveSeaLevel == 1100.5)
      #expect(found.first?.heightAboveSeaLevel == (count == 1 ? 1100.5 : nil))
    }
  }

  @Test func aSentenceBegunAtTheEndOfARecordingIsNotEndedByTheNextOne() {
    let whole = Array(line("GPRMC,120000,A,4404.1234,N,12118.8472,W,10.0,90.0,130415,,,A").utf8)
    var receiver = NMEAReceiver()
    let (head, tail) = (Array(whole[..<40]), Array(whole[40...]))
    receiver.receive(head.span, at: .zero)
    receiver.finish()
    receiver.receive(tail.span, at: .seconds(1))
    receiver.finish()
    #expect(receiver.nextFix() == nil && receiver.rejections.acceptedSentences == 0)
    #expect(Int(receiver.rejections.junkBytes + receiver.rejections.separatorBytes) == whole.count)
    receiver.receive(whole.span, at: .seconds(2))
    receiver.finish()
    #expect(receiver.nextFix()?.time == .seconds(2) && receiver.rejections.interrupted == 0)
  }

  @Test func eightFixesWaitAndTheNinthIsLost() {
    for count in [8, 9, 10] {
      var receiver = NMEAReceiver()
      let text = (10..<10 + count).map { line("GPRMC,1200\($0),A,4404.1234,N,12118.8472,W,10.0,90.0,130415,,,A") }
        .joined()
      receiver.receive(Array(text.utf8).span, at: .zero)
      receiver.finish()
      #expect(Int(receiver.rejections.droppedFixes) == count - 8)
      var times: [Int64] = []
      while let fix = receiver.nextFix() { times.append((fix.utc?.microsecondsOfDay ?? 0) / 1_000_000 - 43_200) }
      #expect(times == Array(10..<18))
      // And there is room again.
      let more = line("GPRMC,120059,A,4404.1234,N,12118.8472,W,10.0,90.0,130415,,,A")
      receiver.receive(Array(more.utf8).span, at: .seconds(1))
      receiver.finish()
      #expect(receiver.nextFix()?.time == .seconds(1) && Int(receiver.rejections.droppedFixes) == count - 8)
    }
  }

  @Test func theDayOfTheReferenceKeepsItsDateAndTheDayBeforeMovesOn() {
    let reference = CivilDate(year: 2015, month: 4, day: 13)
    for (date, year, month, day) in [("130415", 2015, 4, 13), ("120415", 2034, 11, 26), ("140415", 2015, 4, 14)] {
      let text = line("GPRMC,120000,A,4404.1234,N,12118.8472,W,10.0,90.0,\(date),,,A")
      let found = fixes(text, rolloverReference: reference).first?.utc?.date
      #expect(found == CivilDate(year: year, month: month, day: day), "\(date)")
    }
  }

  @Test func aTextIsKeptUpToSixtyFourBytes() {
    for count in [0, 1, 63, 64, 65, 90] {
      guard case .txt(let text) = parsed("GNTXT,01,01,02," + String(repeating: "t", count: count)) else {
        Issue.record("no TXT of \(count) bytes")
        continue
      }
      #expect(text.text.count == min(count, 64) && text.text.isTruncated == (count > 64))
    }
  }
}
