import Quantities

/// What a firmware does otherwise than its manual, as data: commands it does not have, lines it leaves out, says twice or spells in
/// its own way.
public struct FirmwareDialect: Equatable, Sendable {
  /// A piece at the beginning or the end of a line, and what this firmware says instead.
  public struct Spelling: Equatable, Sendable {
    /// As the manual has it.
    public var manual: String
    /// As it comes.
    public var own: String
  }

  /// Commands that it refuses: by name (`+CACID`), or by name and what stands behind the equals sign (`+CMGF=0`).
  public var refused: [String] = []
  /// Lines it never sends unasked, by their beginnings.
  public var omitted: [String] = []
  /// Lines it sends twice, by their beginnings.
  public var doubled: [String] = []
  /// What it spells otherwise.
  public var spellings: [Spelling] = []
  /// Lines that its answers leave out, by their beginnings: only the result comes. What comes unasked stays.
  public var unanswered: [String] = []
  /// What it says of its supply four times before every eighth result.
  public var warnings: [String] = []
  /// Outcomes that come ahead of `OK`, by the command.
  public var outcomesFirst: [String] = []
  /// Answers of which only the beginning comes, by that: nothing stands behind it on the line.
  public var cut: [String] = []
  /// Commands that begin so are answered later than others.
  package var late: [String] = []
  /// By so much.
  package var lateBy: Interval = .zero
  /// `SMCONF` takes the broker as `host:port` alone.
  public var joinsBroker = false

  /// A firmware that speaks as its manual.
  public init() {}

  /// A firmware with all of some traits.
  public init(_ traits: [FirmwareTrait]) {
    for trait in traits { add(trait) }
  }

  private mutating func add(_ trait: FirmwareTrait) {
    switch trait {
    case .sendsWithoutOutcome: omitted.append("+CASEND:")
    case .bearerWithoutNotice: omitted.append("+APP PDP: ACTIVE")
    case .messagesReadyMissed: omitted.append("SMS Ready")
    case .functionMissed: omitted.append("+CFUN: 1")
    case .timeTwice: doubled += ["DST:", "*PSUTTZ:"]
    case .registrationTwice: doubled += ["+CEREG:", "+CGREG:"]
    case .sendOKWithoutBlank: spellings.append(Spelling(manual: ", SEND OK", own: ",SEND OK"))
    case .revisionWithBlank: spellings.append(Spelling(manual: "Revision:", own: "Revision: "))
    case .revisionWithoutWord: spellings.append(Spelling(manual: "Revision:", own: ""))
    case .noSocketSelection: refused.append("+CACID")
    case .noBodyData: refused.append("+SHBODEXT")
    case .noDigits: refused.append("+CMGF=0")
    case .noStoreList: refused.append("+CMGL")
    case .noHeaders: refused += ["+SHCHEAD", "+SHAHEAD"]
    case .noSupplyNotices: refused.append("+CBATCHK")
    case .noNetworkTime: refused.append("+CLTS")
    case .registrationUnanswered: unanswered += ["+CREG:", "+CGREG:", "+CEREG:"]
    case .overVoltage: warnings.append("OVER-VOLTAGE WARNNING")
    case .underVoltage: warnings.append("UNDER-VOLTAGE WARNNING")
    case .outcomeFirst: outcomesFirst.append("+CASEND")
    case .joinedBroker: joinsBroker = true
    }
  }

  func refuses(_ call: CommandCall) -> Bool {
    guard !refused.isEmpty, call.form != .test else { return false }
    let whole = call.form == .write ? "\(call.name)=\(String(decoding: call.text, as: UTF8.self))" : call.name
    return refused.contains { $0 == call.name || $0 == whole }
  }

  /// A line that comes by itself, as often as this firmware says it.
  func notices(_ line: String) -> [String] {
    if omitted.contains(where: line.hasPrefix) { return [] }
    let text = spelt(line)
    return doubled.contains(where: line.hasPrefix) ? [text, text] : [text]
  }

  func spelt(_ line: String) -> String {
    for beginning in cut where line.hasPrefix(beginning) { return beginning }
    for spelling in spellings {
      if line.hasPrefix(spelling.manual) { return spelling.own + line.dropFirst(spelling.manual.count) }
      if line.hasSuffix(spelling.manual) { return line.dropLast(spelling.manual.count) + spelling.own }
    }
    return line
  }
}

/// One thing that some firmware does otherwise: see `docs/field-dialogues.md` for who has seen what.
public enum FirmwareTrait: String, Equatable, Sendable, CaseIterable {
  /// After the data of `CASEND` there is `OK` and nothing else (Xinyuan-LilyGO/LilyGo-Modem-Series#418).
  case sendsWithoutOutcome
  /// `CNACT=1` is answered with `OK`, and nothing says that the bearer is up (botletics/SIM7000-LTE-Shield#248).
  case bearerWithoutNotice
  /// `SMS Ready` does not come, or nobody hears it.
  case messagesReadyMissed
  /// `RDY` alone reports a start. Assumed.
  case functionMissed
  /// `DST` and `*PSUTTZ` come twice (vshymanskyy/TinyGSM#454).
  case timeTwice
  /// News of the registration come twice. Assumed.
  case registrationTwice
  /// `0,SEND OK` (MaJerle/lwcell#77).
  case sendOKWithoutBlank
  /// `Revision: 1351B05…`, as the manual has it and logs do not.
  case revisionWithBlank
  /// The revision alone.
  case revisionWithoutWord
  /// `CACID` is refused (botletics/SIM7000-LTE-Shield#251).
  case noSocketSelection
  /// `SHBODEXT` is refused, as by the firmware that has `SHBOD` alone.
  case noBodyData
  /// Messages come as text only: `CMGF=0` is refused. Assumed.
  case noDigits
  /// `CMGL` is refused. Assumed.
  case noStoreList
  /// Headers can't be set. Assumed.
  case noHeaders
  /// `CBATCHK` is refused. Assumed.
  case noSupplyNotices
  /// `CLTS` is refused. Assumed.
  case noNetworkTime
  /// `CREG?`, `CGREG?` and `CEREG?` are answered with `OK` alone. Assumed.
  case registrationUnanswered
  /// `OVER-VOLTAGE WARNNING` four times before a result (vshymanskyy/TinyGSM#507).
  case overVoltage
  /// The same of a supply that is low. Assumed.
  case underVoltage
  /// `+CASEND` comes ahead of its `OK`. Assumed.
  case outcomeFirst
  /// `SMCONF="URL"` takes host and port in one, as a note on MQTT has it, and refuses them apart.
  case joinedBroker
}
