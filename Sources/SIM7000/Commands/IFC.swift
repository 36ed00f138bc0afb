public import ASCIIText
public import ATCommands

/// Flow control: `AT+IFC=<by the modem>,<by us>` → `OK`: 0 none, 1 XON/XOFF, 2 RTS/CTS. None after a reset.
///
/// - Source: [sim7000at] `AT+IFC`; [sim7000an] UART, which says that it is not stored and that none is the default.
public enum IFC {
  /// How a side holds the other.
  @frozen public enum Method: UInt8, BitwiseCopyable, Sendable {
    /// Not at all.
    case off = 0
    /// By the bytes XON and XOFF, which must not be in the data.
    case software = 1
    /// By the lines RTS and CTS.
    case hardware = 2
  }

  /// What a modem has set.
  @frozen public struct Setting: Equatable, BitwiseCopyable, Sendable {
    /// How the modem is held.
    public var byModem: Method
    /// How the modem holds.
    public var byHost: Method
    /// A setting.
    public init(byModem: Method, byHost: Method) {
      self.byModem = byModem
      self.byHost = byHost
    }
  }

  /// Sets both directions: `AT+IFC=2,2`.
  @frozen public struct Set: ATCommand {
    /// The same method for both.
    public var method: Method
    /// The command.
    public init(_ method: Method) { self.method = method }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+IFC=")
      sink.append(number: method.rawValue)
      sink.append(next: method.rawValue)
    }
  }

  /// Asks for the setting: `AT+IFC?` → `+IFC: 0,0`, `OK`.
  @frozen public struct Read: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("+IFC")) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+IFC?") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> Setting? {
      guard let fields = line.fields(of: "+IFC"), fields.count == 2, let first = fields.byte(0),
        let second = fields.byte(1),
        let byModem = Method(rawValue: first), let byHost = Method(rawValue: second)
      else { return nil }
      return Setting(byModem: byModem, byHost: byHost)
    }
  }
}
