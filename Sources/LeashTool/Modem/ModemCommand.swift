/// `leash modem`: the bench for a SIM7000.
enum ModemCommand {
  static let command = Command(
    "modem", "Talk to a SIM7000 modem, be one, and try its driver",
    discussion:
      "docs/modem-bench.md shows the first ones with examples, docs/modem.md the driver and what is known of it.",
    subcommands: [
      ModemTalkCommand.command, ModemSendCommand.command, ModemRecordCommand.command, ModemSimulateCommand.command,
      ModemSoakCommand.command,
      ModemFaultsCommand.command, ModemCostCommand.command, ModemPlayCommand.command,
    ])
}
