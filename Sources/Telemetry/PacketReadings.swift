import ASCIIText
import Quantities

/// A small number in a packet that may be unknown. A new one is a case here, with its width, and a line of `PacketField`.
///
/// The numbers of the cases are those of records and never change; a case keeps its width, too.
@frozen public enum PacketReading: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Horizontal dilution of precision, in hundredths.
  case dilution = 0
  /// Strength of the mobile network's signal, dBm.
  case signal = 1
  /// Temperature at the tracker, in tenths of a degree Celsius.
  case temperature = 2
  /// Steps of the day.
  case steps = 3
  /// Numbers of the fences it is in, a byte for each, 0 for none.
  case fences = 4
  /// The serving cell, packed: `Packet.cell`.
  case cell = 5
  /// Satellites in view of the receiver, of all systems.
  case satellitesInView = 6

  /// Bytes in packets and records.
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  @inlinable var width: Int {
    switch self {
    case .signal, .satellitesInView: return 1
    case .dilution, .temperature: return 2
    case .steps: return 3
    case .fences: return 5
    case .cell: return 8
    }
  }

  /// Whether it may be below zero.
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  @inlinable var isSigned: Bool {
    switch self {
    case .signal, .temperature: return true
    default: return false
    }
  }

  /// Digits behind the point.
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  @inlinable public var decimals: Int {
    switch self {
    case .dilution: return 2
    case .temperature: return 1
    default: return 0
    }
  }

  /// The number of readings.
  static var count: UInt8 { 7 }

  /// Where its bytes begin: behind those of all before it.
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  @inlinable var offset: Int {
    switch self {
    case .dilution: return 0
    case .signal: return 2
    case .temperature: return 3
    case .steps: return 5
    case .fences: return 8
    case .cell: return 13
    case .satellitesInView: return 21
    }
  }
}

/// The small numbers of a packet that are known.
@frozen public struct PacketReadings: Equatable, BitwiseCopyable, Sendable {
  /// Bytes for all of them.
  static var capacity: Int { 22 }

  // A bit for each of eight at most, which a test checks: a ninth needs two bytes here, and larger packets. Records have room for
  // sixteen. Bytes, so that they fit behind anything.
  @usableFromInline var known: UInt8 = 0
  @usableFromInline var bytes: InlineArray<22, UInt8> = InlineArray(repeating: 0)

  /// Nothing is known.
  public init() {}

  /// True when nothing is known.
  public var isEmpty: Bool { known == 0 }

  /// A reading in units of its last digit; nil while it is unknown. What has no room for its value becomes the nearest that has.
  @inlinable public subscript(_ reading: PacketReading) -> Int64? {
    @_transparent get { value(of: reading) }
    set {
      let width = Int64(8 * reading.width)
      // Eight bytes have room for all bits there are.
      let highest: Int64 = width == 64 ? .max : (1 << (reading.isSigned ? width - 1 : width)) - 1
      let lowest: Int64 = reading.isSigned || width == 64 ? -highest - 1 : 0
      let bits = UInt64(bitPattern: min(max(newValue ?? 0, lowest), highest))
      var place = 0
      let offset = reading.offset
      while place < reading.width {
        bytes[offset + place] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * place))
        place += 1
      }
      let bit: UInt8 = 1 << reading.rawValue
      if newValue != nil { known |= bit } else { known &= ~bit }
    }
  }

  // Its bytes are one load where the reading is known to the compiler.
  #if !hasFeature(Embedded)
    @_transparent
  #endif
  @inlinable func value(of reading: PacketReading) -> Int64? {
    guard known & (1 << reading.rawValue) != 0 else { return nil }
    let bits = number(at: reading.offset, bytes: reading.width)
    let unused = Int64(64 - 8 * reading.width)
    return reading.isSigned ? Int64(bitPattern: bits << UInt64(unused)) >> unused : Int64(bitPattern: bits)
  }

  #if hasFeature(Embedded)
    @usableFromInline func number(at start: Int, bytes count: Int) -> UInt64 {
      var bits: UInt64 = 0
      var place = count
      while place > 0 {
        place -= 1
        bits = bits << 8 | UInt64(bytes[start + place])
      }
      return bits
    }
  #else
    // Without a loop: where place and width are known to the compiler it is one load.
    @inline(__always) @inlinable func number(at start: Int, bytes count: Int) -> UInt64 {
      var bits = UInt64(bytes[start])
      if count > 1 { bits |= UInt64(bytes[start + 1]) << 8 }
      if count > 2 { bits |= UInt64(bytes[start + 2]) << 16 }
      if count > 3 { bits |= UInt64(bytes[start + 3]) << 24 | UInt64(bytes[start + 4]) << 32 }
      if count > 5 {
        bits |= UInt64(bytes[start + 5]) << 40 | UInt64(bytes[start + 6]) << 48 | UInt64(bytes[start + 7]) << 56
      }
      return bits
    }
  #endif

  /// True when the same is known of both.
  public static func == (a: PacketReadings, b: PacketReadings) -> Bool {
    guard a.known == b.known else { return false }
    var place = 0
    while place < PacketReadings.capacity {
      if a.bytes[place] != b.bytes[place] { return false }
      place += 1
    }
    return true
  }

  /// Writes a bit for each that is known, and these in their order.
  func encode(into sink: inout some ByteSink) {
    sink.append(littleEndian: UInt64(known), bytes: 2)
    var place: UInt8 = 0
    while let reading = PacketReading(rawValue: place) {
      if let value = self[reading] { sink.append(littleEndian: UInt64(bitPattern: value), bytes: reading.width) }
      place += 1
    }
  }

  /// Reads what `encode(into:)` wrote; a reading that this version does not know is no record.
  init(_ bytes: Span<UInt8>, _ reader: inout RecordReader) {
    let known = reader.uint16(bytes)
    reader.require(known != 0 && known >> UInt16(PacketReading.count) == 0)
    var place: UInt8 = 0
    while reader.isValid, let reading = PacketReading(rawValue: place) {
      defer { place += 1 }
      guard known & (1 << UInt16(place)) != 0 else { continue }
      let bits = reader.number(bytes, bytes: reading.width)
      let unused = Int64(64 - 8 * reading.width)
      self[reading] = reading.isSigned ? Int64(bitPattern: bits << UInt64(unused)) >> unused : Int64(bitPattern: bits)
    }
  }
}
