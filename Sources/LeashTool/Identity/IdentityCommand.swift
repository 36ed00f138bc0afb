import Glibc
import LinuxRuntime
import Requests

/// `leash identity`: what the tracker is called, and what its owner claims it with.
enum IdentityCommand {
  static let svg = Option<String>("svg", "PATH", "Write the QR code as an SVG image of 4 cm, for a label.")
  static let ascii = Flag("ascii", "Draw the QR code with number signs, even if the output is not a terminal.")
  static let json = Flag("json", "Print one JSON object.")
  static let renew = Flag(
    "renew", "Generate a new secret first: existing labels become invalid, and their owner must claim again."
  )

  static let command = Command(
    "identity", "Show the tracker's id and claim secret, also as a QR code",
    discussion: """
      The secret is stored in its own file beside the state, and generated if there is none. Anyone who knows it can \
      become the owner of a tracker that has none: 'leash request --label FILE KEYFILE claim'. On a terminal the QR \
      code is drawn as well. See docs/requests.md.
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
    guard let code = QRCode(text) else { throw .environment("can't make a QR code of '\(id)'") }
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
    if id == "leash" { console.err.writeLine("'trackerId' is 'leash', the default; set an id of its own") }
    if configuration.requests.key != nil {
      console.err.writeLine("'requests.key' is set: the tracker has an owner and can't be claimed")
    }
    if arguments[renew] {
      console.err.writeLine(
        "a running tracker uses the old secret until its configuration is reloaded; run 'leash tell unclaim' before that"
      )
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
