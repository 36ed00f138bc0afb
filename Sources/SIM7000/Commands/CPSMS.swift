import ASCIIText
import ATCommands

/// Power saving mode: `AT+CPSMS=1,,,"<update>","<active>"` → `OK`; `AT+CPSMS=0` ends it; stored.
///
/// The network is asked only when it goes from off to on: other timers need `Off` first.
///
/// - Source: [ts27007] section 7.38; [sim7000at] `AT+CPSMS`; [sim7000an] low power.
package enum CPSMS {
  /// What is asked of the network.
  @frozen package struct Request: Equatable, BitwiseCopyable, Sendable {
    /// True when it is on.
    package var isOn: Bool
    /// How often to report; nil when it was not told.
    package var periodicUpdate: UpdateTimer?
    /// How long to stay reachable; nil when it was not told.
    package var activeTime: ActiveTimer?
  }

  /// Asks for it: `AT+CPSMS=1,,,"01011111","00000001"`.
  @frozen package struct Set: ATCommand {
    /// How often to report.
    package var periodicUpdate: UpdateTimer
    /// How long to stay reachable.
    package var activeTime: ActiveTimer
    /// The command.
    package init(periodicUpdate: UpdateTimer, activeTime: ActiveTimer) {
      self.periodicUpdate = periodicUpdate
      self.activeTime = activeTime
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CPSMS=1,,,\"")
      sink.append(bits: periodicUpdate.bits, count: 8)
      sink.append("\",\"")
      sink.append(bits: activeTime.bits, count: 8)
      sink.append("\"")
    }
  }

  /// Asks what is set: `AT+CPSMS?` → `+CPSMS: 1,,,"01011111","00000001"`, `OK`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CPSMS", isRequired: false) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CPSMS?") }
    /// Whether it is on, of a line of the answer.
    static func isOn(_ line: borrowing ATLine) -> Bool? { line.fields(of: "+CPSMS")?.flag(0) }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Request? {
      guard let fields = line.fields(of: "+CPSMS"), let isOn = fields.flag(0) else { return nil }
      var request = Request(isOn: isOn, periodicUpdate: nil, activeTime: nil)
      if !fields.isBlank(3) {
        guard let bits = fields.bits(3, count: 8) else { return nil }
        request.periodicUpdate = UpdateTimer(bits: bits)
      }
      if !fields.isBlank(4) {
        guard let bits = fields.bits(4, count: 8) else { return nil }
        request.activeTime = ActiveTimer(bits: bits)
      }
      return request
    }
  }
}
