import ASCIIText
import ATCommands
import Quantities

/// Cycle of extended discontinuous reception: how often a modem listens.
///
/// - Source: [ts24008] section 10.5.5.32; [sim7000at] `AT+CEDRXS`.
@frozen package struct ListeningCycle: Equatable, BitwiseCopyable, Sendable {
  /// The four bits.
  package let bits: UInt8

  /// A cycle of its bits; nil beyond 15.
  package init?(bits: UInt8) {
    guard bits <= 15 else { return nil }
    self.bits = bits
  }

  /// The longest cycle that is not longer than this; the shortest, 5.12 s, when there is none.
  package init(atMost interval: Interval) {
    var found: UInt8 = 0
    var bits: UInt8 = 1
    while bits <= 15 {
      if ListeningCycle.length(bits) <= interval { found = bits }
      bits += 1
    }
    self.bits = found
  }

  /// Its length.
  package var interval: Interval { ListeningCycle.length(bits) }

  private static func length(_ bits: UInt8) -> Interval {
    let units: Int
    switch bits {
    case 0...3: units = 1 << Int(bits)
    case 4...9: units = 4 * Int(bits) - 4
    default: units = 32 << (Int(bits) - 9)
    }
    return .milliseconds(5120 * units)
  }
}

/// Extended discontinuous reception: `AT+CEDRXS=<0|1|2|3>,<4|5>,"<cycle>"` → `OK`; stored.
///
/// Setting it fails at times for no reason: try again.
///
/// - Source: [ts27007] section 7.40; [sim7000at] `AT+CEDRXS`.
package enum CEDRXS {
  /// Kind of LTE.
  @frozen package enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// Cat-M1.
    case catM = 4
    /// NB-IoT.
    case narrowband = 5
  }

  /// Switches it on: `AT+CEDRXS=1,4,"0001"`.
  @frozen package struct Set: ATCommand {
    /// Kind.
    package var kind: Kind
    /// Cycle.
    package var cycle: ListeningCycle
    /// The command.
    package init(_ kind: Kind, cycle: ListeningCycle) {
      self.kind = kind
      self.cycle = cycle
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CEDRXS=1")
      sink.append(next: kind.rawValue)
      sink.append(",\"")
      sink.append(bits: cycle.bits, count: 4)
      sink.append("\"")
    }
  }
}
