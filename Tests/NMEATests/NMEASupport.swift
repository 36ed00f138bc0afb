import ASCIIText
import Foundation
import NMEA
import Quantities
import SkippedTests

/// Bytes that grow, for what is written in tests.
struct ByteList: ByteSink {
  var bytes: [UInt8] = []
  mutating func append(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    return true
  }
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A sentence with `$`, right checksum and line end around its body.
func line(_ body: String) -> String {
  let sum = body.utf8.reduce(0) { $0 ^ $1 }
  let digits = String(sum, radix: 16, uppercase: true)
  return "$\(body)*\(sum < 16 ? "0" : "")\(digits)\r\n"
}

/// What a sentence parses to, or the error.
func parse(_ text: String) throws(SentenceError) -> Sentence { try Sentence(parsing: Array(text.utf8).span) }

func parsed(_ body: String) -> Sentence? { try? parse(line(body)) }

func error(of text: String) -> SentenceError? {
  do throws(SentenceError) {
    _ = try parse(text)
    return nil
  } catch {
    return error
  }
}

/// Notes each sentence that comes, in order, as text.
struct SentenceNotes: SentenceVisitor {
  var notes: [String] = []
  mutating func receive(_ sentence: RMC) { notes.append("RMC \(sentence)") }
  mutating func receive(_ sentence: GGA) { notes.append("GGA \(sentence)") }
  mutating func receive(_ sentence: GSV) { notes.append("GSV \(sentence.satelliteCount ?? 0)") }
  mutating func receive(_ sentence: VTG) { notes.append("VTG \(sentence)") }
  mutating func receive(_ sentence: GLL) { notes.append("GLL \(sentence)") }
  mutating func receive(_ sentence: TXT) { notes.append("TXT \(sentence.text.count)") }
  mutating func receive(unrecognized fields: borrowing SentenceFields) { notes.append("other \(fields.count)") }
}

/// Feeds bytes cut at the given places and gives the notes and counts.
func framed(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> (notes: [String], counts: RejectionCounts, pending: Int) {
  var framer = SentenceFramer()
  var notes = SentenceNotes()
  var start = 0
  for cut in cuts + [bytes.count] {
    let part = Array(bytes[start..<cut])
    framer.receive(part.span, into: &notes)
    start = cut
  }
  return (notes.notes, framer.counts, framer.pendingByteCount)
}

/// All fixes of a text, fed in pieces of `size` bytes at time zero.
func fixes(
  _ text: String, size: Int = .max, rolloverReference: CivilDate? = nil, countsSatellites: Bool = false
) -> [GNSSFix] {
  fixes(
    Array(text.utf8), size: size, rolloverReference: rolloverReference, countsSatellites: countsSatellites)
}

func fixes(
  _ bytes: [UInt8], size: Int = .max, rolloverReference: CivilDate? = nil, countsSatellites: Bool = false
) -> [GNSSFix] {
  var receiver = NMEAReceiver(rolloverReference: rolloverReference, countsSatellites: countsSatellites)
  var found: [GNSSFix] = []
  var start = 0
  while start < bytes.count {
    // Epochs are fetched line by line at most, as the queue holds four.
    let lineEnd = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    let end = min(lineEnd, size == .max ? lineEnd : start + size)
    receiver.receive(Array(bytes[start..<end]).span, at: .zero)
    while let fix = receiver.nextFix() { found.append(fix) }
    start = end
  }
  receiver.finish()
  while let fix = receiver.nextFix() { found.append(fix) }
  return found
}

/// gpsd's JSON for fixes, a line each.
func tpvLines(_ fixes: [GNSSFix]) -> String {
  var encoder = TPVEncoder()
  var list = ByteList()
  for fix in fixes {
    encoder.encode(fix, into: &list)
    _ = list.append(0x0A)
  }
  return list.text
}

/// The root of the package, from this file's place in it.
var packageRoot: URL {
  URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// Recorded data outside the repository; nil, noted as skipped, where there is none.
func sharedData(_ path: String) -> URL? { outsideRecordings(path).map { URL(fileURLWithPath: $0).standardizedFileURL } }

func isRequested(_ variable: String) -> Bool { ProcessInfo.processInfo.environment[variable] == "1" }

/// A small generator for repeatable mutations.
///
/// - Source: xorshift64*, Vigna 2016.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }
}
