import ASCIIText
public import InlineStorage
import Quantities

/// A place as a request describes it.
@frozen public struct PlaceOutline: Equatable, BitwiseCopyable, Sendable {
  /// Its number, 1 to 255.
  public var number: UInt8
  /// What the owner calls it, UTF-8.
  public var name = InlineBytes<32>()
  /// Latitude of its middle, 1e-7 degree.
  public var latitudeE7: Int32 = 0
  /// Longitude of its middle, 1e-7 degree.
  public var longitudeE7: Int32 = 0
  /// How far from its middle it still is, m.
  public var radius: Float = 0
  /// True when its middle is where the tracker is.
  public var isHere = false

  /// A place that is told nothing of but its number.
  package init(number: UInt8) { self.number = number }
}

extension PlaceOutline: RuleRow {
  static var isSwitched: Bool { false }
  static var hasOnly: Bool { false }
  static var isKnownByName: Bool { false }

  init?(_ number: UInt8, _ words: inout some RequestWords, _ text: Span<UInt8>) {
    guard let name = words.nextRuleName(in: text) else { return nil }
    words.expect(.words("a place as 52.0,4.0, or here"))
    guard let middle = words.next(in: text) else { return nil }
    self.init(number: number)
    self.name.append(contentsOf: name.bytes(of: text))
    isHere = middle.says("here", in: text)
    if !isHere {
      guard let corner = ruleCorner(middle, text) else { return nil }
      (latitudeE7, longitudeE7) = corner
    }
    guard let radius = words.nextMetres("its radius, 1 to 1000000 m", in: text) else { return nil }
    self.radius = radius
  }

  func encodeText(into sink: inout some ByteSink) {
    sink.append(ruleName: name)
    if isHere {
      sink.append(" here")
    } else {
      sink.append(0x20)
      sink.append(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
    }
    sink.append(0x20)
    sink.append(ruleMetres: radius)
  }
}
