public import InlineStorage
import Positioning
public import Quantities

/// A place where the owner parks: a secure one is not asked about, and movement there is no theft by itself.
public struct SecurePlace: Equatable, BitwiseCopyable, Sendable {
  /// The number the owner or the tracker gave it, 1 to 255; 0 for none.
  public internal(set) var number: UInt8 = 0
  /// What the owner calls it, UTF-8.
  public internal(set) var name = InlineBytes<32>()
  /// Latitude of its middle, 1e-9 degree.
  public internal(set) var latitudeE9: Int64 = 0
  /// Longitude of its middle, 1e-9 degree.
  public internal(set) var longitudeE9: Int64 = 0
  /// How far from its middle it still is, m.
  public internal(set) var radius: Float = 0

  init() {}
}

/// Places by number.
public struct PlaceTable<let capacity: Int>: ~Copyable {
  /// How often a place was refused because the table was full.
  public private(set) var rejectedCount: UInt32 = 0
  private var rows: InlineArray<capacity, SecurePlace>

  /// An empty table.
  public init() { rows = InlineArray { _ in SecurePlace() } }

  /// Number of places.
  public var count: Int { rows.usedCount }

  /// The row of a place; nil when there is none.
  public func row(of number: UInt8) -> Int? { rows.row(of: number) }

  /// What stands in a row; its number is 0 when nothing does.
  /// - Precondition: `0 ≤ row < capacity`.
  public subscript(row: Int) -> SecurePlace { rows[row] }

  /// The lowest number that no place has.
  public var freeNumber: UInt8 {
    for number in 1...UInt8(255) where row(of: number) == nil { return number }
    return 0
  }

  /// Puts a place into the table, in the place of the one of its number.
  ///
  /// - Parameter radius: m, within `RegionLimits.widths`.
  /// - Returns: Why it was not taken; the table is as before then.
  public mutating func set(
    _ number: Int, name: Span<UInt8>, latitudeE9: Int64, longitudeE9: Int64, radius: Float
  ) -> RuleError? {
    guard let exact = UInt8(exactly: number), exact > 0 else { return .badNumber }
    guard isRuleName(name) else { return .badName }
    guard GeodeticPosition(latitudeE9: latitudeE9, longitudeE9: longitudeE9) != nil else { return .outOfRange }
    guard RegionLimits.widths ~= Double(radius) else { return .badWidth }
    guard let row = rows.place(for: exact) else {
      rejectedCount &+= 1
      return .tableFull
    }
    put(exact, name, latitudeE9, longitudeE9, radius, in: row)
    return nil
  }

  private mutating func put(
    _ number: UInt8, _ name: Span<UInt8>, _ latitudeE9: Int64, _ longitudeE9: Int64, _ radius: Float, in row: Int
  ) {
    rows[row].number = number
    rows[row].name.removeAll()
    rows[row].name.append(contentsOf: name)
    rows[row].latitudeE9 = latitudeE9
    rows[row].longitudeE9 = longitudeE9
    rows[row].radius = radius
  }

  /// Takes a place out.
  public mutating func delete(_ number: UInt8) -> RuleError? {
    guard let row = row(of: number) else { return .unknownNumber }
    rows[row] = SecurePlace()
    return nil
  }

  /// The nearest place that a position is in; 0 for none.
  public func number(at position: GeodeticPosition) -> UInt8 {
    var nearest = Double.infinity
    var number: UInt8 = 0
    for row in 0..<capacity where rows[row].number != 0 {
      guard let middle = GeodeticPosition(latitudeE9: rows[row].latitudeE9, longitudeE9: rows[row].longitudeE9) else {
        continue
      }
      let distance = Geodesic.fastDistance(from: middle, to: position)
      if distance <= Double(rows[row].radius), distance < nearest { (nearest, number) = (distance, rows[row].number) }
    }
    return number
  }

  // MARK: State

  /// Writes what stands in a row; nothing for an empty one.
  /// - Precondition: `0 ≤ row < capacity`.
  public func encode<let room: Int>(_ row: Int, into bytes: inout InlineBytes<room>) {
    guard rows[row].number != 0 else { return }
    bytes.append(rows[row].number)
    bytes.append(rowName: rows[row].name)
    bytes.append(row: UInt64(bitPattern: rows[row].latitudeE9), 5)
    bytes.append(row: UInt64(bitPattern: rows[row].longitudeE9), 5)
    bytes.append(row: UInt64(rows[row].radius.bitPattern), 4)
  }

  /// Reads a place as `encode` writes it into its row; false, and nothing changed, when it is none.
  /// - Precondition: `0 ≤ row < capacity`.
  public mutating func restore(_ bytes: Span<UInt8>, row: Int) -> Bool {
    var reader = RowReader(bytes.count)
    let number = Int(reader.byte(bytes))
    let name = reader.name(bytes)
    let latitude = reader.signed(bytes)
    let longitude = reader.signed(bytes)
    let radius = Float(bitPattern: UInt32(truncatingIfNeeded: reader.number(bytes, 4)))
    guard reader.isValid, reader.isAtEnd, number > 0, self.row(of: UInt8(number)) ?? row == row,
      GeodeticPosition(latitudeE9: latitude, longitudeE9: longitude) != nil, RegionLimits.widths ~= Double(radius)
    else { return false }
    put(UInt8(number), name.span, latitude, longitude, radius, in: row)
    return true
  }
}
