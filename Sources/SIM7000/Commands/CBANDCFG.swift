import ASCIIText
import ATCommands

/// Bands of LTE: `AT+CBANDCFG="<kind>",<band>…` → `OK`; stored. `AT+CBANDCFG?` → a line for each kind, `OK`.
///
/// Fewer bands shorten the first search from minutes.
///
/// - Source: [sim7000at] `AT+CBANDCFG`.
package enum CBANDCFG {
  /// Kind of LTE.
  @frozen package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// Cat-M1.
    case catM
    /// NB-IoT.
    case narrowband
  }

  /// Bands of a kind.
  @frozen package struct Bands: Equatable, BitwiseCopyable, Sendable {
    /// The kind.
    package var kind: Kind
    /// Its bands.
    package var bands: BandSet
  }

  /// Chooses: `AT+CBANDCFG="CAT-M",3,8,20`.
  @frozen package struct Set: ATCommand {
    /// The kind.
    package let kind: Kind
    /// Its bands.
    package let bands: BandSet
    /// The command; nil without a band.
    package init?(_ kind: Kind, bands: BandSet) {
      guard !bands.isEmpty else { return nil }
      self.kind = kind
      self.bands = bands
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
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
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CBANDCFG") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CBANDCFG?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Bands? {
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
