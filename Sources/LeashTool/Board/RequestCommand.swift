import Glibc
import LinuxRuntime
import Requests
import TrackerCore
import TrackerRuntime

/// `leash request`: a signed request, to paste or to publish.
enum RequestCommand {
  static let keyFile = Positional(
    "KEYFILE",
    "File with the owner's key, 64 hexadecimal digits, as in 'requests.key'; 'claim' creates it, so it must not exist."
  )
  static let words = Positional(
    "REQUEST", count: .oneOrMore, "As for 'leash tell', optionally with a number in front, as in '#17 locate'.")
  static let tracker = Option<String>(
    "tracker", "ID", default: "leash", "The tracker's id, as in 'trackerId'.")
  static let label = Option<String>(
    "label", "FILE",
    "For 'claim': file with the text of the tracker's QR code, from 'leash identity' or 'zbarimg -q --raw'; '-' "
      + "is standard input. The text includes the id.")

  static let command = Command(
    "request", "Sign a request with the owner's key",
    discussion: """
      Prints one line, which can reach the tracker by any channel: published to the command topic, in a server's answer \
      or in a text message. It can be used once, within an hour. 'claim' makes you the owner of a tracker that has none: \
      it is signed with the secret on the label, and the owner's key derived from it is written to KEYFILE.
      """,
    parameters: [.option(tracker), .option(label), .positional(keyFile), .positional(words)]
  ) { arguments, console throws(CommandFailure) in
    let text = RequestLine.text(arguments[words])
    guard let request = Request(text: text) else { throw .usage(RequestKind.complaint(about: text)) }
    let file = SecretFile(path: arguments[keyFile].first ?? "")
    let identity: String
    let key: RequestKey
    if request == .claim {
      guard let place = arguments[label] else {
        throw .usage("'claim' needs '--label', the text of the tracker's QR code")
      }
      let label = try read(place)
      (identity, key) = (label.trackerID, label.secret)
    } else {
      guard arguments[label] == nil else { throw .usage("option '--label' is for 'claim'") }
      (identity, key) = (arguments[tracker] ?? "leash", try ownersKey(file))
    }
    let counter = milliseconds()
    let (id, bytes) = (Array(identity.utf8), Array(text.utf8))
    guard let signed = key.signed(bytes.span, for: id.span, counter: counter) else {
      throw .usage("the request has more than \(RequestEnvelope.longestText) bytes with its signature")
    }
    if request == .claim {
      do throws(SecretFile.Failure) {
        try file.put(key.ownersKey(claim: counter, for: id.span), replaces: false)
      } catch {
        throw .environment(error.message)
      }
      console.err.writeLine("after claiming: leash request --tracker \(identity) \(file.path) REQUEST")
    }
    console.out.writeLine(signed.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    return .success
  }

  private static func milliseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return UInt64(max(0, now.tv_sec)) * 1000 + UInt64(now.tv_nsec / 1_000_000)
  }

  private static func ownersKey(_ file: SecretFile) throws(CommandFailure) -> RequestKey {
    let key: RequestKey?
    do throws(SecretFile.Failure) {
      key = try file.read()
    } catch {
      throw .environment(error.message)
    }
    guard let key else { throw .environment("\(file.path): there is no such file") }
    return key
  }

  /// A label of a file; lines that are none may stand around it.
  private static func read(_ path: String) throws(CommandFailure) -> ClaimText {
    let isInput = path == "-"
    guard let file = isInput ? fdopen(dup(0), "rb") : fopen(path, "rbe") else { throw .unopened(path) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    for line in bytes.split(separator: 0x0A) {
      // As 'leash identity' writes it.
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      if let word = words.last, let label = ClaimText(String(word)) { return label }
    }
    throw .environment("\(path): expected the text of a label, leash://claim/ID#64 digits")
  }
}
