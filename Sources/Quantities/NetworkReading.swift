/// A reading of the mobile network: how well it is heard, and which cell serves.
@frozen public struct NetworkReading: ReadingContent {
  /// When it was read, on the monotonic clock.
  public var time: Instant
  /// Strength of the signal, dBm; nil when unknown.
  public var signalDBm: Int8?
  /// The serving cell; nil when unknown.
  public var cell: NetworkCell?

  /// A reading.
  @inlinable public init(time: Instant, signalDBm: Int8? = nil, cell: NetworkCell? = nil) {
    self.time = time
    self.signalDBm = signalDBm
    self.cell = cell
  }

  /// Its name in the JSON of a log.
  public static var name: StaticString { "network" }

  /// What the number at a place is; nil beyond the last.
  public static func field(at place: Int) -> ReadingField? {
    switch place {
    case 0: return ReadingField("signal", .fixed(decimals: 0))
    case 1: return ReadingField("mcc", .fixed(decimals: 0))
    case 2: return ReadingField("mnc", .fixed(decimals: 0))
    case 3: return ReadingField("area", .fixed(decimals: 0))
    case 4: return ReadingField("cell", .fixed(decimals: 0))
    default: return nil
    }
  }

  /// The number at a place; nil when it is unknown.
  public func number(at place: Int) -> Int64? {
    switch place {
    case 0: return signalDBm.map { Int64($0) }
    case 1: return cell.map { Int64($0.country) }
    case 2: return cell.map { Int64($0.network) }
    case 3: return cell.map { Int64($0.area) }
    case 4: return cell.map { Int64($0.cell) }
    default: return nil
    }
  }

  /// A reading of numbers; nil when one of them is out of its range, or a cell is known in part.
  public init?(time: Instant, number: (Int) -> Int64?) {
    self.init(time: time)
    if let signal = number(0) {
      guard let value = Int8(exactly: signal) else { return nil }
      signalDBm = value
    }
    if let country = number(1) {
      guard let network = number(2), let area = number(3), let cell = number(4),
        let country = UInt16(exactly: country), let network = UInt16(exactly: network), country <= 999, network <= 999,
        let area = UInt16(exactly: area), let cell = UInt32(exactly: cell), cell <= NetworkCell.highest
      else { return nil }
      self.cell = NetworkCell(country: country, network: network, area: area, cell: cell)
    } else {
      guard number(2) == nil, number(3) == nil, number(4) == nil else { return nil }
    }
  }
}

/// A cell of a mobile network.
///
/// - Source: 3GPP TS 23.003, sections 2.2, 4.1 and 4.3.
@frozen public struct NetworkCell: Equatable, BitwiseCopyable, Sendable {
  /// Mobile country code, to 999.
  public var country: UInt16
  /// Mobile network code, to 999.
  public var network: UInt16
  /// Location or tracking area code.
  public var area: UInt16
  /// Cell identity, to `highest`.
  public var cell: UInt32

  /// The highest identity of a cell: 28 bits.
  @inlinable public static var highest: UInt32 { 0x0FFF_FFFF }

  /// A cell.
  @inlinable public init(country: UInt16, network: UInt16, area: UInt16, cell: UInt32) {
    self.country = country
    self.network = network
    self.area = area
    self.cell = cell
  }
}
