import ASCIIText
public import Quantities

/// What a request does with the odometer.
@frozen public enum OdometerChange: Equatable, BitwiseCopyable, Sendable {
  /// Tells it.
  case tell
  /// It stands at so many metres from now on.
  case set(UInt32)
  /// So many metres more were travelled without the tracker.
  case add(UInt32)
  /// The ride that is under way, or was the last, was no ride: it was carried.
  case carried
}

/// Where the distance of an odometer is from.
@frozen public enum OdometerSource: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// All of it was measured.
  case measured
  /// A part was travelled without the tracker, as the owner has stated.
  case imported
  /// The owner has set it.
  case corrected
}

/// The odometer as the owner sees it.
@frozen public struct Odometer: Equatable, BitwiseCopyable, Sendable {
  /// The last change by a request, for whoever wants to know why it stands where it stands.
  @frozen public struct Change: Equatable, BitwiseCopyable, Sendable {
    /// Where it stood before, m.
    public var before: Int64
    /// Where it stood then, m.
    public var after: Int64
    /// When; nil where the time was not known.
    public var utc: UTCTime?
    /// The number of the request, 0 for none.
    public var request: UInt32
  }

  /// Where it stands, m. It falls only by a correction.
  public internal(set) var metres: Int64
  /// Standard deviation of the part that was measured, m.
  public internal(set) var uncertainty: Double
  /// Where it is from.
  public internal(set) var source: OdometerSource
  /// Its last change; nil while there was none.
  public internal(set) var change: Change?
}

extension OdometerChange {
  /// `set METRES`, `add METRES`, `carried`, or nothing, which tells it.
  init?(_ words: inout some RequestWords, _ text: Span<UInt8>) {
    words.expect(.words("set, add or carried"))
    guard let verb = words.next(in: text) else {
      self = .tell
      return
    }
    if verb.equals("carried", in: text) {
      self = .carried
      return
    }
    let isSet = verb.equals("set", in: text)
    guard isSet || verb.equals("add", in: text), let metres = words.nextNumber("metres", in: text) else { return nil }
    self = isSet ? .set(metres) : .add(metres)
  }

  func encode(into sink: inout some ByteSink) {
    switch self {
    case .tell: break
    case .carried: sink.append(" carried")
    case .set(let metres):
      sink.append(" set ")
      sink.append(decimal: UInt64(metres))
    case .add(let metres):
      sink.append(" add ")
      sink.append(decimal: UInt64(metres))
    }
  }
}
