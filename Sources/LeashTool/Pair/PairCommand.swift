/// `leash pair`: servers that show a tracker by themselves.
enum PairCommand {
  static let command = Command(
    "pair", "Have a server show the tracker by itself",
    discussion: "docs/servers.md has what each server shows.", subcommands: [PairHomeAssistantCommand.command])
}
