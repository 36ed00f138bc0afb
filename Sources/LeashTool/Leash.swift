import Glibc

/// The command `leash`.
package enum Leash {
  /// The tree of commands.
  package static let command = Command(
    "leash", "Leash: a tracker for bikes and pets",
    discussion: """
      Exit codes: 0 on success, 1 if a check failed or the tracker refused, 2 for a usage error, 3 if a file, a port or \
      the system failed.
      """,
    subcommands: [
      RunCommand.command, RecordCommand.command, DoctorCommand.command, StatusCommand.command, TellCommand.command,
      RequestCommand.command, IdentityCommand.command, RulesCommand.command, PairCommand.command,
      ReplayCommand.command, WhyCommand.command, ScenesCommand.command, TripsCommand.command,
      OdometerCommand.command, GearCommand.command,
      SimulateCommand.command, FuseCommand.command, CalibrateCommand.command, NMEACommand.command,
      DecodeCommand.command, LogCommand.command,
      ModemCommand.command, BenchBoardCommand.command, FirmwareCommand.command, ConfigCommand.command,
      SettingsCommand.command,
      VersionCommand.command,
    ])

  /// Runs the process: its arguments, its streams, its exit code.
  package static func main() -> Never {
    // A reader that has seen enough (`leash … | head`) ends us without a word, also when our parent ignores the signal.
    signal(SIGPIPE, SIG_DFL)
    let console = Console.standard()
    var exitCode = command.execute(Array(CommandLine.arguments.dropFirst()), console: console)
    console.out.flush()
    if let failure = console.out.failure {
      console.err.writeLine("leash: standard output: \(String(cString: strerror(failure)))")
      exitCode = .environment
    }
    console.err.flush()
    exit(exitCode.rawValue)
  }
}
