import ASCIIText
import ATCommands
import Quantities

/// State of the application network, which the `SH`, `SM` and `CA` commands use.
@frozen package struct ApplicationNetwork: Equatable, BitwiseCopyable, Sendable {
  /// How far it is.
  @frozen package enum State: UInt8, BitwiseCopyable, Sendable {
    /// Off.
    case inactive = 0
    /// On.
    case active = 1
    /// On its way.
    case activating = 2
  }

  /// How far it is.
  package var state: State
  /// The modem's address; `unassigned` when it has none, nil when it is not of version 4.
  package var address: NetworkAddress?
}

/// Application network: `AT+CNACT=<0|1>[,"<apn>"]` → `OK`, then `+APP PDP: ACTIVE` or `+APP PDP: DEACTIVE` 0.5 to 60 s later.
///
/// To activate what is active is an `ERROR`: ask first. Lost at reset.
///
/// - Source: [sim7000at] `AT+CNACT`.
package enum CNACT {
  /// Asks for the state: `AT+CNACT?` → `+CNACT: 1,"100.71.118.22"`, `OK`.
  ///
  /// Some notes print a number of a context before it; that is read as well, and so is a second address, of version 6.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CNACT") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CNACT?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> ApplicationNetwork? {
      guard let fields = line.fields(of: "+CNACT") else { return nil }
      let place = fields.isQuoted(1) ? 0 : 1
      let rest = fields.count - place
      guard rest == 2 || (rest == 3 && fields.isQuoted(place + 2)), place == 0 || fields.byte(0) != nil,
        let number = fields.byte(place, maximum: 2), let state = ApplicationNetwork.State(rawValue: number),
        let text = fields.text(place + 1), fields.isQuoted(place + 1)
      else { return nil }
      return ApplicationNetwork(state: state, address: NetworkAddress(text))
    }
  }

  /// Activates: `AT+CNACT=1,"iot.example"`; failed when `+APP PDP: DEACTIVE` comes instead. Some firmware says nothing:
  /// ask with `Read`.
  @frozen package struct Activate: ATCommand {
    /// Name of the access point; empty to take what context 1 says.
    package var accessPoint: AccessPointName
    /// The command.
    package init(accessPoint: AccessPointName = AccessPointName()) { self.accessPoint = accessPoint }
    /// How it is answered.
    package var grammar: ATGrammar {
      ATGrammar(
        end: .okThenText("+APP PDP: ACTIVE", failure: "+APP PDP: DEACTIVE"), within: .seconds(10), patience: .seconds(5)
      )
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CNACT=1")
      if !accessPoint.isEmpty { sink.append(nextQuoted: accessPoint) }
    }
  }

  /// Deactivates: `AT+CNACT=0`; `+APP PDP: DEACTIVE` comes within 10 s.
  @frozen package struct Deactivate: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar {
      var grammar = ATGrammar(within: .seconds(10))
      grammar.end = .okThenNamed("+APP PDP")
      grammar.outcomeTimeout = .seconds(10)
      return grammar
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CNACT=0") }
  }
}
