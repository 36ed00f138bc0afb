/// `leash pair`: servers that show a tracker by themselves.
enum PairCommand {
  static let command = Command(
    "pair", "Set up a server to show the tracker",
    discussion: "docs/servers.md describes what each server shows.", subcommands: [PairHomeAssistantCommand.command])
}
