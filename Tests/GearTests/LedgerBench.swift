import Gear
import Quantities
import Telemetry
import TrackerRuntime

/// Gear without a tracker, which is asked in the words of requests.
final class LedgerBench {
  private var ledger = GearLedger()
  /// The present day, since 1970; 0 while nobody knows it.
  var day = 20_000

  init() {}

  /// Asks, and tells reason and value of the answer.
  @discardableResult func ask(_ text: String, number: UInt32 = 0) -> String {
    let words = Array(text.utf8)
    let tracker = Array("leash".utf8)
    let utc = day > 0 ? UTCTime(microseconds: Int64(day) * 86_400_000_000 + 5_000_000) : nil
    let answer = ledger.obey(words.span, request: number, utc: utc, tracker: tracker.span)
    return told(answer)
  }

  /// A ride.
  func ride(_ metres: UInt32, moving: UInt32 = 60, isHome: Bool = false) {
    var ride = GearRide()
    ride.metres = metres
    ride.moving = moving
    ledger.note(ride, isHome: isHome)
  }

  /// The last ride turns out to have been so long.
  func lengthen(_ metres: UInt32) { ledger.lengthenLastRide(to: metres) }

  /// A day begins.
  func begin(day: Int) {
    self.day = day
    ledger.note(day: Int32(day))
  }

  /// What it tells by itself.
  func notices() -> [String] {
    var result: [String] = []
    while let notice = ledger.nextNotice() { result.append(told(notice)) }
    return result
  }

  func gear(_ name: String) -> Gear? {
    for row in 0..<GearLedger.capacity {
      if let gear = ledger.gear(in: row), text(gear.name.span) == name { return gear }
    }
    return nil
  }

  func counter(_ name: String, of gear: String) -> (value: Int64, isDue: Bool)? {
    guard let gear = self.gear(gear) else { return nil }
    for place in 0..<Int(gear.counterCount) where text(gear[counter: place].name.span) == name {
      let counter = gear[counter: place]
      return (counter.value(on: ledger.today), counter.isDue(on: ledger.today))
    }
    return nil
  }

  var isUsed: Bool { ledger.isUsed }
  var lastRide: UInt32 { ledger.lastRide }
  func ride(number: UInt32) -> GearRide? { ledger.ride(number) }
  func gear(in row: Int) -> Gear? { ledger.gear(in: row) }
  /// The sections that changed since it was asked last.
  func changes() -> [UInt8] {
    var tags: [UInt8] = []
    while let tag = ledger.nextChange() { tags.append(tag) }
    return tags
  }

  func encode(_ tag: UInt8, into bytes: inout ByteBuffer) { ledger.encode(tag, into: &bytes) }

  /// All of its sections.
  var state: [UInt8] {
    var bytes = ByteBuffer()
    if ledger.isUsed {
      for tag in GearLedger.firstTag..<GearLedger.endTag { ledger.encode(tag, into: &bytes) }
    }
    return bytes.bytes
  }

  /// The bench after a restart.
  static func restored(_ state: [UInt8], day: Int = 20_000) -> LedgerBench {
    let bench = LedgerBench()
    bench.ledger.restore(state.span)
    bench.begin(day: day)
    return bench
  }
}

private func told(_ answer: GearAnswer) -> String {
  let value = answer.text
  let bytes = (0..<Int(value.count)).map { value[$0] }
  return "\(answer.reason.name)" + (bytes.isEmpty ? "" : " " + String(decoding: bytes, as: UTF8.self))
}

func text(_ span: Span<UInt8>) -> String { span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
