import Glibc
import LinuxDevices
import LinuxRuntime
import StatusPage

/// `leash run`: the tracker, live on this machine.
enum RunCommand {
  static let page = Option<String>(
    "http", "HOST:PORT",
    "Serve the local page at this address, such as 127.0.0.1:8600. Default: as configured; if neither is set, there is no page."
  )
  static let pageFiles = Option<String>(
    "page-files", "FOLDER", "Read the page's files from this folder on each request, for development.")
  static let record = Option<String>("record", "FOLDER", "Record into this folder. Default: as configured.")
  static let json = Flag("json", "Print every event and packet as one JSON object per line.")
  static let packets = Flag("packets", "Print every location packet on a line of its own.")

  static let command = Command(
    "run", "Run the tracker on this machine",
    discussion: """
      Runs in the foreground until Ctrl-C or SIGTERM and prints events as they happen. On a terminal the last line \
      shows the current state. Missing sensors and servers are retried. SIGHUP reloads the configuration; on a \
      terminal SIGHUP means that the terminal was closed, and ends the tracker. 'leash status' shows its state; \
      'leash tell' sends it a command. docs/board.md leads from a blank board to a first alert.
      """,
    parameters: [
      .positional(ConfigCommand.file), .option(page), .option(pageFiles), .option(record), .flag(json), .flag(packets),
    ]
  ) { arguments, console throws(CommandFailure) in
    guard let configuration = try RunCommand.configuration(arguments, console) else { return .checkFailed }
    ProcessSignals.ignoreWriteSignals()
    let signals = try device { () throws(DeviceFailure) in try RunSignals() }
    let output = SpooledConsole(like: console)
    defer { output.finish() }
    var next: BoardConfiguration? = configuration
    // What worked last, for a new configuration that can't be started.
    var last: BoardConfiguration?
    while let configuration = next {
      do throws(CommandFailure) {
        let session = try RunSession(
          configuration, output, signals: signals, isJSON: arguments[json], showsAllPackets: arguments[packets],
          pageFiles: arguments[pageFiles],
          readAgain: { RunCommand.configurationAgain(arguments, output.console) })
        next = try session.run { last = configuration }
      } catch {
        guard let fallback = last, fallback != configuration else { throw error }
        output.console.err.writeLine("leash run: \(error.message); using the previous configuration")
        output.pass()
        next = fallback
      }
    }
    return .success
  }

  /// The configuration read again; nil when it has problems, which have been told.
  private static func configurationAgain(_ arguments: Arguments, _ console: Console) -> BoardConfiguration? {
    do throws(CommandFailure) {
      return try configuration(arguments, console)
    } catch {
      console.err.writeLine("leash run: \(error.message)")
      return nil
    }
  }

  /// The configuration with what the options change.
  private static func configuration(
    _ arguments: Arguments, _ console: Console
  ) throws(CommandFailure) -> BoardConfiguration? {
    guard let file = try ConfigCommand.read(arguments, console) else { return nil }
    for line in file.warnings { console.err.writeLine("\(line) (warning)") }
    var configuration = file.configuration
    if let text = arguments[page] {
      guard let address = PageAddress(text: text) else {
        throw .usage("option '--http': '\(text)' is not an address such as 127.0.0.1:8600")
      }
      configuration.page = address
    }
    if let folder = arguments[pageFiles] {
      guard configuration.page != nil else { throw .usage("option '--page-files': there is no page; add '--http'") }
      guard access("\(folder)/page.html", R_OK) == 0 else {
        throw .usage("option '--page-files': \(folder)/page.html can't be read")
      }
    }
    if let folder = arguments[record] {
      guard !folder.isEmpty else { throw .usage("option '--record': a folder is expected") }
      if configuration.recording == nil { configuration.recording = RecordingSettings(folder: folder) }
      configuration.recording?.folder = folder
    }
    return configuration
  }
}

extension PageAddress {
  /// Reads `HOST:PORT`, `[ADDRESS]:PORT` or a port of this machine alone.
  init?(text: String) {
    if let port = UInt16(text) {
      self.init(port: port)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty else { return nil }
    self.init(host: host, port: port)
  }
}
