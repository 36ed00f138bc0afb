import ASCIIText
public import InlineStorage
public import Positioning
import Quantities
import Telemetry

/// A fence as a request describes it.
@frozen public struct FenceOutline: Equatable, BitwiseCopyable, Sendable {
  /// The most corners.
  public static var capacity: Int { 8 }

  /// Its number, 1 to 255; 0 for that of the fence with its name, or else the lowest that no fence has.
  public var number: UInt8
  /// What the owner calls it, UTF-8.
  public var name: InlineBytes<32>
  /// What it is.
  public var shape: RegionShape
  /// Radius of a circle or half width of a corridor, m.
  public var width: Float
  /// True for a circle about where the tracker is.
  public var isHere: Bool
  /// Bit n: a hole begins with corner n.
  public private(set) var holes: UInt8 = 0
  /// How many corners there are.
  public private(set) var count: UInt8 = 0
  // Eight bytes each: an array of numbers can't be compared, and a vector of them would be aligned to its size.
  private var corners = InlineBytes<64>()

  /// A fence without corners.
  public init(_ number: UInt8, name: Span<UInt8>, _ shape: RegionShape, width: Float = 0, isHere: Bool = false) {
    self.number = number
    self.name = InlineBytes<32>()
    self.name.append(contentsOf: name)
    self.shape = shape
    self.width = width
    self.isHere = isHere
  }

  /// Adds a corner, 1e-7 degree; false when there are eight.
  public mutating func append(latitudeE7: Int32, longitudeE7: Int32, beginsHole: Bool = false) -> Bool {
    guard count < FenceOutline.capacity else { return false }
    if beginsHole { holes |= 1 << count }
    corners.append(littleEndian: UInt64(UInt32(bitPattern: latitudeE7)), bytes: 4)
    corners.append(littleEndian: UInt64(UInt32(bitPattern: longitudeE7)), bytes: 4)
    count += 1
    return true
  }

  /// A corner, 0 to `count` - 1, 1e-7 degree.
  public func corner(_ place: Int) -> (latitudeE7: Int32, longitudeE7: Int32) {
    (number(8 * place), number(8 * place + 4))
  }

  private func number(_ start: Int) -> Int32 {
    var value: UInt32 = 0
    var step = 0
    while step < 4 {
      value |= UInt32(corners[start + step]) << UInt32(8 * step)
      step += 1
    }
    return Int32(bitPattern: value)
  }
}

extension FenceOutline: RuleRow {
  static var isSwitched: Bool { true }
  static var hasOnly: Bool { true }
  static var isKnownByName: Bool { true }

  init?(_ number: UInt8, _ words: inout some RequestWords, _ text: Span<UInt8>) {
    guard let name = words.nextRuleName(in: text) else { return nil }
    words.expect(.words("circle, polygon or corridor"))
    guard let word = words.next(in: text) else { return nil }
    let bytes = name.bytes(of: text)
    if word.says("circle", in: text) {
      self.init(number, name: bytes, .circle)
      words.expect(.words("a place as 52.0,4.0, or here"))
      guard let middle = words.next(in: text) else { return nil }
      if middle.says("here", in: text) {
        isHere = true
      } else {
        guard let corner = ruleCorner(middle, text), append(latitudeE7: corner.0, longitudeE7: corner.1) else {
          return nil
        }
      }
      guard let metres = words.nextMetres("its radius, 1 to 1000000 m", in: text) else { return nil }
      width = metres
      return
    }
    if word.says("corridor", in: text) {
      guard let metres = words.nextMetres("half its width, 1 to 1000000 m", in: text) else { return nil }
      self.init(number, name: bytes, .corridor, width: metres)
    } else {
      guard word.says("polygon", in: text) else { return nil }
      self.init(number, name: bytes, .polygon)
    }
    var beginsHole = false
    words.expect(.words("a place as 52.0,4.0"))
    while let next = words.next(in: text) {
      if next.says("hole", in: text) {
        guard !beginsHole, count > 0 else { return nil }
        beginsHole = true
        words.expect(.words("a place as 52.0,4.0, of the hole"))
        continue
      }
      guard let corner = ruleCorner(next, text) else { return nil }
      // One too many is told as such when it is made a region.
      if !append(latitudeE7: corner.0, longitudeE7: corner.1, beginsHole: beginsHole) { holes |= 1 }
      beginsHole = false
      words.expect(.words("a place as 52.0,4.0, or hole"))
    }
    guard !beginsHole else { return nil }
  }

  /// True when more corners were told than there is room for.
  var isOverfull: Bool { holes & 1 != 0 }

  func encodeText(into sink: inout some ByteSink) {
    sink.append(ruleName: name)
    switch shape {
    case .circle: sink.append(" circle")
    case .polygon: sink.append(" polygon")
    case .corridor:
      sink.append(" corridor ")
      sink.append(ruleMetres: width)
    }
    if isHere { sink.append(" here") }
    var place = 0
    while place < Int(count) {
      if place > 0, holes & (1 << UInt8(place)) != 0 { sink.append(" hole") }
      sink.append(0x20)
      let corner = corner(place)
      sink.append(latitudeE7: corner.latitudeE7, longitudeE7: corner.longitudeE7)
      place += 1
    }
    // Told as it came: one too many.
    if isOverfull { sink.append(" 0.0,0.0") }
    if shape == .circle {
      sink.append(0x20)
      sink.append(ruleMetres: width)
    }
  }
}
