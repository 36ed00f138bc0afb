import Foundation
import JSON5
import OwnTracks
import Telemetry
import TrackerCore
import TrackerRuntime

/// What a server's answer with a status of 2xx says of what became of the packet.
///
/// The status is its word that it has the packet. Of an answer that no server of the packet's format sends it is told that it is not known:
/// another program may listen there, which takes anything.
struct ServerAnswer: Equatable {
  /// Behind what is said of the packet; empty for an empty answer.
  var words = ""
  /// True for an answer that servers of the format are known to send.
  var isKnown = true
  /// What to do about one that is not.
  var advice = ""

  /// - Parameters:
  ///   - bytes: As far as they were read.
  ///   - isWhole: Whether that is all.
  ///   - format: Of the packet.
  init(_ bytes: [UInt8], isWhole: Bool, to format: PacketFormat) {
    guard !bytes.isEmpty || !isWhole else { return }
    let shown = "'\(ServerAnswer.shown(bytes))'"
    let text = String(validating: bytes, as: UTF8.self)?.trimmingCharacters(in: .whitespacesAndNewlines)
    if isWhole, let text, ServerAnswer.isReadable(text) {
      if let kind = ServerAnswer.known(text, format) {
        words = kind.isEmpty ? ", and answers \(shown)" : ", and answers \(shown), \(kind)"
        return
      }
      let isPage = text.lowercased().hasPrefix("<!doctype html") || text.lowercased().hasPrefix("<html")
      words =
        isPage
        ? ", but answers with a web page: \(shown)" : ", but its answer is not known: \(bytes.count) bytes, \(shown)"
    } else if !isWhole, bytes.first == 0x5B, format == .ownTracks || format == .ownTracksCompact {
      // Of friends, with their pictures.
      words = ", and answers a list of \(bytes.count) bytes or more"
      return
    } else if isWhole {
      words = ", but its answer is no text: \(bytes.count) bytes, \(shown)"
    } else {
      words = ", but its answer does not end: \(bytes.count) bytes were read, \(shown)"
    }
    isKnown = false
    advice =
      "look at the server whether it has the packet, and check 'url' and 'format'; with the format \(format.name) servers answer "
      + ServerAnswer.expected(format)
  }

  /// What servers of a format answer.
  static func expected(_ format: PacketFormat) -> String {
    switch format {
    case .ownTracks, .ownTracksCompact: "a list in JSON, or nothing"
    case .osmAnd: "a command, or nothing"
    case .traccar: "nothing"
    case .json, .minimal, .text: "JSON, 'ok', a request, or nothing"
    }
  }

  /// What an answer of a format is, empty where its text says it; nil for one that is not known.
  private static func known(_ text: String, _ format: PacketFormat) -> String? {
    if text.isEmpty { return "" }
    let json = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    let request = Request(text: text).map { _ in "which is a request" }
    switch format {
    case .ownTracks, .ownTracksCompact:
      // The recorder, Home Assistant: a list of what is asked for or of friends. Dawarich: an object.
      guard let list = json as? [Any] else { return json is [String: Any] ? "" : nil }
      return list.isEmpty ? "nothing asked for" : ""
    case .osmAnd:
      // Home Assistant's webhook says whose position it sets.
      return request ?? (text.hasPrefix("Setting location for ") ? "" : nil)
    case .traccar: return nil
    case .json, .minimal, .text:
      let words = ["ok", "okay", "accepted", "created", "received", "saved", "success", "thanks", "true", "1"]
      return request ?? (json is [Any] || json is [String: Any] || words.contains(text.lowercased()) ? "" : nil)
    }
  }

  /// True for an answer that only somebody with the key can have made.
  static func isSealed(_ bytes: [UInt8]) -> Bool { OwnTracksSeal.isSealed(bytes.span) }

  private static func isReadable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F || "\n\r\t".unicodeScalars.contains($0) }
  }

  /// The beginning on one line, with a dot for each byte that can't be shown.
  static func shown(_ bytes: [UInt8]) -> String {
    guard let text = String(validating: bytes, as: UTF8.self), isReadable(text) else {
      return String(decoding: bytes.prefix(40).map { (0x20...0x7E).contains($0) ? $0 : 0x2E }, as: UTF8.self)
    }
    return json5Shown(text.split { $0.isWhitespace }.joined(separator: " "))
  }
}
