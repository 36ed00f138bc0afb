/// `leash version`: what is installed, for people and for programs.
enum VersionCommand {
  static let json = Flag("json", "Print one JSON object.")

  static let command = Command(
    "version", "Show the version and how it was built", parameters: [.flag(json)]
  ) { arguments, console throws(CommandFailure) in
    if arguments[json] {
      console.out.writeLine(
        """
        {"version":"\(Version.number)","build":"\(Version.build)","architecture":"\(Version.architecture)"}
        """)
    } else {
      console.out.writeLine("leash \(Version.number) (\(Version.build), \(Version.architecture))")
    }
    return .success
  }
}
