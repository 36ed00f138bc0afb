import ASCIIText
import ATCommands

/// Flow control: `AT+IFC=<by the modem>,<by us>` → `OK`: 0 none, 1 XON/XOFF, 2 RTS/CTS. None after a reset.
///
/// - Source: [sim7000at] `AT+IFC`; [sim7000an] UART, which says that it is not stored and that none is the default.
package enum IFC {
  /// How a side holds the other.
  @frozen package enum Method: UInt8, BitwiseCopyable, Sendable {
    /// Not at all.
    case off = 0
    /// By the bytes XON and XOFF, which must not be in the data.
    case software = 1
    /// By the lines RTS and CTS.
    case hardware = 2
  }

  /// What a modem has set.
  @frozen package struct Setting: Equatable, BitwiseCopyable, Sendable {
    /// How the modem is held.
    package var byModem: Method
    /// How the modem holds.
    package var byHost: Method
    /// A setting.
    package init(byModem: Method, byHost: Method) {
      self.byModem = byModem
      self.byHost = byHost
    }
  }

  /// Sets both directions: `AT+IFC=2,2`.
  ///
  /// The driver does not use it: it is for a board with the wires for flow control.
  @frozen package struct Set: ATCommand {
    /// The same method for both.
    package var method: Method
    /// The command.
    package init(_ method: Method) { self.method = method }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+IFC=")
      sink.append(number: method.rawValue)
      sink.append(next: method.rawValue)
    }
  }

  /// Asks for the setting: `AT+IFC?` → `+IFC: 0,0`, `OK`.
  ///
  /// The driver does not use it: it is for a board with the wires for flow control.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+IFC")) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+IFC?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Setting? {
      guard let fields = line.fields(of: "+IFC"), fields.count == 2, let first = fields.byte(0),
        let second = fields.byte(1),
        let byModem = Method(rawValue: first), let byHost = Method(rawValue: second)
      else { return nil }
      return Setting(byModem: byModem, byHost: byHost)
    }
  }
}
