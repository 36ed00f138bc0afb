/// `leash modem`: the bench for a SIM7000.
enum ModemCommand {
  static let command = Command(
    "modem", "Talk to a SIM7000 modem, or be one",
    discussion: "docs/modem-bench.md shows both with examples.",
    subcommands: [ModemTalkCommand.command, ModemSimulateCommand.command])
}
