import CZlib
import Quantities

@testable import Recording

/// Leash logs made by hand, as `docs/recording-format.md` says and with nothing of the writer.
struct LogByHand {
  var bytes: [UInt8] = []
  /// The instant of the last marker, µs.
  private(set) var base: Int64 = 0
  private var lastMarker = 0

  init(version: UInt16 = 1, hasRightChecksum: Bool = true) {
    bytes = [0x89, 0x4C, 0x53, 0x48, 0x0D, 0x0A, 0x1A, 0x0A, UInt8(version & 0xFF), UInt8(version >> 8), 0, 0]
    bytes += fixed(UInt64(checksum(bytes)) ^ (hasRightChecksum ? 0 : 1), 4)
  }

  mutating func marker(_ time: Int64) {
    var payload: [UInt8] = [0xF7, 0x4C, 0x65, 0xB1, 0x61, 0x0E, 0x73, 0xD4, 0x68, 0x9A, 0x21, 0xC3]
    payload += fixed(UInt64(bitPattern: time), 8) + fixed(UInt64(bytes.count), 8) + fixed(UInt64(lastMarker), 8)
    lastMarker = bytes.count
    let record = [0x6D, 36] + payload
    bytes += record + fixed(UInt64(checksum(record)), 4)
    base = time
  }

  /// A record; gives how long it is.
  @discardableResult mutating func record(_ type: UInt8, _ payload: [UInt8]) -> Int {
    let record = [type] + varint(UInt64(payload.count)) + payload
    bytes += record + fixed(UInt64(checksum(record, after: fixed(UInt64(bitPattern: base), 8))), 4)
    return record.count + 4
  }

  /// A record with a time.
  mutating func record(_ type: UInt8, at time: Int64, _ rest: [UInt8] = []) {
    record(type, signed(time &- base) + rest)
  }

  /// An inertial block of some times with one part, whose columns are given.
  mutating func block(times: [Int64], part: Int = 0, columns: [UInt8]) {
    let differences = times.map { $0 &- base }
    record(
      0x02,
      [UInt8(times.count), 1 << UInt8(2 * part)] + integers(differences, predictor: 0, k: 40, start: differences[0])
        + columns)
  }
}

func checksum(_ bytes: [UInt8], after base: [UInt8] = []) -> UInt32 {
  let whole = base + bytes
  return UInt32(truncatingIfNeeded: crc32(0, whole, UInt32(whole.count)))
}

func fixed(_ value: UInt64, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> UInt64(8 * $0) & 0xFF) } }

func varint(_ value: UInt64) -> [UInt8] {
  value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
}

func signed(_ value: Int64) -> [UInt8] { varint(UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

/// An integer column; `start` and `step` are those of the predictor.
func integers(_ values: [Int64], predictor: Int, k: UInt64, start: Int64? = nil, step: Int64 = 0) -> [UInt8] {
  let start = start ?? values[0]
  var bytes = [UInt8(predictor) << 6 | UInt8(k)] + signed(start)
  if predictor >= 2 { bytes += signed(step) }
  var bits: [UInt8] = []
  for place in values.indices {
    let guess: Int64
    switch (predictor, place) {
    case (0, _): guess = start
    case (_, 0), (2, 1): continue
    case (1, _): guess = values[place - 1]
    case (2, _): guess = values[place - 1] &+ (values[place - 1] &- values[place - 2])
    default: guess = values[place - 1] &+ step
    }
    let residual = values[place] &- guess
    let u = UInt64(bitPattern: (residual << 1) ^ (residual >> 63))
    if u >> k < 20 {
      bits += [UInt8](repeating: 1, count: Int(u >> k)) + [0] + (0..<k).map { UInt8(u >> $0 & 1) }
    } else {
      bits += [UInt8](repeating: 1, count: 20) + (0..<64).map { UInt8(u >> $0 & 1) }
    }
  }
  while bits.count % 8 != 0 { bits.append(0) }
  for start in stride(from: 0, to: bits.count, by: 8) {
    bytes.append((0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << UInt8($1) })
  }
  return bytes
}

/// A record of a log as it stands in the file.
struct WalkedRecord {
  var type: UInt8
  var start: Int
  var length: Int
  var payload: [UInt8]
  /// The instant its time refers to.
  var base: Int64
  /// Its time; that of the first sample for a block is not looked up.
  var time: Int64? {
    guard type != 0x01, type != 0x0C, type != 0x02, type != 0x6D else { return nil }
    return base &+ signedField(payload)
  }
}

private func signedField(_ bytes: [UInt8]) -> Int64 {
  var value: UInt64 = 0
  for (place, byte) in bytes.enumerated() {
    value |= UInt64(byte & 0x7F) << UInt64(7 * place)
    if byte < 0x80 { break }
  }
  return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
}

/// Goes from record to record of a whole log and checks every checksum and marker; nil when one is wrong.
func walk(_ log: [UInt8]) -> [WalkedRecord]? {
  guard Array(log.prefix(16)) == LogByHand().bytes else { return nil }
  var records: [WalkedRecord] = []
  var place = 16
  var base: Int64 = 0
  var lastMarker = 0
  while place < log.count {
    let start = place
    var length = 0
    var shift = 0
    place += 1
    while place < log.count {
      length |= Int(log[place] & 0x7F) << shift
      shift += 7
      place += 1
      if log[place - 1] < 0x80 { break }
    }
    guard place + length + 4 <= log.count else { return nil }
    let record = Array(log[start..<(place + length)])
    let payload = Array(log[place..<(place + length)])
    let isMarker = log[start] == 0x6D
    let sum = checksum(record, after: isMarker ? [] : fixed(UInt64(bitPattern: base), 8))
    guard Array(log[(place + length)..<(place + length + 4)]) == fixed(UInt64(sum), 4) else { return nil }
    if isMarker {
      func number(_ at: Int) -> UInt64 { (0..<8).reduce(UInt64(0)) { $0 | UInt64(payload[at + $1]) << UInt64(8 * $1) } }
      guard length == 36, number(20) == UInt64(start), number(28) == UInt64(lastMarker) else { return nil }
      lastMarker = start
      base = Int64(bitPattern: number(12))
    }
    place += length + 4
    records.append(
      WalkedRecord(type: log[start], start: start, length: place - start, payload: payload, base: base))
  }
  return records
}
