import InlineStorage
import MotionDetection
import Quantities
import TrackerCore
import TrackerLog

/// All of a log in memory.
private struct WholeLog: LogWindow, ~Copyable {
  private(set) var pointer: UnsafePointer<UInt8>
  private(set) var count: Int
  private(set) var position = 0
  var limit: Int { 256 }
  var isBroken: Bool { false }

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    pointer = bytes.baseAddress.unsafelyUnwrapped
    count = bytes.count
  }

  mutating func consume(_ count: Int) {
    pointer += count
    position += count
    self.count -= count
  }

  mutating func require(_ wanted: Int) -> Bool { count >= wanted }
}

extension CoreRun {
  /// A log of a configuration, a marker, a sample, a tick and a damaged byte, read back.
  mutating func log() {
    var bytes = InlineBytes<256>()
    let signature = LogFormat.signature
    for place in 0..<8 { bytes.append(signature[place]) }
    for place in 0..<4 { bytes.append(place == 0 ? 1 : 0) }
    seal(&bytes, from: 0, seed: 0)
    var base = WholeLog.checksum(ofBase: 0)
    begin(&bytes, .configuration, 19)
    bytes.append("motion.armAfter=17\n")
    seal(&bytes, from: 16, seed: base)
    var start = bytes.count
    begin(&bytes, .marker, LogFormat.markerPayloadLength)
    let pattern = LogFormat.markerSignature
    for place in 0..<12 { bytes.append(pattern[place]) }
    let time = Int64(opaque(5)) * 1_000_000
    for shift in 0..<24 { bytes.append(shift < 8 ? UInt8(truncatingIfNeeded: time >> Int64(8 * shift)) : 0) }
    seal(&bytes, from: start, seed: 0)
    base = WholeLog.checksum(ofBase: time)
    start = bytes.count
    // One sample with a specific force: a column of times, and three of the same value.
    begin(&bytes, .inertialBlock, 20)
    let head: InlineArray<5, UInt8> = [1, 4, 0, 2, 0]
    for place in 0..<5 { bytes.append(head[place]) }
    for axis: UInt8 in 0..<3 {
      bytes.append(0)
      let bits = opaque(Float(axis)).bitPattern
      for shift: UInt32 in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * shift))) }
    }
    seal(&bytes, from: start, seed: base)
    bytes.append(opaque(0xEE))
    start = bytes.count
    begin(&bytes, .tick, 1)
    bytes.append(4)
    seal(&bytes, from: start, seed: base)
    bytes.span.withUnsafeBufferPointer { read($0) }
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    var reader = LogReader(WholeLog(bytes))
    expect(reader.readHeader() == .intact)
    var configuration = TrackerConfiguration()
    expect(reader.next() == .configuration)
    expect(configuration.read(log: Span(_unsafeElements: reader.payload)) == nil)
    expect(configuration.motion.armAfter == .seconds(17))
    note(configuration.motion.armAfter.microseconds)
    if case .input(.inertial(let sample))? = reader.next() {
      note(sample.time.microseconds)
      note(sample.specificForce?.z ?? 0)
    } else {
      expect(false)
    }
    expect(reader.next() == .input(.tick(Instant(microseconds: 5_000_002))))
    expect(reader.next() == nil)
    expect(reader.damage.stretchCount == 1 && reader.damage.skippedByteCount == 1)
  }

  private func begin(_ bytes: inout InlineBytes<256>, _ type: LogFormat.RecordType, _ length: Int) {
    bytes.append(type.rawValue)
    bytes.append(UInt8(truncatingIfNeeded: length))
  }

  /// The checksum of what stands behind a place.
  private func seal(_ bytes: inout InlineBytes<256>, from start: Int, seed: UInt32) {
    let sum = bytes.span.withUnsafeBufferPointer { whole in
      CRC32.extend(seed, UnsafeBufferPointer(rebasing: whole[start...]))
    }
    for shift: UInt32 in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: sum >> (8 * shift))) }
  }
}
