import ASCIIText
import Quantities

/// The numbers of a date and a time as modems write them, in whatever way they are parted.
///
/// `19/06/26,06:04:03","+32",0` (a quote is missing in real ones), `2019,6,26,6,4,3,"+32",0`, `"19/06/26,14:04:03+32"` and
/// `2018/01/09,10:28:59` are all the same to it: runs of digits in the order of the calendar, then perhaps a zone with its
/// sign, then perhaps an hour of summer time.
struct ClockText {
  /// Year to second as written, taken as UTC.
  var civil: UTCTime
  /// Zone in quarters of an hour east of Greenwich.
  var zoneQuarterHours: Int8?
  /// Hours of summer time within the zone.
  var daylightSavingHours: UInt8?

  /// Reads a text; nil when anything but six to eight numbers in range stands in it.
  init?(_ text: Span<UInt8>) {
    var numbers = InlineArray<8, Int>(repeating: 0)
    var signs = InlineArray<8, Int>(repeating: 0)
    var count = 0
    var place = 0
    while place < text.count {
      let byte = text[place]
      if isDigit(byte) {
        guard count < 8 else { return nil }
        var digits = 0
        while place < text.count && isDigit(text[place]) {
          guard digits < 4 else { return nil }
          numbers[count] = numbers[count] * 10 + Int(text[place] - 0x30)
          digits += 1
          place += 1
        }
        count += 1
        continue
      }
      switch byte {
      case 0x2B, 0x2D:
        // A sign belongs to the number right after it.
        guard count < 8, place + 1 < text.count, isDigit(text[place + 1]) else { return nil }
        signs[count] = byte == 0x2D ? -1 : 1
      case 0x20, 0x22, 0x2C, 0x2F, 0x3A: break
      default: return nil
      }
      place += 1
    }
    guard count >= 6 else { return nil }
    for index in 0..<6 where signs[index] != 0 { return nil }
    let year = numbers[0] < 100 ? 2000 + numbers[0] : numbers[0]
    guard year >= 2016, year < 2080, let date = CivilDate(year: year, month: numbers[1], day: numbers[2]),
      numbers[3] < 24, numbers[4] < 60, numbers[5] <= 60
    else { return nil }
    let seconds = Int64(numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
    civil = UTCTime(date: date, microsecondsOfDay: seconds * 1_000_000)
    zoneQuarterHours = nil
    daylightSavingHours = nil
    if count > 6 {
      // The earth has zones from -12 to +14 hours.
      guard numbers[6] <= 56 else { return nil }
      zoneQuarterHours = Int8(truncatingIfNeeded: signs[6] < 0 ? -numbers[6] : numbers[6])
    }
    if count > 7 {
      guard signs[7] == 0, numbers[7] <= 2 else { return nil }
      daylightSavingHours = UInt8(truncatingIfNeeded: numbers[7])
    }
  }

  /// UTC, when the text is local time of its zone.
  var utcOfLocal: UTCTime { civil - .seconds(Int(zoneQuarterHours ?? 0) * 900) }
}

/// A time that the network or the clock of the modem told.
@frozen package struct NetworkTime: Equatable, BitwiseCopyable, Sendable {
  /// The time.
  package var utc: UTCTime
  /// Zone in quarters of an hour east of Greenwich, summer time included; nil when it was not told.
  package var zoneQuarterHours: Int8?
  /// Hours of summer time within the zone; nil when they were not told.
  package var daylightSavingHours: UInt8?

  /// A time.
  package init(utc: UTCTime, zoneQuarterHours: Int8? = nil, daylightSavingHours: UInt8? = nil) {
    self.utc = utc
    self.zoneQuarterHours = zoneQuarterHours
    self.daylightSavingHours = daylightSavingHours
  }
}
