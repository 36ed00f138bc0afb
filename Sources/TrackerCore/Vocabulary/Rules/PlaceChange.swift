import ASCIIText
public import InlineStorage
import Quantities

/// What a request changes of secure places.
@frozen public enum PlaceChange: Equatable, BitwiseCopyable, Sendable {
  /// Puts a place into the place of the one of its number.
  case set(PlaceOutline)
  /// Takes a place out.
  case delete(UInt8)
  /// Takes all places out.
  case clear
  /// Tells a place's name.
  case tell(UInt8)
  /// Tells the numbers of all places.
  case list
}

/// A place as a request tells it.
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

extension PlaceChange {
  /// True for what changes nothing.
  var isReadOnly: Bool {
    switch self {
    case .tell, .list: return true
    case .set, .delete, .clear: return false
    }
  }

  init?(_ words: inout TextWords, _ text: Span<UInt8>) {
    guard let first = words.next(in: text) else { return nil }
    if first.equals("clear", in: text) {
      self = .clear
    } else if first.equals("list", in: text) {
      self = .list
    } else {
      guard let number = ruleNumber(first, text) else { return nil }
      guard let verb = words.next(in: text) else {
        self = .tell(number)
        return
      }
      if verb.equals("delete", in: text) {
        self = .delete(number)
        return
      }
      guard verb.equals("set", in: text), let name = words.nextPhrase(in: text), name.count <= 32,
        let middle = words.next(in: text)
      else { return nil }
      var outline = PlaceOutline(number: number)
      outline.name.append(contentsOf: name.bytes(of: text))
      outline.isHere = middle.equals("here", in: text)
      if !outline.isHere {
        guard let corner = ruleCorner(middle, text) else { return nil }
        (outline.latitudeE7, outline.longitudeE7) = corner
      }
      guard let radius = ruleMetres(&words, text) else { return nil }
      outline.radius = radius
      self = .set(outline)
    }
  }

  func encode(into sink: inout some ByteSink) {
    switch self {
    case .clear: sink.append(" clear")
    case .list: sink.append(" list")
    case .tell(let number): sink.append(ruleNumber: number)
    case .delete(let number):
      sink.append(ruleNumber: number)
      sink.append(" delete")
    case .set(let outline):
      sink.append(ruleNumber: outline.number)
      sink.append(" set ")
      sink.append(ruleName: outline.name)
      if outline.isHere {
        sink.append(" here")
      } else {
        sink.append(0x20)
        sink.append(latitudeE7: outline.latitudeE7, longitudeE7: outline.longitudeE7)
      }
      sink.append(0x20)
      sink.append(ruleMetres: outline.radius)
    }
  }
}
