import NMEA
import Quantities
import Testing

/// Numbers in fields against a plain reader of text.
private enum Reading<Value: Equatable>: Equatable {
  case unknown, nonsense
  case value(Value)
}

private func plainFixed(_ text: String, decimals: Int, in range: ClosedRange<Int64>) -> Reading<Int64> {
  var bytes = Array(text.utf8)
  while bytes.first == 0x20 { bytes.removeFirst() }
  while bytes.last == 0x20 { bytes.removeLast() }
  if bytes.isEmpty { return .unknown }
  guard bytes.count <= 24 else { return .nonsense }
  let isNegative = bytes.first == 0x2D
  if isNegative || bytes.first == 0x2B { bytes.removeFirst() }
  let parts = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
  guard parts.count <= 2, bytes.contains(where: { $0 != 0x2E }) else { return .nonsense }
  guard parts.allSatisfy({ $0.allSatisfy { (48...57).contains($0) } }) else { return .nonsense }
  var fraction = parts.count == 2 ? parts[1].map { Int($0) - 48 } : []
  while fraction.count <= decimals { fraction.append(0) }
  var value: Int64 = 0
  for digit in parts[0].map({ Int64($0) - 48 }) + fraction[..<decimals].map(Int64.init) {
    value = value * 10 + digit
    // Beyond all ranges.
    if value > 1 << 40 { return .nonsense }
  }
  if fraction[decimals] >= 5 { value += 1 }
  let signed = isNegative ? -value : value
  return range.contains(signed) ? .value(signed) : .nonsense
}

private func plainTime(_ text: String) -> Reading<Int64> {
  let bytes = Array(text.utf8)
  if bytes.isEmpty { return .unknown }
  guard bytes.count >= 6, bytes[..<6].allSatisfy({ (48...57).contains($0) }) else { return .nonsense }
  func pair(_ place: Int) -> Int64 { Int64(bytes[place] - 48) * 10 + Int64(bytes[place + 1] - 48) }
  guard pair(0) <= 23, pair(2) <= 59, pair(4) <= 60 else { return .nonsense }
  var micros: Int64 = 0
  if bytes.count > 6 {
    guard bytes[6] == 0x2E, bytes[7...].allSatisfy({ (48...57).contains($0) }) else { return .nonsense }
    // Digits beyond microseconds are dropped.
    for place in 7..<13 { micros = micros * 10 + (place < bytes.count ? Int64(bytes[place] - 48) : 0) }
  }
  return .value(((pair(0) * 60 + pair(2)) * 60 + pair(4)) * 1_000_000 + micros)
}

/// Degrees and minutes as nanodegrees and sixths of one.
private func plainAngle(_ text: String, limit: Int64) -> Reading<Int64> {
  let bytes = Array(text.utf8)
  if bytes.isEmpty { return .unknown }
  let parts = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
  guard bytes.count <= 16, parts.count <= 2, parts.allSatisfy({ $0.allSatisfy { (48...57).contains($0) } }) else {
    return .nonsense
  }
  let whole = parts[0].reduce(Int64(0)) { ($0 * 10 + Int64($1) - 48) % 100_000_000_000_000 }
  var minutes = whole % 100
  for place in 0..<8 {
    minutes =
      minutes * 10
      + (parts.count == 2 && place < parts[1].count ? Int64(parts[1][place + parts[1].startIndex]) - 48 : 0)
  }
  guard whole / 100 <= 180, minutes < 6_000_000_000 else { return .nonsense }
  let sixths = whole / 100 * 6_000_000_000 + minutes
  return (sixths + 3) / 6 <= limit * 1_000_000_000 ? .value(sixths) : .nonsense
}

private func reading<Value: Equatable>(_ value: Value?, _ counts: RejectionCounts) -> Reading<Value> {
  if let value { return .value(value) }
  return counts.malformedField == 0 ? .unknown : .nonsense
}

private struct Last: SentenceVisitor {
  var gll: GLL?
  var rmc: RMC?
  var gga: GGA?
  var zda: ZDA?
  mutating func receive(_ sentence: GLL) { gll = sentence }
  mutating func receive(_ sentence: RMC) { rmc = sentence }
  mutating func receive(_ sentence: GGA) { gga = sentence }
  mutating func receive(_ sentence: ZDA) { zda = sentence }
}

private func last(_ body: String) -> (Last, RejectionCounts) {
  var framer = SentenceFramer()
  var visitor = Last()
  framer.receive(Array(line(body).utf8).span, into: &visitor)
  return (visitor, framer.counts)
}

@Suite struct NumberTests {
  /// Texts that are numbers, nearly numbers, and none.
  private func texts(_ seed: UInt64, _ count: Int) -> [String] {
    var generator = SeededGenerator(state: seed)
    let whole: ClosedRange<Int> = 0...99999
    return (0..<count).map { index in
      switch index % 4 {
      case 0:
        return String(
          (0..<Int.random(in: 0...13, using: &generator)).map { _ in
            "0123456789.-+ ".randomElement(using: &generator) ?? "0"
          })
      case 1: return "\(Int.random(in: whole, using: &generator)).\(Int.random(in: 0...9_999_999, using: &generator))"
      case 2:
        return ["", "-", "+", " "].randomElement(using: &generator).map {
          $0 + "\(Int.random(in: 0...300_000, using: &generator))"
        } ?? ""
      default:
        return String(
          (0..<Int.random(in: 1...9, using: &generator)).map { _ in "01259.".randomElement(using: &generator) ?? "0" })
      }
    }
  }

  static let edges = [
    "", " ", "0", "-0", "+0", ".", "-.", "+.5", "-.5", ".5", "5.", "-5.", "0.00005", "0.00004", "-0.00005",
    "0.000049999999",
    "214748.3647", "214748.3648", "-214748.3647", "-214748.3648", "2147.483647", "2147.483648", "21474836.47",
    "21474836.48",
    "65535", "65536", "65535.4", "65535.5", "-1", "-0.4", "-0.5", "1e5", "1,5", " 7 ", "7 7", "999", "-999", "-1000",
    "9999",
    "10000", "99999999999", "00000000000000000000001", "000000000000000000000001", "0000000000000000000000001", "--1",
    "1-",
    "+-1", "1.2.3", "0.1234567890123456789012", "0.12345678901234567890123",
  ]

  @Test func amountsAreReadRoundedAndRefusedAsAPlainReaderDoes() {
    let range = -Int64(Int32.max)...Int64(Int32.max)
    for text in NumberTests.edges + texts(3, 4000) where !text.contains(",") {
      let (speed, c6) = last("GPRMC,,A,,,,,\(text),,,,,A")
      #expect(
        reading(speed.rmc?.speedKnotsE6.map(Int64.init), c6) == plainFixed(text, decimals: 6, in: range),
        "six of '\(text)'")
      let (course, c4) = last("GPRMC,,A,,,,,,\(text),,,,A")
      #expect(
        reading(course.rmc?.courseDegreesE4.map(Int64.init), c4) == plainFixed(text, decimals: 4, in: range),
        "four of '\(text)'")
      let (dilution, c2) = last("GPGGA,,,,,,,,\(text),,M,,M,,")
      #expect(
        reading(dilution.gga?.horizontalDilutionE2.map(Int64.init), c2) == plainFixed(text, decimals: 2, in: range),
        "two of '\(text)'")
    }
  }

  @Test func wholeNumbersAreReadAndRefusedAsAPlainReaderDoes() {
    for text in NumberTests.edges + texts(4, 4000) + (0...1200).map(String.init) where !text.contains(",") {
      let (some, counts) = last("GPGGA,,,,,,,\(text),,,M,,M,,")
      #expect(
        reading(some.gga?.satellitesUsed.map(Int64.init), counts) == plainFixed(text, decimals: 0, in: 0...65535),
        "'\(text)'")
      let (zone, signed) = last("GPZDA,,,,,\(text),")
      #expect(
        reading(zone.zda?.zoneHours.map(Int64.init), signed) == plainFixed(text, decimals: 0, in: -999...9999),
        "'\(text)'")
    }
  }

  @Test func timesAreReadAndRefusedAsAPlainReaderDoes() {
    var generator = SeededGenerator(state: 9)
    var times = [
      "", "235959", "240000", "236000", "235960", "235961", "2359", "23595", "2359591", "235959.", "235959.9",
      "235959.999999", "235959.9999999", "000000", "235959.x", "23:59:59", "235959.000001",
    ]
    for _ in 0..<2000 {
      let digits = String((0..<6).map { _ in "0123456".randomElement(using: &generator) ?? "0" })
      let endings = ["", ".", ".5", ".25", ".123456", ".1234567", ".000001"]
      times.append(digits + endings[Int.random(in: 0..<endings.count, using: &generator)])
    }
    for text in times {
      let (some, counts) = last("GPZDA,\(text),01,01,2020,,")
      #expect(reading(some.zda?.timeOfDayMicroseconds, counts) == plainTime(text), "'\(text)'")
    }
  }

  @Test func coordinatesAreReadAndRefusedAsAPlainReaderDoes() {
    var generator = SeededGenerator(state: 12)
    var angles = [
      "", "0", "00", "5959", "6000", "8959.99999999", "9000", "9000.00000001", "9000.0000001", "9000.00000004",
      "9000.00000002", "9001", "17959.99999999", "18000", "18000.0000001", "18001", "1.", ".5", ".", "4916.123456789",
      "4916.12345678912", "123456789012.123", "49x16", "49.16.5", "-4916", "4960.0", "4959.99999999",
    ]
    for _ in 0..<3000 {
      let whole = String(Int.random(in: 0...18100, using: &generator))
      let places = Int.random(in: 0...9, using: &generator)
      angles.append(
        places == 0
          ? whole : whole + "." + (0..<places).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined())
    }
    for text in angles {
      for (limit, letters) in [(90, "NS"), (180, "EW")] as [(Int64, String)] {
        for letter in letters {
          let body = limit == 90 ? "GPGLL,\(text),\(letter),,,000000,A" : "GPGLL,,,\(text),\(letter),000000,A"
          let (some, counts) = last(body)
          let found = limit == 90 ? some.gll?.latitudeE9 : some.gll?.longitudeE9
          let expected = plainAngle(text, limit: limit)
          guard case .value(let sixths) = expected, let found else {
            #expect(reading(found, counts) == expected, "'\(text)' \(letter)")
            continue
          }
          let magnitude = "SW".contains(letter) ? -found : found
          // Half a nanodegree at most; of two equally near either.
          #expect((magnitude * 6 - sixths).magnitude <= 3, "'\(text)' \(letter)")
        }
      }
    }
    for (letter, isRead) in [("N", true), ("S", true), ("E", false), ("n", false), ("NX", true), ("", true)] {
      let (some, counts) = last("GPGLL,4916.45,\(letter),,,000000,A")
      #expect(
        (counts.malformedField == 0) == isRead && (some.gll?.latitudeE9 != nil) == (isRead && letter != ""), "\(letter)"
      )
    }
  }

  @Test func datesAreReadAndRefusedDigitByDigit() {
    for text in [
      "010100", "311299", "000100", "320100", "310099", "311300", "31129", "3112999", "3112x9", "010180", "010179", "",
    ] {
      let (some, counts) = last("GPRMC,,A,,,,,,,\(text),,,A")
      let numbers = stride(from: 0, to: 6, by: 2).compactMap { place in
        text.count == 6 ? UInt8(text.dropFirst(place).prefix(2)) : nil
      }
      let isDate = numbers.count == 3 && (1...31).contains(numbers[0]) && (1...12).contains(numbers[1])
      #expect(
        (some.rmc?.date != nil) == isDate && (counts.malformedField == 0) == (isDate || text.isEmpty), "'\(text)'")
      if isDate {
        #expect(some.rmc?.date == ShortDate(day: numbers[0], month: numbers[1], yearOfCentury: numbers[2]))
        let year = Int(numbers[2]) + (numbers[2] < 80 ? 2000 : 1900)
        let date = CivilDate(year: year, month: Int(numbers[1]), day: Int(numbers[0]))
        #expect(some.rmc?.date?.civilDate == date, "'\(text)'")
      }
    }
  }

  @Test func magneticVariationIsEastUnlessTheLetterSaysWest() {
    let table: [(fields: String, value: Int32?)] = [
      ("1.5,E", 15_000), ("1.5,W", -15_000), ("1.5,", nil), (",E", nil), ("0.0,W", 0), ("-2.0,W", 20_000),
    ]
    for row in table {
      let found: Int32? = last("GPRMC,,A,,,,,,,,\(row.fields),A").0.rmc.flatMap(\.magneticVariationDegreesE4)
      #expect(found == row.value, "\(row.fields)")
    }
  }
}
