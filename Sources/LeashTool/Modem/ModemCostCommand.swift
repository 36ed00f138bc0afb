import Quantities
import SIM7000
import SimulatedWorld

/// `leash modem cost`: what one packet costs in time and charge.
enum ModemCostCommand {
  static let json = Flag("json", "Print one JSON object for each transport and rest.")
  static let markdown = Flag("markdown", "Print the tables of docs/modem.md.")

  static let command = Command(
    "cost", "Show what one packet costs in time and charge",
    discussion: """
      A packet is handed over while the modem is off, in power saving mode, asleep, asleep and listening every 20.48 s, \
      or connected to the server. The times are without the search for a network, which only follows after 'off' and \
      takes from seconds to many minutes in the field. The currents are the manual's for Cat-M1.
      """,
    parameters: [.flag(json), .flag(markdown)]
  ) { arguments, console throws(CommandFailure) in
    guard !arguments[json] || !arguments[markdown] else {
      throw .usage("'--json' and '--markdown' exclude each other")
    }
    var costs: [PacketCost] = []
    for transport in ModemTransport.allCases {
      for rest in ModemRest.allCases {
        guard let cost = PacketCost(by: transport, from: rest) else {
          throw .check("\(transport): a packet did not arrive from \(name(of: rest))")
        }
        costs.append(cost)
      }
    }
    if arguments[json] {
      console.out.write(costs.map(json).joined())
    } else {
      console.out.write(arguments[markdown] ? markdown(costs) : text(costs))
    }
    return .success
  }

  /// What the tables say of a packet.
  private struct Quantity: Sendable {
    let heading: String
    let cell: @Sendable (PacketCost) -> String?
  }

  private static let quantities = [
    Quantity(heading: "seconds to the acknowledgement, without the search") {
      TimeText.decimal($0.time.secondsDouble, 1)
    },
    Quantity(heading: "seconds more with a search of \(PacketCost.search.microseconds / 1_000_000) s") {
      TimeText.decimal($0.searching.secondsDouble, 1)
    },
    Quantity(heading: "mAh to the acknowledgement, without the search") { milliampereHours($0.microcoulombs) },
    Quantity(heading: "mAh until it rests again") { $0.wholeMicrocoulombs.map(milliampereHours) },
  ]

  /// What the time from off is spent on.
  private static let waits: [(heading: String, wait: PacketWait)] = [
    ("start", .start), ("card, messages", .readiness), ("commands", .commands), ("network, server", .network),
  ]

  private static let partsHeading = "seconds from off, by what they are spent on"

  private static func parts(_ transport: ModemTransport, in costs: [PacketCost]) -> [String] {
    let off = costs.filter { $0.transport == transport && $0.rest == .off }
    return off.flatMap { cost in waits.map { TimeText.decimal(cost.parts[$0.wait.rawValue].secondsDouble, 1) } }
  }

  private static func text(_ costs: [PacketCost]) -> String {
    let tables = quantities.map { quantity in
      var table = TextTable(columns: [("transport", .left)] + ModemRest.allCases.map { (name(of: $0), .right) })
      for transport in ModemTransport.allCases {
        table.add(cells: ["\(transport)"] + cells(quantity, of: transport, in: costs))
      }
      return "\(quantity.heading):\n\(table.text())"
    }
    var table = TextTable(columns: [("transport", .left)] + waits.map { ($0.heading, .right) })
    for transport in ModemTransport.allCases { table.add(cells: ["\(transport)"] + parts(transport, in: costs)) }
    return (tables + ["\(partsHeading):\n\(table.text())"]).joined(separator: "\n")
  }

  /// The tables of the manual.
  static func markdown(_ costs: [PacketCost]) -> String {
    let tables = quantities.map { quantity in
      table(quantity.heading, ModemRest.allCases.map(name)) { cells(quantity, of: $0, in: costs) }
    }
    return (tables + [table(partsHeading, waits.map(\.heading)) { parts($0, in: costs) }]).joined(separator: "\n")
  }

  private static func table(
    _ heading: String, _ columns: [String], _ cells: (ModemTransport) -> [String]
  ) -> String {
    let header = "| \(heading) | " + columns.joined(separator: " | ") + " |\n"
    let rule = "|---|" + columns.map { _ in "---|" }.joined() + "\n"
    let rows = ModemTransport.allCases.map { "| `\($0)` | " + cells($0).joined(separator: " | ") + " |\n" }
    return header + rule + rows.joined()
  }

  private static func cells(_ quantity: Quantity, of transport: ModemTransport, in costs: [PacketCost]) -> [String] {
    costs.filter { $0.transport == transport }.map { quantity.cell($0) ?? "" }
  }

  private static func name(of rest: ModemRest) -> String { rest == .powerSaving ? "power saving" : rest.rawValue }

  private static func milliampereHours(_ microcoulombs: Int64) -> String {
    TimeText.decimal(Double(microcoulombs) / 3_600_000, 4)
  }

  private static func json(_ cost: PacketCost) -> String {
    var members = [
      "\"transport\":\"\(cost.transport)\"", "\"from\":\"\(cost.rest)\"",
      "\"s\":\(TimeText.decimal(cost.time.secondsDouble, 3))", "\"uC\":\(cost.microcoulombs)",
      "\"search_s\":\(TimeText.decimal(cost.searching.secondsDouble, 3))",
    ]
    for (name, wait) in zip(["start_s", "readiness_s", "commands_s", "network_s"], PacketWait.allCases) {
      members.append("\"\(name)\":\(TimeText.decimal(cost.parts[wait.rawValue].secondsDouble, 3))")
    }
    if let time = cost.wholeTime, let charge = cost.wholeMicrocoulombs {
      members += ["\"rests_again_s\":\(TimeText.decimal(time.secondsDouble, 3))", "\"rests_again_uC\":\(charge)"]
    }
    return "{\(members.joined(separator: ","))}\n"
  }
}
