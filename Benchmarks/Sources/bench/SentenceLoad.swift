import Foundation
import NMEA

/// Valid RMC, GGA, GSA, GSV and VTG sentences of real receivers, one after another, repeated to a size.
struct SentenceLoad {
  var bytes: [UInt8] = []
  var sentenceCount = 0
  /// Number of sentences by kind, before repeating.
  var mix: [String: Int] = [:]

  /// - Parameters:
  ///   - folder: Where the logs (`*.log`) of the receivers are.
  ///   - size: Bytes to reach.
  init(folder: String, size: Int) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".log") }.sorted()
    for name in names {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder).appending(path: name))
      for line in data.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
        if let kind = SentenceLoad.kind(of: Array(line)) {
          bytes += line
          bytes += [0x0D, 0x0A]
          sentenceCount += 1
          mix[kind, default: 0] += 1
        }
      }
    }
    let once = bytes
    let countOnce = sentenceCount
    while !once.isEmpty && bytes.count < size {
      bytes += once
      sentenceCount += countOnce
    }
  }

  /// The kind of a line that is one valid sentence of these kinds in their usual form; nil for all others.
  private static func kind(of line: [UInt8]) -> String? {
    guard line.count > 10, line[0] == 0x24, line[line.count - 3] == 0x2A else { return nil }
    let kind = String(decoding: line[3..<6], as: UTF8.self)
    let fieldCount = line.count { $0 == 0x2C } + 1
    switch kind {
    case "RMC", "GSV": break
    case "GGA": guard fieldCount <= 15 else { return nil }
    case "GSA": guard fieldCount == 18 || fieldCount == 19 else { return nil }
    case "VTG": guard fieldCount >= 9 else { return nil }
    default: return nil
    }
    var framer = SentenceFramer()
    var summation = Summation()
    framer.receive(line.span, into: &summation)
    let counts = framer.counts
    let isClean = counts.acceptedSentences == 1 && counts.malformedField == 0 && counts.tooFewFields == 0
    return isClean && summation.sentenceCount == 1 ? kind : nil
  }
}
