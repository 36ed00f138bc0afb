import Glibc
import LinuxRuntime
import Requests

/// `leash identity`: what the tracker is called, and what its owner claims it with.
enum IdentityCommand {
  static let svg = Option<String>("svg", "PATH", "Write the QR code as a picture of 4 cm, for a label.")
  static let ascii = Flag("ascii", "Draw the QR code with number signs, wherever it goes.")
  static let json = Flag("json", "One JSON object.")
  static let renew = Flag(
    "renew", "Draw a new secret first: labels of before are void, and an owner who claimed with one has to claim again."
  )

  static let command = Command(
    "identity", "Show the tracker's id and its claim secret, as a QR code too",
    discussion: """
      The secret is in a file of its own beside the state; it is drawn when there is none. Who knows it becomes the owner of a \
      tracker that has none: 'leash request --label FILE KEYFILE claim'. On a terminal the QR code is drawn below. \
      docs/requests.md has it all.
      """,
    parameters: [.positional(ConfigCommand.file), .option(svg), .flag(ascii), .flag(json), .flag(renew)]
  ) { arguments, console throws(CommandFailure) in
    guard let file = try ConfigCommand.read(arguments, console) else { return .checkFailed }
    let configuration = file.configuration
    let place = SecretFile(ofState: configuration.stateFile)
    let secret: RequestKey
    do throws(SecretFile.Failure) {
      secret = arguments[renew] ? try place.renew() : try place.keep()
    } catch {
      throw .environment(error.message)
    }
    let id = configuration.tracker.tracker.trackerID.span.withUnsafeBufferPointer {
      String(decoding: $0, as: UTF8.self)
    }
    let text = ClaimText(trackerID: id, secret: secret).text
    guard let code = QRCode(text) else { throw .environment("there is no QR code of '\(id)'") }
    if let path = arguments[svg] { try write(code.svg(caption: id), to: path) }
    if arguments[json] {
      // An id needs no escapes, nor does a secret.
      console.out.writeLine(
        "{\"trackerId\":\"\(id)\",\"secret\":\"\(secret.digits)\",\"label\":\"\(text)\","
          + "\"file\":\"\(place.path.jsonEscaped)\"}")
      return .success
    }
    console.out.writeLine("id      \(id)")
    console.out.writeLine("secret  \(secret.digits)")
    console.out.writeLine("label   \(text)")
    console.out.writeLine("file    \(place.path)")
    if arguments[ascii] {
      console.out.write(code.plain)
    } else if console.outIsTerminal {
      console.out.write(code.blocks(isColoured: console.usesColour))
    }
    remarks(id, configuration, arguments, console)
    return .success
  }

  private static func remarks(
    _ id: String, _ configuration: BoardConfiguration, _ arguments: Arguments, _ console: Console
  ) {
    if id == "leash" { console.err.writeLine("'trackerId' is 'leash', as of every tracker that has no id of its own") }
    if configuration.requests.key != nil {
      console.err.writeLine("'requests.key' is set: the owner is who knows it, and nobody can claim the tracker")
    }
    if arguments[renew] {
      console.err.writeLine(
        "a running tracker has the old secret until it reads its configuration again; 'leash tell unclaim' before that")
    }
  }

  /// Writes a file that nobody else can read, as the secret is in it.
  private static func write(_ text: String, to path: String) throws(CommandFailure) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .environment("\(path): \(String(cString: strerror(errno)))") }
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard fchmod(file, 0o600) == 0, Glibc.write(file, bytes, bytes.count) == bytes.count else {
      throw .environment("\(path): \(String(cString: strerror(errno)))")
    }
  }
}

extension String {
  /// As it stands between the quotes of JSON.
  fileprivate var jsonEscaped: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
