import ASCIIText
import ATCommands
import Quantities

/// What the network granted of power saving: `AT+CPSMRDP` → `+CPSMRDP: <mode>,<active asked>,<update asked>,<active>,<update>,
/// <update, short>`, all in seconds, `OK`. An active time of 0 means that it was refused.
///
/// - Source: [sim7000at] `AT+CPSMRDP`.
package enum CPSMRDP {
  /// What was asked and granted.
  @frozen package struct Grant: Equatable, BitwiseCopyable, Sendable {
    /// True when it is on.
    package var isOn: Bool
    /// Time to stay reachable that was asked for.
    package var requestedActiveTime: Interval
    /// Time between reports that was asked for.
    package var requestedUpdate: Interval
    /// Time to stay reachable that the network granted; zero when it refused.
    package var activeTime: Interval
    /// Time between reports that the network granted.
    package var periodicUpdate: Interval
  }

  /// Asks for it: `AT+CPSMRDP`.
  ///
  /// The driver does not use it: it is for a program that shows what the network grants.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CPSMRDP")) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CPSMRDP") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Grant? {
      guard let fields = line.fields(of: "+CPSMRDP"), fields.count == 6, let isOn = fields.flag(0),
        let asked = fields.number(1), let askedUpdate = fields.number(2), let active = fields.number(3),
        let update = fields.number(4), fields.number(5) != nil
      else { return nil }
      return Grant(
        isOn: isOn, requestedActiveTime: .seconds(asked), requestedUpdate: .seconds(askedUpdate),
        activeTime: .seconds(active), periodicUpdate: .seconds(update))
    }
  }
}
