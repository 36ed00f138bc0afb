/// `leash modem`: the bench for a SIM7000.
enum ModemCommand {
  static let command = Command(
    "modem", "Talk to a SIM7000 modem, simulate one, and test its driver",
    discussion: """
      docs/modem-bench.md has examples of talk, send, record and simulate; docs/modem.md describes the driver.
      """,
    subcommands: [
      ModemTalkCommand.command, ModemSendCommand.command, ModemRecordCommand.command,
      ModemCertificateCommand.command, ModemSimulateCommand.command, ModemSoakCommand.command,
      ModemFaultsCommand.command, ModemCostCommand.command, ModemPlayCommand.command,
    ])
}
