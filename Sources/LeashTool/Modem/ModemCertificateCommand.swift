import Foundation
import LinuxDevices
import Quantities
import SIM7000

/// `leash modem certificate`: puts the certificate that a server is checked with into the modem, once.
enum ModemCertificateCommand {
  static let file = Positional("FILE", "A certificate, or several of one chain, in PEM form.")
  static let name = Option<String>(
    "name", "NAME", "Name in the modem, at most 20 bytes. Default: the name of the file.")

  static let command = Command(
    "certificate", "Store the certificate of an authority in the modem",
    discussion: """
      Writes the file to the modem's memory, where it stays, reads it back and makes the modem use it. With the \
      setting modem.certificate the driver then checks the server with it.
      """,
    parameters: [
      .positional(ModemTalkCommand.port), .positional(file), .option(name), .option(ModemTalkCommand.rate),
      .option(ModemTalkCommand.log),
    ]
  ) { arguments, console throws(CommandFailure) in
    let path = arguments[file][0]
    let certificate = try CertificateFile(text: smallText(of: path), path: path)
    let given = arguments[name] ?? String(path.split(separator: "/").last ?? "")
    guard let stored = FileName(Array(given.utf8).span), !stored.isEmpty, given.utf8.count <= 20 else {
      throw .usage(
        "option '--name': '\(given)': expected 1 to 20 bytes without quotes, backslashes or control characters")
    }
    let signals = try device { () throws(DeviceFailure) in try StopSignals() }
    defer { withExtendedLifetime(signals) {} }
    let port = try device { () throws(DeviceFailure) in
      try SerialPort.open(
        arguments[ModemTalkCommand.port][0], bitsPerSecond: arguments[ModemTalkCommand.rate] ?? ModemProbe.rates[0])
    }
    defer { port.close() }
    let session = try TalkSession(
      port, console: console, isJSON: false, log: arguments[ModemTalkCommand.log], stop: signals.descriptor)
    var probe = ModemProbe()
    guard try probe.search(session, rate: arguments[ModemTalkCommand.rate]) != nil else {
      throw .environment(probe.failure(path: port.path))
    }
    try CertificateUpload(session: session, name: given).run(certificate)
    try session.finish()
    console.out.writeLine(
      "\(given): \(certificate.bytes.count) bytes in the modem, read back and in use; "
        + "set 'certificate: \"\(given)\"' in the section modem")
    return .success
  }
}

/// A file with certificates, looked at as far as one can without trusting anybody.
struct CertificateFile: Equatable {
  /// What goes to the modem: lines that end with a line feed.
  let bytes: [UInt8]
  /// Certificates in it.
  let count: Int

  /// Most bytes that the modem takes at once.
  ///
  /// - Source: [sim7000at] `AT+CFSWFILE`.
  static let capacity = 10_240

  init(text: String, path: String) throws(CommandFailure) {
    let lines = text.split(whereSeparator: \.isNewline).map { String($0).trimmingCharacters(in: .whitespaces) }
    var (count, body): (Int, String?) = (0, nil)
    for line in lines {
      switch line {
      case "-----BEGIN CERTIFICATE-----": body = ""
      case "-----END CERTIFICATE-----":
        guard let content = body, CertificateFile.isOneSequence(content) else {
          throw .environment("\(path): certificate \(count + 1) is damaged; expected base64 of a whole certificate")
        }
        (count, body) = (count + 1, nil)
      default:
        if line.hasPrefix("-----BEGIN"), line.contains("KEY") {
          throw .environment("\(path): contains a key; expected only the certificate of the authority")
        }
        body?.append(line)
      }
    }
    guard count > 0, body == nil else {
      throw .environment(
        "\(path): contains no certificate; expected PEM text that begins with -----BEGIN CERTIFICATE----- "
          + "('openssl x509 -inform der' converts other files)")
    }
    bytes = Array((lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n").utf8)
    self.count = count
    guard bytes.count <= CertificateFile.capacity else {
      throw .environment("\(path): \(bytes.count) bytes; the modem takes \(CertificateFile.capacity) at most")
    }
  }

  /// True for base64 of one DER sequence, with nothing behind it.
  private static func isOneSequence(_ content: String) -> Bool {
    guard let data = Data(base64Encoded: content), data.count > 4, data[0] == 0x30 else { return false }
    guard data[1] & 0x80 != 0 else { return Int(data[1]) + 2 == data.count }
    let size = Int(data[1] & 0x7F)
    guard size >= 1, size <= 3 else { return false }
    let length = data[2..<2 + size].reduce(0) { $0 << 8 | Int($1) }
    return length + 2 + size == data.count
  }
}

/// The dialogue that stores a certificate.
struct CertificateUpload {
  let session: TalkSession
  let name: String

  /// The folder where the modem looks for certificates.
  private static let folder = 3

  func run(_ certificate: CertificateFile) throws(CommandFailure) {
    // It may have been left open.
    if try command("AT+CFSINIT") == nil {
      _ = try command("AT+CFSTERM")
      guard try command("AT+CFSINIT") != nil else { throw refused("AT+CFSINIT", "it has no file store") }
    }
    do throws(CommandFailure) {
      try write(certificate.bytes)
      try compare(certificate.bytes)
    } catch {
      _ = try command("AT+CFSTERM")
      throw error
    }
    _ = try command("AT+CFSTERM")
    let convert = "AT+CSSLCFG=\"convert\",2,\"\(name)\""
    guard try command(convert) != nil else { throw refused(convert, "it does not accept the file as a certificate") }
  }

  private func write(_ bytes: [UInt8]) throws(CommandFailure) {
    let announcement = "AT+CFSWFILE=\(CertificateUpload.folder),\"\(name)\",0,\(bytes.count),10000"
    guard try command(announcement, until: \.isPrompt) != nil else {
      throw refused(announcement, "is its memory full?")
    }
    try session.send(bytes)
    guard try answer(within: .seconds(15)) != nil else { throw refused(announcement, "the bytes did not arrive") }
  }

  /// A serial line has no checksum.
  private func compare(_ bytes: [UInt8]) throws(CommandFailure) {
    let query = "AT+CFSRFILE=\(CertificateUpload.folder),\"\(name)\",0,\(bytes.count),0"
    guard let lines = try command(query) else { throw refused(query, "it can't be read back") }
    let expected = bytes.split(separator: 0x0A).map(Array.init)
    let first = lines.firstIndex(of: expected[0]) ?? lines.endIndex
    guard lines[first...].starts(with: expected) else {
      throw .check("\(session.port.path): what the modem has stored differs; try again")
    }
  }

  private func refused(_ command: String, _ guess: String) -> CommandFailure {
    .check("\(session.port.path): the modem refused \(command): \(guess)")
  }

  /// Sends a command; the lines of its answer, nil when it was refused.
  private func command(
    _ text: String, until isEnd: (ModemLine) -> Bool = \.isFinalResult
  ) throws(CommandFailure) -> [[UInt8]]? {
    try session.send(Array((text + "\r").utf8))
    return try answer(within: .seconds(12), until: isEnd)
  }

  private func answer(
    within limit: Interval, until isEnd: (ModemLine) -> Bool = \.isFinalResult
  ) throws(CommandFailure) -> [[UInt8]]? {
    let deadline = MonotonicClock.now + limit
    var lines: [[UInt8]] = []
    while let line = try session.nextLine(until: deadline) {
      if line.isError { return nil }
      if isEnd(line) { return lines }
      lines.append(line.bytes)
    }
    throw .check("\(session.port.path): no answer within \(TimeText.length(limit))")
  }
}
