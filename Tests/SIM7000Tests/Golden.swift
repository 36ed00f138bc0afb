import ASCIIText
import Foundation
import Testing

/// What was seen and found right once, byte for byte.
///
/// To take a change as right: `LEASH_UPDATE_GOLDEN=1 swift test --filter SIM7000Tests`, and explain every difference in the
/// commit.
enum Golden {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "fixtures/golden")

  static func compare(_ text: String, with name: String) throws {
    let place = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["LEASH_UPDATE_GOLDEN"] == "1" {
      try text.write(to: place, atomically: true, encoding: .utf8)
    }
    let golden = try String(contentsOf: place, encoding: .utf8)
    let old = golden.split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    var heading = ""
    for (line, pair) in zip(new, old).enumerated() {
      if pair.1.hasPrefix("==") { heading = " (\(pair.1))" }
      guard pair.0 != pair.1 else { continue }
      Issue.record("\(name):\(line + 1)\(heading) was \(pair.1), is \(pair.0)")
      return
    }
    #expect(text == golden, "\(name) has \(old.count) lines, now \(new.count)")
  }
}

/// Takes bytes as text.
struct ByteText: ByteSink {
  var bytes: [UInt8] = []
  var string: String { String(decoding: bytes, as: UTF8.self) }

  @discardableResult mutating func append(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    return true
  }
}
