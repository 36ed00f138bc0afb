import ASCIIText
import ATCommands
import Quantities

/// A command without anything to fill in, which `OK` ends.
@frozen package struct FixedCommand: ATCommand {
  /// What stands behind `AT`.
  package let text: StaticString
  /// How long the answer may take.
  package let limit: Interval

  /// A command by its text.
  package init(_ text: StaticString, within limit: Interval = .seconds(5)) {
    self.text = text
    self.limit = limit
  }

  /// How it is answered.
  package var grammar: ATGrammar { ATGrammar(within: limit) }
  /// Writes it.
  package func encode(into sink: inout some ByteSink) { sink.append(text) }
}

extension FixedCommand {
  /// No encryption for the MQTT client: `AT+SMSSL=0`; before `SMCONN`.
  ///
  /// - Source: [sim7000at] `AT+SMSSL`.
  package static var mqttPlain: FixedCommand { FixedCommand("+SMSSL=0") }

  /// No encryption for the TCP client: `AT+CIPSSL=0`; before `CIPSTART`.
  ///
  /// - Source: [sim7000an] SSL.
  package static var connectionPlain: FixedCommand { FixedCommand("+CIPSSL=0") }

  /// No encryption for a socket: `AT+CASSLCFG=0,"SSL",0`; before `CAOPEN`.
  ///
  /// - Source: [sim7000at] `AT+CASSLCFG`.
  package static var socketPlain: FixedCommand { FixedCommand("+CASSLCFG=0,\"SSL\",0") }

  /// The modem chooses its operator: `AT+COPS=0`. It may search first; the registration is asked about anyhow.
  ///
  /// - Source: [ts27007] section 7.3; [sim7000at] `AT+COPS`.
  package static var automaticOperator: FixedCommand { FixedCommand("+COPS=0", within: .seconds(60)) }
}
