import Quantities
import SIM7000
import SimulatedWorld

/// What is kept of a story.
struct SoakResult: Sendable {
  let seed: UInt64
  let transport: ModemTransport
  let packets: Int
  let encounters: [FieldEncounter]
  let outcome: FaultOutcome

  init(_ story: FaultStory, _ outcome: FaultOutcome) {
    seed = story.seed
    transport = story.transport
    packets = story.packets.count
    encounters = story.encounters
    self.outcome = outcome
  }
}

/// The sum of many stories.
struct SoakTally {
  /// A story that did not end well.
  struct Failure {
    /// Its seed.
    let seed: UInt64
    /// What is wrong with it.
    let reason: String
    /// The command line that shows it again.
    let command: String
  }

  private(set) var failures: [Failure] = []
  private let strength: FaultCampaign.Strength
  private let firstSeed: UInt64
  private var runs = 0
  private var packets = 0
  private var delivered = 0
  private var missing = 0
  private var lost = 0
  private var duplicates = 0
  private var answersLost = 0
  private var startsBetween = 0
  private var evidenceLost = 0
  private var copies: [(packets: Int, duplicates: Int, causes: [Int])] = Array(
    repeating: (0, 0, [0, 0, 0]), count: ModemTransport.allCases.count)
  private var changedUnseen = 0
  private var encounters = [Int](repeating: 0, count: FieldEncounter.allCases.count)
  private var damaged = 0
  private var handedBack = 0
  private var stored = 0
  private var sleptOverRequests = 0
  private var lostRequests = 0
  private var repeatedRequests = 0
  private var foreignRequests = 0
  private var faults = 0
  private var rungs = [Int](repeating: 0, count: RecoveryRung.allCases.count)
  private var virtualSeconds = 0.0
  private var recoveries: [(transport: ModemTransport, recovery: Interval)] = []

  init(strength: FaultCampaign.Strength, firstSeed: UInt64) {
    self.strength = strength
    self.firstSeed = firstSeed
  }

  mutating func add(_ result: SoakResult) {
    let outcome = result.outcome
    runs += 1
    packets += result.packets
    delivered += result.packets - outcome.missing.count
    missing += outcome.missing.count
    lost += outcome.lost.count
    duplicates += outcome.duplicates
    answersLost += outcome.answersLost
    startsBetween += outcome.startsBetween
    evidenceLost += outcome.evidenceLost
    let way = Int(result.transport.rawValue)
    copies[way].packets += result.packets
    copies[way].duplicates += outcome.duplicates
    copies[way].causes[0] += outcome.answersLost
    copies[way].causes[1] += outcome.startsBetween
    copies[way].causes[2] += outcome.evidenceLost
    changedUnseen += outcome.changedUnseen.count
    for (place, encounter) in FieldEncounter.allCases.enumerated() where result.encounters.contains(encounter) {
      encounters[place] += 1
    }
    damaged += outcome.damaged
    handedBack += outcome.handedBack
    faults += outcome.struck
    for (place, count) in outcome.rungs.enumerated() { rungs[place] += Int(count) }
    virtualSeconds += outcome.end.secondsDouble
    if let recovery = outcome.recovery { recoveries.append((result.transport, recovery)) }
    stored += outcome.storedMessages
    sleptOverRequests += outcome.sleptOverRequests
    lostRequests += outcome.lostRequests
    repeatedRequests += outcome.repeatedRequests
    foreignRequests += outcome.foreignRequests
    guard !outcome.isGood else { return }
    var reasons: [String] = []
    if !outcome.missing.isEmpty { reasons.append("missing \(SoakTally.list(outcome.missing))") }
    if !outcome.lost.isEmpty { reasons.append("lost \(SoakTally.list(outcome.lost))") }
    reasons += outcome.requestFaults
    addFailure(seed: result.seed, "\(result.transport): " + reasons.joined(separator: ", "))
  }

  /// A story that never ended.
  mutating func addHang(seed: UInt64) {
    addFailure(seed: seed, "still running after \(ModemSoakCommand.hangAfterSeconds) s")
  }

  private mutating func addFailure(seed: UInt64, _ reason: String) {
    let strength = strength == .mixed ? "" : " --strength \(strength)"
    failures.append(
      Failure(
        seed: seed, reason: reason, command: "leash modem soak --seed \(seed) --runs 1\(strength) --verbose"))
  }

  private static func list(_ tickets: [UInt32]) -> String { tickets.map { "\($0)" }.joined(separator: " ") }

  /// The recovery below which a share of the stories stay; zero without any.
  private func recovery(_ share: Double, _ transport: ModemTransport? = nil) -> Interval {
    let sorted = recoveries.filter { transport == nil || $0.transport == transport }.map(\.recovery).sorted()
    guard let last = sorted.last else { return .zero }
    let place = Int(Double(sorted.count) * share)
    return place < sorted.count ? sorted[place] : last
  }

  private func percentage(_ count: Int) -> String {
    TimeText.decimal(packets > 0 ? 100 * Double(count) / Double(packets) : 0, 1)
  }

  /// Duplicates that no driver can avoid, since the last evidence was destroyed; see `DuplicateCauses`.
  private var unavoidable: Int { answersLost + startsBetween + evidenceLost }

  /// The table.
  ///
  /// - Parameter wallSeconds: How long it took; nil leaves it out.
  func text(wallSeconds: Double?, _ console: Console) -> String {
    var table = TextTable(("", .left), ("", .right))
    table.add("stories", TimeText.count(runs))
    table.add("faults that struck", TimeText.count(faults))
    table.add("packets", TimeText.count(packets))
    table.add("delivered", TimeText.count(delivered))
    table.add("missing", TimeText.count(missing))
    table.add("lost", TimeText.count(lost))
    table.add("duplicates on the wire", TimeText.count(duplicates))
    table.add("  the network lost the answer", TimeText.count(answersLost))
    table.add("  the modem has started since", TimeText.count(startsBetween))
    table.add("  evidence lost on the line", TimeText.count(evidenceLost))
    table.add("  none of these", TimeText.count(duplicates - unavoidable))
    table.add("  by percentage of the packets", percentage(duplicates))
    table.add("  of them avoidable", percentage(duplicates - unavoidable))
    table.add("damaged on the wire", TimeText.count(damaged))
    table.add("  delivered so, without echo", TimeText.count(changedUnseen))
    table.add("returned", TimeText.count(handedBack))
    table.add("text messages left in the modem", TimeText.count(stored))
    table.add("text messages found after a rest", TimeText.count(sleptOverRequests))
    table.add("text messages lost", TimeText.count(lostRequests))
    table.add("text messages repeated", TimeText.count(repeatedRequests))
    table.add("requests that nobody sent", TimeText.count(foreignRequests))
    for (place, encounter) in FieldEncounter.allCases.enumerated() {
      table.add("stories with \(encounter.words)", TimeText.count(encounters[place]))
    }
    for rung in RecoveryRung.allCases {
      table.add("rung \(rung.name)", TimeText.count(rungs[Int(rung.rawValue)]))
    }
    table.add("virtual hours", TimeText.count(Int((virtualSeconds / 3600).rounded())))
    if let wallSeconds { table.add("seconds", TimeText.decimal(wallSeconds, 1)) }
    var text = table.text()
    if duplicates > 0 { text += "\nDuplicates by what was lost\n" + duplicateTable }
    if !recoveries.isEmpty { text += "\nFirst fault to last acknowledgement\n" + recoveryTable }
    if !failures.isEmpty {
      text += "\n" + console.styled("\(failures.count) of \(runs) stories failed", .red) + "\n"
      for failure in failures { text += "seed \(failure.seed) (\(failure.reason)): \(failure.command)\n" }
    } else {
      text += "\n" + console.styled("every packet and every text message arrived", .green) + "\n"
    }
    return text
  }

  private var duplicateTable: String {
    var table = TextTable(
      ("transport", .left), ("packets", .right), ("answer", .right), ("start", .right), ("line", .right),
      ("none", .right), ("% of packets", .right))
    for transport in ModemTransport.allCases {
      let (packets, duplicates, causes) = copies[Int(transport.rawValue)]
      guard packets > 0 else { continue }
      table.add(
        "\(transport)", TimeText.count(packets), TimeText.count(causes[0]), TimeText.count(causes[1]),
        TimeText.count(causes[2]), TimeText.count(duplicates - causes.reduce(0, +)),
        TimeText.decimal(100 * Double(duplicates) / Double(packets), 1))
    }
    return table.text()
  }

  private var recoveryTable: String {
    var table = TextTable(
      ("transport", .left), ("stories", .right), ("median", .right), ("95 %", .right), ("worst", .right))
    for transport in ModemTransport.allCases {
      let count = recoveries.filter { $0.transport == transport }.count
      guard count > 0 else { continue }
      table.add(
        "\(transport)", TimeText.count(count), TimeText.length(recovery(0.5, transport)),
        TimeText.length(recovery(0.95, transport)), TimeText.length(recovery(1, transport)))
    }
    table.add(
      "all", TimeText.count(recoveries.count), TimeText.length(recovery(0.5)), TimeText.length(recovery(0.95)),
      TimeText.length(recovery(1)))
    return table.text()
  }

  /// The same as one JSON object.
  func json(wallSeconds: Double) -> String {
    let rungs = RecoveryRung.allCases.map { "\"\($0.name)\":\(self.rungs[Int($0.rawValue)])" }
    let failures = failures.map {
      "{\"seed\":\($0.seed),\"reason\":\(jsonString($0.reason)),\"command\":\(jsonString($0.command))}"
    }
    let times = [("median", 0.5), ("p95", 0.95), ("worst", 1)].map {
      "\"recovery_\($0.0)_s\":\(TimeText.decimal(recovery($0.1).secondsDouble, 1))"
    }
    return """
      {"seed":\(firstSeed),"strength":"\(strength)","runs":\(runs),"faults":\(faults),"packets":\(packets),\
      "delivered":\(delivered),"missing":\(missing),"lost":\(lost),"duplicates":\(duplicates),"answers_lost":\(answersLost),"starts_between":\(startsBetween),"evidence_lost":\(evidenceLost),"damaged":\(damaged),"changed_unseen":\(changedUnseen),\
      "handed_back":\(handedBack),"messages_stored":\(stored),"messages_slept_over":\(sleptOverRequests),"messages_lost":\(lostRequests),\
      "messages_repeated":\(repeatedRequests),"messages_foreign":\(foreignRequests),\(times.joined(separator: ",")),"rungs":{\(rungs.joined(separator: ","))},\
      "virtual_hours":\(TimeText.decimal(virtualSeconds / 3600, 1)),"wall_seconds":\(TimeText.decimal(wallSeconds, 1)),\
      "failures":[\(failures.joined(separator: ","))]}
      """
  }
}
