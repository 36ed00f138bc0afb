import Quantities
import SIM7000
import SimulatedWorld

/// `leash modem cost`: what one packet costs in time and charge.
enum ModemCostCommand {
  static let json = Flag("json", "Print one JSON object for each transport.")
  static let markdown = Flag("markdown", "Print the table of docs/modem.md.")

  static let command = Command(
    "cost", "Show what one packet costs in time and charge",
    discussion: """
      Cold: the modem is off when the packet is handed over. Off again: until the modem has waited 20 s for more \
      packets and switched off. Warm: the session is open. The times are from the simulated network, which finds its \
      modem at once; the currents are the manual's for Cat-M1.
      """,
    parameters: [.flag(json), .flag(markdown)]
  ) { arguments, console throws(CommandFailure) in
    guard !arguments[json] || !arguments[markdown] else {
      throw .usage("'--json' and '--markdown' exclude each other")
    }
    var costs: [PacketCost] = []
    for transport in ModemTransport.allCases {
      guard let cost = PacketCost(by: transport) else { throw .check("\(transport): a packet did not arrive") }
      costs.append(cost)
    }
    if arguments[json] {
      console.out.write(costs.map(json).joined())
    } else {
      console.out.write(arguments[markdown] ? markdown(costs) : text(costs))
    }
    return .success
  }

  private static func text(_ costs: [PacketCost]) -> String {
    var table = TextTable(
      ("transport", .left), ("cold", .right), ("mAh", .right), ("off again", .right), ("mAh", .right),
      ("warm", .right), ("mAh", .right))
    for cost in costs {
      let cells = cells(cost)
      table.add("\(cost.transport)", cells[0], cells[1], cells[2], cells[3], cells[4], cells[5])
    }
    return table.text()
  }

  /// The table of the manual.
  static func markdown(_ costs: [PacketCost]) -> String {
    let lines = costs.map { "| `\($0.transport)` | " + cells($0).joined(separator: " | ") + " |" }
    let header = ["| transport | cold | mAh | off again | mAh | warm | mAh |", "|---|---|---|---|---|---|---|"]
    return (header + lines).map { $0 + "\n" }.joined()
  }

  private static func cells(_ cost: PacketCost) -> [String] {
    [
      seconds(cost.coldTime), milliampereHours(cost.coldMicrocoulombs), seconds(cost.wholeTime),
      milliampereHours(cost.wholeMicrocoulombs), seconds(cost.warmTime), milliampereHours(cost.warmMicrocoulombs),
    ]
  }

  private static func seconds(_ interval: Interval) -> String { TimeText.decimal(interval.secondsDouble, 1) + " s" }

  private static func milliampereHours(_ microcoulombs: Int64) -> String {
    TimeText.decimal(Double(microcoulombs) / 3_600_000, 4)
  }

  private static func json(_ cost: PacketCost) -> String {
    """
    {"transport":"\(cost.transport)","cold_s":\(TimeText.decimal(cost.coldTime.secondsDouble, 3)),\
    "cold_uC":\(cost.coldMicrocoulombs),"off_again_s":\(TimeText.decimal(cost.wholeTime.secondsDouble, 3)),\
    "off_again_uC":\(cost.wholeMicrocoulombs),"warm_s":\(TimeText.decimal(cost.warmTime.secondsDouble, 3)),\
    "warm_uC":\(cost.warmMicrocoulombs)}

    """
  }
}
