import Glibc

/// `leash modem record`: a field dialogue of a modem on a serial port, for whoever has to understand it.
enum ModemRecordCommand {
  static let output = Option<String>(
    "output", "FILE", "Output file, which must not exist. Default: modem.dialogue.")
  static let title = Option<String>("title", "TEXT", "Title of the dialogue, one line.")
  static let hidesHost = Flag("hide-host", "Mask hosts, access points and own addresses too.")

  static let command = Command(
    "record", "Record the modem dialogue of one packet, with secrets masked",
    discussion: """
      Sends one packet as 'leash modem send' does and writes the dialogue to a file (docs/field-dialogues.md), which \
      'leash modem play' plays to the driver. Masked are: PIN, user and password of the access point and the broker, \
      telephone numbers, numbers of the card and the modem, cells and positions, headers, messages and server \
      answers. Read the file before you share it.
      """,
    parameters: [
      .positional(ModemSendCommand.port), .positional(ModemSendCommand.payload), .option(ModemSendCommand.http),
      .option(ModemSendCommand.legacyHTTP), .option(ModemSendCommand.mqtt), .option(ModemSendCommand.tcp),
      .option(ModemSendCommand.sms), .flag(ModemSendCommand.tls), .option(ModemSendCommand.certificate),
      .option(ModemSendCommand.accessPoint), .option(ModemSendCommand.pin),
      .option(ModemSendCommand.rate), .option(ModemSendCommand.number), .option(ModemSendCommand.timeout),
      .option(output), .option(title), .flag(hidesHost),
    ]
  ) { arguments, console throws(CommandFailure) in
    let settings = try SendSettings(arguments)
    let path = arguments[output] ?? "modem.dialogue"
    let title = arguments[title] ?? "A modem as it was recorded"
    guard !title.contains("\n"), !title.isEmpty else { throw .usage("option '--title': one line is expected") }
    // Before anything is sent: a modem's time is not to be lost for the name of a file.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .environment(
        "\(path): \(errno == EEXIST ? "is there already; say another with --output" : String(cString: strerror(errno)))"
      )
    }
    defer { close(descriptor) }
    let run = try SendRun(settings, console, isVerbose: false, isJSON: false)
    run.recorder = DialogueRecorder(DialogueMask(settings.driver, hidesHosts: arguments[hidesHost]))
    let code: ExitCode
    do throws(CommandFailure) {
      code = try run.run()
    } catch {
      try write(run, to: descriptor, path, title, settings, isDelivered: false)
      throw error
    }
    try write(run, to: descriptor, path, title, settings, isDelivered: code == .success)
    console.out.writeLine("\(path): read it before you share it")
    return code
  }

  private static func write(
    _ run: SendRun, to descriptor: Int32, _ path: String, _ title: String, _ settings: SendSettings, isDelivered: Bool
  ) throws(CommandFailure) {
    guard let recorder = run.recorder else { return }
    let point = settings.driver.accessPoint.bytes
    let name = String(decoding: (0..<point.count).map { point[$0] }, as: UTF8.self)
    let text = recorder.text(
      title: title, transport: "\(settings.transport)", accessPoint: name,
      pinLength: settings.driver.pin.bytes.count, isDelivered: isDelivered)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw .environment("\(path): \(String(cString: strerror(errno)))") }
      rest = rest.dropFirst(count)
    }
  }
}
