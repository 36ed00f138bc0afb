import ASCIIText
import InlineStorage
public import Quantities

/// What a packet is about: a fence, a place or an alarm, by its number and its name.
@frozen public struct PacketRule: Equatable, BitwiseCopyable, Sendable {
  /// Which table it is of.
  @frozen public enum Table: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    /// A fence.
    case fence
    /// A secure place.
    case place
    /// An alarm.
    case alarm

    /// The name used in packets.
    public var name: StaticString {
      switch self {
      case .fence: return "fence"
      case .place: return "place"
      case .alarm: return "alarm"
      }
    }
  }

  /// Its name, or the beginning of it.
  public var name: PacketText
  /// Its number; 0 when it is gone.
  public var number: UInt8
  /// Which table it is of.
  public var table: Table
  /// Of a transition: true for coming.
  public var isEntry: Bool
  private var ago: UInt8 = 0

  /// A rule.
  ///
  /// - Parameters:
  ///   - name: UTF-8; of a longer one the beginning is sent, in whole characters.
  ///   - ago: How long before the packet the edge was crossed.
  public init(_ table: Table, _ number: UInt8, name: Span<UInt8>, isEntry: Bool = false, ago: Interval = .zero) {
    self.table = table
    self.number = number
    self.isEntry = isEntry
    self.name = PacketText(name.extracting(0..<countOfWholeCharacters(name, upTo: PacketText.capacity)))
    self.ago = PacketRule.code(ago)
  }

  init(_ table: Table, _ number: UInt8, name: PacketText, isEntry: Bool, code: UInt8) {
    self.table = table
    self.number = number
    self.name = name
    self.isEntry = isEntry
    ago = code
  }

  /// How long before the packet the edge was crossed: to 2 s up to two minutes, to a minute up to 194 minutes, and no more.
  public var crossedAgo: Interval { ago < 61 ? .seconds(2 * Int(ago)) : .seconds(60 * (Int(ago) - 61) + 120) }

  /// The interval as a byte.
  var code: UInt8 { ago }

  private static func code(_ interval: Interval) -> UInt8 {
    let seconds = max(0, interval.microseconds) / 1_000_000
    if seconds < 120 { return UInt8((seconds + 1) / 2) }
    return UInt8(clamping: (seconds - 120 + 30) / 60 + 61)
  }
}

extension Packet {
  /// Writes `,"fence":"garden"`, for forms of other makers.
  ///
  /// - Parameter alarm: The name of an alarm's label, where `alarm` says what happened.
  package func encodeRuleMember(alarm: StaticString = "alarm", into sink: inout TextWriter) {
    guard let rule else { return }
    sink.append(",\"")
    sink.append(rule.table == .alarm ? alarm : rule.table.name)
    sink.append("\":")
    sink.append(jsonString: rule.name.text.span)
  }
}
