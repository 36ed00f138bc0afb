import Glibc
import InlineStorage
import Requests
import TrackerCore
import TrackerRuntime

/// `leash request`: a signed request, to paste or to publish.
enum RequestCommand {
  static let keyFile = Positional(
    "KEYFILE", "File with the owner's key, 64 hexadecimal digits, as 'requests.key' has it.")
  static let words = Positional(
    "REQUEST", count: .oneOrMore, "As for 'leash tell'; a number may stand before it, as in '#17 locate'.")
  static let tracker = Option<String>(
    "tracker", "ID", default: "leash", "The tracker's id, as 'trackerId' has it. Default: leash.")

  static let command = Command(
    "request", "Sign a request with the owner's key",
    discussion: """
      Writes one line, which the tracker obeys wherever it comes from: published to the topic of commands, in a server's answer, in a \
      text message. It is good once, for an hour.
      """,
    parameters: [.option(tracker), .positional(keyFile), .positional(words)]
  ) { arguments, console throws(CommandFailure) in
    let text = arguments[words].joined(separator: " ")
    guard Request(text: text) != nil else { throw .usage(RequestKind.complaint(about: text)) }
    let path = arguments[keyFile].first ?? ""
    guard let digits = digits(of: path) else { throw .environment("\(path): it can't be read") }
    guard let key = RequestKey(hexadecimal: digits.span) else {
      throw .environment("\(path): expected 64 hexadecimal digits and nothing else")
    }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let counter = UInt64(max(0, now.tv_sec)) * 1000 + UInt64(now.tv_nsec / 1_000_000)
    let identity = Array((arguments[tracker] ?? "leash").utf8)
    let bytes = Array(text.utf8)
    guard let signed = key.signed(bytes.span, for: identity.span, counter: counter) else {
      throw .usage("the request has more than \(RequestEnvelope.longestText) bytes with its signature")
    }
    console.out.writeLine(signed.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    return .success
  }

  /// What a file of at most 256 bytes has before its line end.
  private static func digits(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "rbe") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fread(&bytes, 1, bytes.count, file)
    bytes.removeLast(bytes.count - count)
    while let last = bytes.last, last == 0x0A || last == 0x0D || last == 0x20 { bytes.removeLast() }
    return bytes
  }
}
