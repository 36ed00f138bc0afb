public import ASCIIText
public import ATCommands

/// A set of LTE bands, 1 to 127.
@frozen public struct BandSet: Equatable, BitwiseCopyable, Sendable {
  private var low: UInt64
  private var high: UInt64

  /// The empty set.
  public init() {
    low = 0
    high = 0
  }

  /// True when there is none.
  public var isEmpty: Bool { low == 0 && high == 0 }

  /// True when a band is in it.
  public func contains(_ band: UInt8) -> Bool {
    guard band >= 1, band <= 127 else { return false }
    return (band < 64 ? low >> UInt64(band) : high >> UInt64(band - 64)) & 1 == 1
  }

  /// Adds a band; false when there is no such band.
  @discardableResult public mutating func insert(_ band: UInt8) -> Bool {
    guard band >= 1, band <= 127 else { return false }
    if band < 64 { low |= 1 << UInt64(band) } else { high |= 1 << UInt64(band - 64) }
    return true
  }
}

/// Bands of LTE: `AT+CBANDCFG="<kind>",<band>…` → `OK`; stored. `AT+CBANDCFG?` → a line for each kind, `OK`.
///
/// Fewer bands shorten the first search from minutes.
///
/// - Source: [sim7000at] `AT+CBANDCFG`.
public enum CBANDCFG {
  /// Kind of LTE.
  @frozen public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// Cat-M1.
    case catM
    /// NB-IoT.
    case narrowband
  }

  /// Bands of a kind.
  @frozen public struct Bands: Equatable, BitwiseCopyable, Sendable {
    /// The kind.
    public var kind: Kind
    /// Its bands.
    public var bands: BandSet
  }

  /// Chooses: `AT+CBANDCFG="CAT-M",3,8,20`.
  @frozen public struct Set: ATCommand {
    /// The kind.
    public let kind: Kind
    /// Its bands.
    public let bands: BandSet
    /// The command; nil without a band.
    public init?(_ kind: Kind, bands: BandSet) {
      guard !bands.isEmpty else { return nil }
      self.kind = kind
      self.bands = bands
    }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CBANDCFG=")
      switch kind {
      case .catM: sink.append(quoted: "CAT-M")
      case .narrowband: sink.append(quoted: "NB-IOT")
      }
      var band: UInt8 = 1
      while band <= 127 {
        if bands.contains(band) { sink.append(next: band) }
        band += 1
      }
    }
  }

  /// Asks for the bands: `AT+CBANDCFG?`.
  @frozen public struct Read: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("+CBANDCFG")) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CBANDCFG?") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> Bands? {
      guard let fields = line.fields(of: "+CBANDCFG") else { return nil }
      let kind: Kind
      if fields.equals(0, "CAT-M") {
        kind = .catM
      } else if fields.equals(0, "NB-IOT") {
        kind = .narrowband
      } else {
        return nil
      }
      var bands = BandSet()
      var place = 1
      let count = fields.count
      while place < count {
        guard let band = fields.byte(place), bands.insert(band) else { return nil }
        place += 1
      }
      return Bands(kind: kind, bands: bands)
    }
  }
}
