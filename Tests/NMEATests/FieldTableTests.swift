import NMEA
import Quantities
import Testing

/// Every property of a sentence as text; what is unknown is empty.
func properties(of sentence: Sentence) -> [String: String] {
  var found: [String: String] = [:]
  let value: Any =
    switch sentence {
    case .rmc(let value): value
    case .gga(let value): value
    case .gsa(let value): value
    case .gsv(let value): value
    case .gll(let value): value
    case .vtg(let value): value
    case .zda(let value): value
    case .gns(let value): value
    case .gst(let value): value
    case .gbs(let value): value
    case .hdt(let value): value
    case .ths(let value): value
    case .txt(let value): value
    case .pgrme(let value): value
    case .pgrmz(let value): value
    case .pgrmf(let value): value
    case .pmgnst(let value): value
    case .psrfepe(let value): value
    case .psti030(let value): value
    case .pashrpos(let value): value
    }
  func letter(_ byte: UInt8) -> String { byte == 0 ? "" : String(UnicodeScalar(byte)) }
  for child in Mirror(reflecting: value).children {
    guard let name = child.label else { continue }
    switch child.value {
    case let talker as Talker: found[name] = letter(UInt8(talker.letters >> 8)) + letter(UInt8(talker.letters & 0xFF))
    case let mode as ModeIndicator: found[name] = letter(mode.letter)
    case let status as NavigationStatus: found[name] = letter(status.letter)
    case let status as FixStatus: found[name] = status == .unknown ? "" : "\(status)"
    case let date as ShortDate?: found[name] = date.map { "\($0.day).\($0.month).\($0.yearOfCentury)" } ?? ""
    case let number as Int32?: found[name] = number.map { "\($0)" } ?? ""
    case let number as Int64?: found[name] = number.map { "\($0)" } ?? ""
    case let number as UInt16?: found[name] = number.map { "\($0)" } ?? ""
    case let number as Int16?: found[name] = number.map { "\($0)" } ?? ""
    case let number as UInt8: found[name] = number == 0 ? "" : "\(number)"
    case let flag as Bool: found[name] = "\(flag)"
    default: break
    }
  }
  switch sentence {
  case .gns(let value): found["modes"] = (0..<6).map { letter(value.modes[$0]) }.joined()
  case .gsa(let value):
    for place in 0..<24 {
      found["satellites\(place)"] = value.satellites[place] == 0 ? "" : "\(value.satellites[place])"
    }
  case .gsv(let value):
    for entry in 0..<4 {
      let satellite = value.satellites[entry]
      found["satellite\(entry)"] = satellite.number == 0 ? "" : "\(satellite.number)"
      found["elevation\(entry)"] = satellite.elevationDegrees.map { "\($0)" } ?? ""
      found["azimuth\(entry)"] = satellite.azimuthDegrees.map { "\($0)" } ?? ""
      found["signal\(entry)"] = satellite.signalToNoise.map { "\($0)" } ?? ""
    }
  case .txt(let value):
    var text = ""
    for place in 0..<value.text.count { text += letter(value.text[place]) }
    found["text"] = text
  default: break
  }
  return found
}

/// Takes the sentences of a framer as they come, the damaged ones too.
private struct Catcher: SentenceVisitor {
  var found: [Sentence] = []
  mutating func receive(_ sentence: RMC) { found.append(.rmc(sentence)) }
  mutating func receive(_ sentence: GGA) { found.append(.gga(sentence)) }
  mutating func receive(_ sentence: GSA) { found.append(.gsa(sentence)) }
  mutating func receive(_ sentence: GSV) { found.append(.gsv(sentence)) }
  mutating func receive(_ sentence: GLL) { found.append(.gll(sentence)) }
  mutating func receive(_ sentence: VTG) { found.append(.vtg(sentence)) }
  mutating func receive(_ sentence: ZDA) { found.append(.zda(sentence)) }
  mutating func receive(_ sentence: GNS) { found.append(.gns(sentence)) }
  mutating func receive(_ sentence: GST) { found.append(.gst(sentence)) }
  mutating func receive(_ sentence: GBS) { found.append(.gbs(sentence)) }
  mutating func receive(_ sentence: HDT) { found.append(.hdt(sentence)) }
  mutating func receive(_ sentence: THS) { found.append(.ths(sentence)) }
  mutating func receive(_ sentence: TXT) { found.append(.txt(sentence)) }
  mutating func receive(_ sentence: PGRME) { found.append(.pgrme(sentence)) }
  mutating func receive(_ sentence: PGRMZ) { found.append(.pgrmz(sentence)) }
  mutating func receive(_ sentence: PGRMF) { found.append(.pgrmf(sentence)) }
  mutating func receive(_ sentence: PMGNST) { found.append(.pmgnst(sentence)) }
  mutating func receive(_ sentence: PSRFEPE) { found.append(.psrfepe(sentence)) }
  mutating func receive(_ sentence: PSTI030) { found.append(.psti030(sentence)) }
  mutating func receive(_ sentence: PASHRPOS) { found.append(.pashrpos(sentence)) }
}

private func caught(_ text: String) -> (sentences: [Sentence], counts: RejectionCounts) {
  var framer = SentenceFramer()
  var catcher = Catcher()
  framer.receive(Array(text.utf8).span, into: &catcher)
  return (catcher.found, framer.counts)
}

@Suite struct FieldTableTests {
  private func expected(_ table: FieldTable, without fields: [Int]) -> [String: String] {
    var result: [String: String] = [:]
    for property in table.properties {
      let isLost = property.fields.contains { fields.contains($0) }
      result[property.name] = isLost ? property.value == "true" ? "false" : "" : property.value
    }
    return result
  }

  private func compare(_ table: FieldTable, _ sentence: Sentence?, without fields: [Int], _ what: String) {
    guard let sentence else {
      Issue.record("\(table.name): nothing came, \(what)")
      return
    }
    let found = properties(of: sentence)
    for (name, value) in expected(table, without: fields).sorted(by: { $0.key < $1.key }) where found[name] != value {
      Issue.record("\(table.name).\(name) is '\(found[name] ?? "missing")', not '\(value)', \(what)")
    }
  }

  private func cells(_ table: FieldTable) -> [String] {
    table.body.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(arguments: FieldTable.all) func everyFieldIsReadFromItsPlaceInItsUnit(table: FieldTable) {
    compare(table, parsed(table.body), without: [], "whole")
  }

  @Test(arguments: FieldTable.all) func anEmptyFieldIsUnknownAndTouchesNoOther(table: FieldTable) {
    let cells = cells(table)
    for field in 1..<cells.count where table.name != "TXT" || field < 4 {
      // What tells the kind, or the version, of a sentence is not left out.
      if ["PSTI030", "PASHRPOS"].contains(table.name), field == 1 { continue }
      var some = cells
      some[field] = ""
      compare(table, parsed(some.joined(separator: ",")), without: [field], "field \(field) empty")
    }
  }

  @Test(arguments: FieldTable.all) func aFieldWithoutSenseIsUnknownAndIsCountedByItsNumber(table: FieldTable) {
    let cells = cells(table)
    for field in table.strict {
      for nonsense in ["x", "?1", "1.2.3", "--1", "99999999999", "+"] {
        var some = cells
        some[field] = nonsense
        let body = some.joined(separator: ",")
        let (sentences, counts) = caught(line(body))
        compare(table, sentences.first, without: [field], "field \(field) is \(nonsense)")
        #expect(counts.malformedField == 1 && counts.acceptedSentences == 1)
        #expect(error(of: line(body)) == .malformedField(number: UInt8(field)), "\(body)")
        // Without a checksum all of it is refused.
        let bare = caught("$\(body)\r\n")
        #expect(bare.sentences.isEmpty && bare.counts.malformedField == 1 && bare.counts.missingChecksum == 1)
      }
    }
  }

  @Test(arguments: FieldTable.all) func aSentenceThatEndsEarlierIsReadAsFarAsItGoes(table: FieldTable) {
    let cells = cells(table)
    for count in 1..<cells.count {
      let body = cells[..<count].joined(separator: ",")
      if count < table.minimum {
        // PASHR without its second field is no position.
        if body == "PASHR" || body == "PSTI" { continue }
        #expect(error(of: line(body)) == .tooFewFields(found: UInt8(count)), "\(body)")
        #expect(caught(line(body)).counts.tooFewFields == 1)
      } else if ["GSV", "TXT", "VTG", "VTG without units"].contains(table.name) == false {
        compare(table, parsed(body), without: Array(count..<cells.count), "\(count) fields")
      }
    }
  }

  @Test(arguments: FieldTable.all) func writtenAndReadAgainItIsTheSame(table: FieldTable) throws {
    let sentence = try parse(line(table.body))
    var list = ByteList()
    switch sentence {
    case .rmc(let value): value.encode(into: &list)
    case .gga(let value): value.encode(into: &list)
    case .gsa(let value): value.encode(into: &list)
    case .gsv(let value): value.encode(into: &list)
    case .gll(let value): value.encode(into: &list)
    case .vtg(let value): value.encode(into: &list)
    case .zda(let value): value.encode(into: &list)
    case .gns(let value): value.encode(into: &list)
    case .gst(let value): value.encode(into: &list)
    case .gbs(let value): value.encode(into: &list)
    case .hdt(let value): value.encode(into: &list)
    case .ths(let value): value.encode(into: &list)
    case .txt(let value): value.encode(into: &list)
    default: return
    }
    #expect(properties(of: try parse(list.text)) == properties(of: sentence), "\(list.text)")
    let bytes = Array(list.text.utf8)
    #expect(bytes.first == 0x24 && bytes[bytes.count - 5] == 0x2A && bytes.suffix(2) == [0x0D, 0x0A])
  }

  @Test func gsvHasAsManyEntriesAsThereAreAndASignalBehindThem() {
    for entries in 0...4 {
      for signal in ["", ",1", ",A", ",x"] {
        let body =
          "GPGSV,3,2,11" + (0..<entries).map { ",1\($0),40,083,4\($0)" }.joined() + (entries == 0 ? "" : signal)
        guard case .gsv(let view) = parsed(body) else {
          Issue.record("\(body) is not read")
          continue
        }
        #expect(Int(view.entryCount) == entries, "\(body)")
        let expected: UInt8 = entries == 0 ? 0 : ["": 0, ",1": 1, ",A": 10, ",x": 0][signal] ?? 0
        #expect(view.signalIdentifier == expected, "\(body)")
      }
    }
  }

  @Test func aShortVTGIsOneWithoutUnits() {
    for (body, magnetic, knots) in [
      ("GPVTG,054.7,T,034.4,M,005.5,N", "344000", "5500000"), ("GPVTG,054.7,034.4,005.5,010.2,,", "344000", "5500000"),
      ("GPVTG,054.7,,034.4,,005.5,,010.2,", "344000", "5500000"), ("GPVTG,054.7,T,034.4,M", "344000", ""),
    ] {
      let found = parsed(body).map(properties(of:))
      #expect(found?["magneticCourseDegreesE4"] == magnetic && found?["speedKnotsE6"] == knots, "\(body)")
    }
  }

  @Test func aWideGSAHasTwentyFourPlacesAndItsDilutionsAtTheEnd() {
    for places in 12...24 {
      let numbers = (1...places).map(String.init).joined(separator: ",")
      let found = parsed("GPGSA,A,3,\(numbers),1.5,2.5,3.5").map(properties(of:)) ?? [:]
      // From 21 fields on it is a wide one.
      guard places >= 15 || places == 12 else { continue }
      #expect(found["positionDilutionE2"] == "150" && found["horizontalDilutionE2"] == "250", "\(places)")
      #expect(found["verticalDilutionE2"] == "350" && found["systemIdentifier"] == "")
      for place in 0..<24 { #expect(found["satellites\(place)"] == (place < places ? "\(place + 1)" : "")) }
    }
  }

  @Test func ofTwoFieldsWithoutSenseTheFirstIsNamed() {
    #expect(error(of: line("GPRMC,225446,A,4916.45,N,12311.12,W,x,y,191194,,,A")) == .malformedField(number: 7))
    #expect(error(of: line("GPGGA,2,4807.038,N,01131.324,E,1,08,z,5,M,4,M,,q")) == .malformedField(number: 1))
    #expect(error(of: line("GPGSV,1,1,02,01,40,x,46,02,y,308,41")) == .malformedField(number: 6))
  }

  @Test func everyNumberOfASatelliteBelongsToTheConstellationOfTheManual() {
    let talkers = ["GP", "GN", "GL", "GA", "GB", "BD", "PQ", "GQ", "QZ", "GI", "II", "GX", "QX"].map {
      Talker(Array($0.utf8)[0], Array($0.utf8)[1])
    }
    for talker in talkers {
      for number in 0...700 as ClosedRange<UInt16> {
        let found = Constellation(satelliteNumber: number, talker: talker, system: nil)
        #expect(found == PlainSatellites.constellation(number, talker), "\(number) of \(talker.letters)")
      }
    }
    // What the system identifier says comes before the talker.
    let systems: [Constellation?] = [nil, .gps, .glonass, .galileo, .beiDou, .qzss, .navIC, nil, nil]
    for identifier in 0...8 as ClosedRange<UInt8> {
      let system = Constellation(systemIdentifier: identifier)
      #expect(system == systems[Int(identifier)])
      guard let system else { continue }
      for number in [1, 32, 33, 64, 65, 120, 193, 301] as [UInt16] {
        let talker: Talker = system == .gps ? .gps : system == .glonass ? .glonass : .combined
        let expected = system == .gps || system == .glonass ? PlainSatellites.constellation(number, talker) : system
        #expect(Constellation(satelliteNumber: number, talker: .galileo, system: system) == expected)
      }
      #expect(Constellation(satelliteNumber: 0, talker: .gps, system: system) == nil)
    }
    let names: [(Talker, Constellation?)] = [
      (.gps, .gps), (.glonass, .glonass), (.galileo, .galileo), (.beiDou, .beiDou), (.qzss, .qzss), (.navIC, .navIC),
      (.combined, nil), (Talker(0x42, 0x44), .beiDou), (Talker(0x50, 0x51), .beiDou), (Talker(0x51, 0x5A), .qzss),
    ]
    for (talker, constellation) in names { #expect(talker.constellation == constellation) }
  }
}
